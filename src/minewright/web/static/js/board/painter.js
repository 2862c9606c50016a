// Keeps the nodes of a board up to date with its faces.
//
//   const painter = new Painter(nodes, faces, sketch)
//   painter.show(cells, size)   these cells have changed; size: pixels of a cell
//   painter.settle(cell)        bring one cell up to date now, if it is not
//   painter.catchUp()           bring all of them up to date now
//   painter.close()             there is nothing to paint any more

import { MARKED, MINED } from "./cells.js";

/** The most cells whose nodes are updated at once. */
export const AT_ONCE = 500;
/** Milliseconds that a sketch gets to reach the screen before the nodes follow. */
const AFTER = 100;

const forced = matchMedia("(forced-colors: active)");

/** Do something when the page is idle. */
export const later = (act) =>
  window.requestIdleCallback ? requestIdleCallback(act, { timeout: 100 }) : setTimeout(act, 10);

export class Painter {
  #nodes;
  #faces;
  #sketch;
  /** The class of each node: asking the nodes would take longer. */
  #classes = [];
  #levels = new Map();
  /** Cells whose nodes are out of date. */
  #behind = new Set();

  constructor(nodes, faces, sketch) {
    this.#nodes = nodes;
    this.#faces = faces;
    this.#sketch = sketch;
  }

  /** Update cells. If there are many, what can be seen comes first: plain cells are sketched, others
   *  painted; the remaining nodes and labels follow when the page is idle. */
  show(cells, size) {
    if (cells.length <= AT_ONCE) {
      for (const cell of cells) {
        this.#update(cell);
        this.#sketch.rub(cell);
      }
      return;
    }
    const idle = this.#behind.size === 0;
    for (const cell of cells) this.#behind.add(cell);
    // Where the system forces its colours, open cells have frames that a sketch lacks.
    const sketched = !forced.matches;
    const plain = [];
    for (const cell of idle ? cells : this.#behind) {
      if (sketched && this.#faces.isPlain(cell)) plain.push(cell);
      else this.#paint(cell);
    }
    this.#sketch.draw(plain, (cell) => this.#faces.code(cell), size);
    if (idle) setTimeout(() => later(() => this.#work()), AFTER);
  }

  settle(cell) {
    if (this.#behind.has(cell)) this.#update(cell);
  }

  catchUp() {
    this.#work(Infinity);
  }

  close() {
    this.#behind.clear();
  }

  #work(most = AT_ONCE) {
    let count = 0;
    for (const cell of this.#behind) {
      this.#update(cell);
      if (++count === most) break;
    }
    if (this.#behind.size) later(() => this.#work());
    else this.#sketch.close();
  }

  #update(cell) {
    this.#behind.delete(cell);
    this.#paint(cell);
    this.#nodes[cell].setAttribute("aria-label", this.#faces.words(cell));
  }

  /** Update the look of a cell: its class, and its level as a property. */
  #paint(cell) {
    const node = this.#nodes[cell];
    const code = this.#faces.code(cell);
    if (code > 8 && code < MINED) node.dataset.number = code;
    const classes = this.#faces.classes(cell);
    if (this.#classes[cell] !== classes) node.className = this.#classes[cell] = classes;
    // An open cell shows no level, so the old one may stay.
    const level = this.#faces.level(cell);
    if (code < MARKED || level === this.#levels.get(cell)) return;
    if (level === undefined) {
      node.style.removeProperty("--p");
      this.#levels.delete(cell);
    } else {
      node.style.setProperty("--p", level);
      this.#levels.set(cell, level);
    }
  }
}
