// A puzzle being solved: the marks on its board, the strokes that drew them, the time.
//
//   const solving = new Solving(container, puzzle, layout, kept)
//     solving.marks, .left (bullets not drawn yet), .begun, .solved, .helped, .done (solved before)
//     solving.undo(), .redo(), .clear(), .again()
//     solving.draw([[cell, mark]..])   draw for the person, as one stroke
//     solving.win(), solving.tick(), solving.close()
//     solving.toJSON()                 what is kept
// Event "change": the marks have changed.

import { Pencil } from "./pencil.js";
import { BULLET, NONE } from "./picture.js";
import { Strokes } from "./strokes.js";

/** The key under which a puzzle is kept. */
export function key({ date, code }) {
  return date ? `day-${date}` : code;
}

export class Solving extends EventTarget {
  #strokes;

  constructor(container, puzzle, layout, kept) {
    super();
    this.puzzle = puzzle;
    this.layout = layout;
    this.seconds = kept?.seconds ?? 0;
    this.solved = kept?.solved ?? false;
    this.helped = kept?.helped ?? false;
    this.done = kept?.done ?? this.solved;
    const readable = new RegExp(`^[.o/]{${layout.size}}$`).test(kept?.marks);
    this.#strokes = new Strokes(readable ? kept.strokes : {});
    this.pencil = new Pencil(container, puzzle, layout);
    this.pencil.set(readable ? kept.marks : this.#nothing);
    this.pencil.live = !this.solved;
    this.pencil.addEventListener("draw", ({ detail }) => this.#drew(detail.before));
  }

  get marks() {
    return this.pencil.marks.join("");
  }

  get left() {
    return this.puzzle.bullets - this.pencil.marks.filter((mark) => mark === BULLET).length;
  }

  get begun() {
    return this.marks !== this.#nothing;
  }

  get canUndo() {
    return !this.solved && this.#strokes.past > 0;
  }

  get canRedo() {
    return !this.solved && this.#strokes.future > 0;
  }

  undo() {
    if (this.canUndo) this.#show(this.#strokes.back(this.marks));
  }

  redo() {
    if (this.canRedo) this.#show(this.#strokes.forth(this.marks));
  }

  clear() {
    this.draw(this.pencil.marks.map((_, cell) => [cell, NONE]));
  }

  draw(changes) {
    const before = this.marks;
    const marks = [...before];
    for (const [cell, mark] of changes) marks[cell] = mark;
    this.pencil.set(marks);
    this.#drew(before);
  }

  /** Start over; that the puzzle was solved before stays known. */
  again() {
    Object.assign(this, { seconds: 0, solved: false, helped: false });
    this.#strokes = new Strokes();
    this.pencil.live = true;
    this.#show(this.#nothing);
  }

  win() {
    this.solved = this.done = true;
    this.pencil.live = false;
    this.pencil.tint();
    this.pencil.cheer();
  }

  /** A second has passed; return whether it counts. */
  tick() {
    if (this.solved || !this.begun) return false;
    this.seconds += 1;
    return true;
  }

  close() {
    this.pencil.close();
  }

  toJSON() {
    const { marks, seconds, solved, helped, done } = this;
    return { marks, seconds, solved, helped, done, strokes: this.#strokes };
  }

  get #nothing() {
    return NONE.repeat(this.layout.size);
  }

  #drew(before) {
    this.#strokes.add(before, this.marks);
    this.dispatchEvent(new Event("change"));
  }

  #show(marks) {
    this.pencil.set(marks);
    this.dispatchEvent(new Event("change"));
  }
}
