// The strokes drawn so far, for undo and redo, in a form short enough to be kept.
//
// A stroke is a text of what it changed: cell, mark before, mark after, as in "12.o,13.o".

/** The most characters of strokes that are kept; the oldest go first. */
const ROOM = 2500;

export class Strokes {
  #past;
  #future;

  /** @param {{past: string[], future: string[]}} kept what toJSON returned, if anything */
  constructor(kept = {}) {
    this.#past = read(kept?.past);
    this.#future = read(kept?.future);
  }

  get past() {
    return this.#past.length;
  }

  get future() {
    return this.#future.length;
  }

  /** Add a stroke. */
  add(before, after) {
    const changes = [...before].flatMap((mark, cell) => (mark === after[cell] ? [] : [`${cell}${mark}${after[cell]}`]));
    if (!changes.length) return;
    this.#past.push(changes.join());
    this.#future = [];
  }

  /** The marks before the last stroke. */
  back(marks) {
    return step(marks, this.#past, this.#future, (before) => before);
  }

  /** The marks after the stroke that was taken back last. */
  forth(marks) {
    return step(marks, this.#future, this.#past, (_, after) => after);
  }

  toJSON() {
    let room = ROOM;
    const fits = (stroke) => (room -= stroke.length + 3) > 0;
    const newest = [...this.#past].reverse();
    const first = newest.findIndex((stroke) => !fits(stroke));
    const past = (first < 0 ? newest : newest.slice(0, first)).reverse();
    return { past, future: this.#future.every(fits) ? this.#future : [] };
  }
}

function step(marks, from, to, choose) {
  const stroke = from.pop();
  to.push(stroke);
  const drawn = [...marks];
  for (const [, cell, before, after] of stroke.matchAll(/(\d+)([.o/])([.o/])/g))
    if (cell in drawn) drawn[cell] = choose(before, after);
  return drawn.join("");
}

/** Return a list of strokes; none if anything in it is not a stroke. */
function read(list) {
  return Array.isArray(list) && list.every((stroke) => /^(\d+[.o/]{2},?)+$/.test(stroke)) ? list : [];
}
