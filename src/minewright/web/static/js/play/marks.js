// Marks that are drawn at once and confirmed later. The server's cells are the truth; these come on top.

import { COVERED, MARKED } from "../board/board.js";

export class Marks {
  /** How many marks on each cell the server has not confirmed. */
  #ahead = new Map();
  /** The cells of marks that are not on their way yet, in order. */
  #unsent = [];

  clear() {
    this.#ahead.clear();
    this.#unsent = [];
  }

  /** Whether there are marks that the server has not confirmed. */
  get pending() {
    return this.#ahead.size > 0;
  }

  draw(cell) {
    this.#unsent.push(cell);
    this.#ahead.set(cell, (this.#ahead.get(cell) ?? 0) + 1);
  }

  /** Take a mark to send it; return false if it has been sent already. */
  take(cell) {
    const at = this.#unsent.indexOf(cell);
    if (at >= 0) this.#unsent.splice(at, 1);
    return at >= 0;
  }

  /** Take all marks that are not on their way yet: the page is about to go. */
  takeAll() {
    return this.#unsent.splice(0);
  }

  /** The server knows of a mark, or it cannot be made any more. */
  confirm(cell) {
    const left = (this.#ahead.get(cell) ?? 0) - 1;
    if (left > 0) this.#ahead.set(cell, left);
    else this.#ahead.delete(cell);
  }

  /** What a cell shows. @param {number[]} cells as the server knows them */
  seen(cells, cell) {
    const code = cells[cell];
    if (code < MARKED || !((this.#ahead.get(cell) ?? 0) % 2)) return code;
    return code === MARKED ? COVERED : MARKED;
  }

  all(cells) {
    if (!this.#ahead.size) return cells;
    return cells.map((_, cell) => this.seen(cells, cell));
  }

  /** How many flags more are seen than the server knows. */
  more(cells) {
    let more = 0;
    for (const cell of this.#ahead.keys()) {
      if (this.seen(cells, cell) !== cells[cell]) more += cells[cell] === COVERED ? 1 : -1;
    }
    return more;
  }
}
