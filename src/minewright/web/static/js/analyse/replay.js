// A replay: a game from a file, and a slider over its moves.
//
//   const replay = new Replay({name, show, closed})
//     name(cell)                            what a cell of the board is called
//     show(position)                        put this position on the board; returns a promise
//     closed()                              the bar was closed by hand
//   replay.node                             its bar, hidden while there is no game
//   replay.load(file)                       the answer of POST /api/analyse/file; null: no game
//   replay.by(moves), replay.play()         go forward or back; play by itself, or pause
//   replay.open, replay.cell                whether there is a game; the cell of the last move, or null
//   replay.place, replay.comeBack(place)    the place in the replay, or null; return to that place

import { MARKED } from "../board/board.js";
import { button, panel } from "../shared/parts.js";
import { el, report, seconds } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** Milliseconds per move while the game plays by itself. */
const PACE = 500;
const DEEDS = { open: "opened", chord: "chorded on" };

export class Replay {
  #page;
  #file = null;
  /** The cells after the moves so far, and what each move's cells showed before it. */
  #cells = [];
  #before = [];
  #at = 0;
  #timer = 0;
  #title = el("strong");
  #says = el("span.note");
  #slider = el("input", {
    type: "range",
    min: 0,
    "aria-label": "Move",
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
        this.#key("«", "Start", () => this.by(-Infinity)),
        this.#key("‹", "Previous move", () => this.by(-1)),
        this.#playing,
        this.#key("›", "Next move", () => this.by(1)),
        this.#key("»", "End", () => this.by(Infinity)),
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

  /** Take over a game, at its end, or none. */
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
    // Only now is there a board that knows the names of its cells.
    if (this.open) this.#tell();
  }

  /** Make moves or undo them. */
  #reach(to) {
    const { moves } = this.#file;
    const end = Math.min(moves.length, Math.max(0, to));
    for (; this.#at < end; this.#at++) this.#put(moves[this.#at].changes);
    for (; this.#at > end; this.#at--) this.#put(this.#before[this.#at - 1]);
  }

  /** Describe the current move. */
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
  return changes[0][1] === MARKED ? "flagged" : "unflagged";
}
