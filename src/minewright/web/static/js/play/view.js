// What the page shows of a game: its cells and colours, the counters, its end.
//
//   const view = new View({game, board, marks, place, bars, status, assistant, end, said, locate, keeper, presets, frame})
//     game(), board()   the game and its board; marks: flags that are drawn ahead of the server
//     bars              those with paint(game); presets(): the boards with a name
//     said              read aloud; locate() puts the game into the address
//   view.all(other)                     show everything anew; `other`: it is another game than before
//   view.apply(id, answer, {from, kind, more})   show the answer to a move, if its game is still the one shown
//   view.tint(), view.mines()

import { COVERED, MARKED, MINED } from "../board/board.js";
import { counted, over } from "../shared/words.js";
import { play } from "./sound.js";

/** The codes of all cells, as the server packs them. */
function unpack(text) {
  const bytes = atob(text);
  const codes = new Array(bytes.length);
  for (let cell = 0; cell < codes.length; cell++) codes[cell] = bytes.charCodeAt(cell);
  return codes;
}

export class View {
  #page;

  constructor(page) {
    this.#page = page;
  }

  all(other = false) {
    const { game, board, marks, locate, assistant, end } = this.#page;
    board().tint({});
    board().set(marks.all(game().cells));
    if (other) assistant.reset();
    else assistant.moved();
    locate();
    this.paint();
    if (over(game())) this.#finish(false);
    else end.hide();
  }

  apply(id, answer, { from = null, kind = null, more = {} } = {}) {
    const { marks, keeper, locate, assistant, end } = this.#page;
    const game = this.#page.game();
    const board = this.#page.board();
    if (game.id !== id) return;
    const wasOver = over(game);
    const wasEnd = game.end;
    const { changes, packed, ...progress } = answer;
    const before = performance.now();
    // A page that missed a move, perhaps made in another tab, is sent every cell.
    if (packed) game.cells = unpack(packed);
    for (const [cell, code] of changes) game.cells[cell] = code;
    const opened = packed
      ? board.set(marks.all(game.cells))
      : board.change(changes.map(([cell]) => [cell, marks.seen(game.cells, cell)]), from);
    performance.measure("minewright:change", { start: before, detail: { opened } });
    Object.assign(game, progress, more);
    keeper.sync(answer, true);
    locate();
    assistant.moved();
    this.paint();
    this.#tell(opened, from, kind);
    if (!over(game) && opened) play("open");
    if (over(game) && !wasOver) this.#finish(true, from);
    else if (over(game) && !wasEnd && game.end) this.#finish(false);
    else if (!over(game) && wasOver) end.hide();
  }

  paint() {
    const { status, bars, assistant, presets } = this.#page;
    const game = this.#page.game();
    this.#page.board().live = !over(game);
    status.paint(
      game,
      presets().some((preset) => preset.board === game.board),
      this.#page.board().layout,
    );
    this.mines();
    for (const bar of bars) bar.paint(game);
    assistant.paint();
    this.tint();
  }

  tint() {
    const game = this.#page.game();
    const board = this.#page.board();
    if (!game) return;
    const shown = this.#page.assistant.tints();
    if (over(game)) {
      const exploded = [...Array(board.layout.size).keys()].filter((cell) => board.code(cell) === MINED);
      board.tint({ ...shown, truth: game.end?.truth, exploded });
    } else {
      const start = game.state === "ready" && game.first !== null ? { best: [game.first] } : {};
      board.tint({ ...shown, ...start });
    }
  }

  /** Count the mines that are left: without the flags, and without those the assistant has found. */
  mines() {
    const game = this.#page.game();
    const left = game.mines_left - this.#page.marks.more(game.cells);
    const found = game.help.mined.filter((cell) => this.#page.board().code(cell) === COVERED).length;
    this.#page.status.minesAre(left, found);
  }

  /** Tell a screen reader what a move did. */
  #tell(opened, from, kind) {
    const count = `${counted(opened, "cell")} opened`;
    let words = opened ? count : "";
    if (kind === "undo") words = "Move undone";
    if (from !== null) words = `${this.#page.board().describe(from)}${opened > 1 ? `; ${count}` : ""}`;
    this.#page.said.textContent = words;
  }

  #finish(now, from = null) {
    const { place, status, end, frame } = this.#page;
    const game = this.#page.game();
    const board = this.#page.board();
    if (now) play(game.state);
    const won = game.state === "won";
    if (won) {
      board.change(game.end.mined.map((cell) => [cell, MARKED]));
      status.minesAre(0);
    } else if (now && game.state === "lost") {
      place.classList.remove("boom");
      void place.offsetWidth;
      place.classList.add("boom");
      navigator.vibrate?.([60, 40, 120]);
    }
    this.tint();
    if (won && now) {
      board.celebrate(from ?? board.at);
      end.praise(game);
    } else end.show(game);
    if (now) frame.clear(end.node);
  }
}
