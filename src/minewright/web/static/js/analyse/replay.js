// A replay: a game out of a file, and a slider over its moves.
//
//   const replay = new Replay({name, show, closed})
//     name(cell)                            what a cell of the board is called
//     show(position)                        put this position on the board; a promise
//     closed()                              somebody has closed the bar
//   replay.node                             its bar, hidden while there is no game
//   replay.load(file)                       the answer of POST /api/analyse/file; null: no game any more
//   replay.by(moves), replay.play()         go on or back; go on by itself, or stop that
//   replay.open, replay.cell                whether there is a game; where the last move was, or null
//   replay.place, replay.comeBack(place)    where it is, or null; the board shows that place again

import { MARKED } from "../board/board.js";
import { button, panel } from "../shared/parts.js";
import { el, report, seconds } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** Milliseconds a move is looked at while the game plays by itself. */
const PACE = 500;
const DEEDS = { open: "opened", chord: "chord at" };

export class Replay {
  #page;
  #file = null;
  /** Cells after the moves made so far, and what each move's cells showed before it. */
  #cells = [];
  #before = [];
  #at = 0;
  #timer = 0;
  #title = el("strong");
  #says = el("span.note");
  #slider = el("input", {
    type: "range",
    min: 0,
    "aria-label": "Moves made",
    oninput: () => this.#go(Number(this.#slider.value)).catch(report),
  });
  #playing = this.#key("▶", "Play", () => this.play());

  constructor(page) {
    this.#page = page;
    this.node = panel(
      "Replay",
      el("div.head", {}, this.#title, this.#key("✕", "Close the replay", () => this.#close())),
      el(
        "div.run",
        {},
        this.#key("«", "First position", () => this.by(-Infinity)),
        this.#key("‹", "A move back", () => this.by(-1)),
        this.#playing,
        this.#key("›", "A move on", () => this.by(1)),
        this.#key("»", "Last position", () => this.by(Infinity)),
        this.#slider,
      ),
      this.#says,
    );
    this.node.classList.add("replay");
    this.node.hidden = true;
  }

  #key(sign, name, act) {
    return button(sign, act, ".quiet.icon", { "aria-label": name, title: name });
  }

  get open() {
    return this.#file !== null;
  }

  get cell() {
    return this.#file?.moves[this.#at - 1]?.cell ?? null;
  }

  get place() {
    return this.open ? { file: this.#file, at: this.#at } : null;
  }

  load(file) {
    this.#take(file?.moves.length ? file : null);
    if (this.open) this.#go(file.last).catch(report);
  }

  comeBack(place) {
    this.#take(place?.file ?? null);
    if (!this.open) return;
    this.#reach(place.at);
    this.#tell();
  }

  /** Have a game, at its end, or none. */
  #take(file) {
    this.#stop();
    this.#file = file;
    this.node.hidden = !file;
    if (!file) return;
    const { player, program, moves, position } = file;
    this.#title.textContent = [program || "Replay", player].filter(Boolean).join(", ");
    this.#slider.max = moves.length;
    this.#cells = [...position.cells];
    this.#before = moves.map(({ changes }) =>
      changes.map(([cell, code]) => {
        const old = this.#cells[cell];
        this.#cells[cell] = code;
        return [cell, old];
      }),
    );
    this.#at = moves.length;
  }

  #close() {
    this.load(null);
    this.#page.closed();
  }

  by(moves) {
    this.#stop();
    this.#go(this.#at + moves).catch(report);
  }

  play() {
    if (!this.open) return;
    if (this.#timer) return this.#stop();
    const end = this.#file.moves.length;
    const go = (to) => this.#go(to).catch(report);
    if (this.#at === end) go(0);
    this.#timer = setInterval(() => {
      go(this.#at + 1);
      if (this.#at === end) this.#stop();
    }, PACE);
    this.#playing.textContent = "❚❚";
    this.#playing.setAttribute("aria-label", "Pause");
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#playing.textContent = "▶";
    this.#playing.setAttribute("aria-label", "Play");
  }

  async #go(to) {
    if (!this.open) return;
    this.#reach(to);
    await this.#page.show({ ...this.#file.position, cells: [...this.#cells] });
    // Only now does the board know what its cells are called.
    if (this.open) this.#tell();
  }

  /** Make moves, or take them back. */
  #reach(to) {
    const { moves } = this.#file;
    const end = Math.min(moves.length, Math.max(0, to));
    for (; this.#at < end; this.#at++) this.#put(moves[this.#at].changes);
    for (; this.#at > end; this.#at--) this.#put(this.#before[this.#at - 1]);
  }

  /** Say which move it was. */
  #tell() {
    const { moves } = this.#file;
    const move = moves[this.#at - 1];
    const time = move?.seconds ? `, ${seconds(move.seconds)} s` : "";
    const words = move
      ? `Move ${this.#at} of ${moves.length}${time}: ${deed(move)} ${this.#page.name(move.cell)}`
      : `Before the first of ${moves.length} moves`;
    this.#slider.value = this.#at;
    this.#says.textContent = words;
    this.#slider.setAttribute("aria-valuetext", capital(words));
  }

  #put(changes) {
    for (const [cell, code] of changes) this.#cells[cell] = code;
  }
}

function deed({ kind, changes }) {
  if (kind !== "mark") return DEEDS[kind];
  return changes[0][1] === MARKED ? "marked" : "mark taken off";
}
