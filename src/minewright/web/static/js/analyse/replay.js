// A replay: a game out of a file, and a slider over its moves.
//
//   const replay = new Replay(name, show)   name(cell): what a cell is called
//     show(position, cell)                  show this position, to which a move at a cell led (or null)
//   replay.node                             its bar, hidden while there is no game
//   replay.load(file)                       the answer of POST /api/analyse/file; null: no game any more
//   replay.by(moves), replay.play()         go on or back; go on by itself, or stop that
//   replay.open                             whether there is a game

import { MARKED } from "../board.js";
import { el, seconds } from "../shell.js";
import { capital } from "../words.js";
import { button, panel } from "./parts.js";

/** Milliseconds a move is looked at while the game plays by itself. */
const PACE = 500;
const DEEDS = { open: "opened", chord: "chord at" };

export class Replay {
  #show;
  #name;
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
    oninput: () => this.#go(Number(this.#slider.value)),
  });
  #playing = this.#key("▶", "Play", () => this.play());

  constructor(name, show) {
    this.#name = name;
    this.#show = show;
    this.node = panel(
      "Replay",
      el("div.head", {}, this.#title, this.#key("✕", "Close the replay", () => this.load(null))),
      el(
        "div.run",
        {},
        this.#key("«", "First position", () => this.#go(0)),
        this.#key("‹", "A move back", () => this.by(-1)),
        this.#playing,
        this.#key("›", "A move on", () => this.by(1)),
        this.#key("»", "Last position", () => this.#go(this.#file.moves.length)),
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

  load(file) {
    this.#stop();
    this.#file = file?.moves.length ? file : null;
    this.node.hidden = !this.open;
    if (!this.open) return;
    const { player, program, moves, position, last } = file;
    const title = [program || "Replay", player].filter(Boolean).join(", ");
    this.#title.textContent = title;
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
    this.#go(last);
  }

  by(moves) {
    this.#stop();
    this.#go(this.#at + moves);
  }

  play() {
    if (!this.open) return;
    if (this.#timer) return this.#stop();
    if (this.#at === this.#file.moves.length) this.#go(0);
    this.#timer = setInterval(() => {
      this.#go(this.#at + 1);
      if (this.#at === this.#file.moves.length) this.#stop();
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

  #go(to) {
    if (!this.open) return;
    const { moves, position } = this.#file;
    const end = Math.min(moves.length, Math.max(0, to));
    for (; this.#at < end; this.#at++) this.#put(moves[this.#at].changes);
    for (; this.#at > end; this.#at--) this.#put(this.#before[this.#at - 1]);
    const move = moves[end - 1];
    this.#slider.value = end;
    this.#show({ ...position, cells: [...this.#cells] }, move?.cell ?? null);
    const time = move?.seconds ? `, ${seconds(move.seconds)} s` : "";
    const words = move
      ? `Move ${end} of ${moves.length}${time}: ${deed(move)} ${this.#name(move.cell)}`
      : `Before the first of ${moves.length} moves`;
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
