// Which cells a number touches, lit on the board: neighbours of the number that is pointed at, pressed or in
// focus, and what a press would do.
//
//   const touch = new Touch(drawing, faces, geometry)
//   touch.light(cell | null)    light the neighbours of a number
//   touch.press(cell | null)    show a cell as pressed; around a number, those a chord would open
//   touch.opens(cell)           the cells that a move there opens first: itself, or those a chord may open
//   touch.around(cell)          the covered cells that touch it

import { COVERED, MARKED, MINED } from "./cells.js";

export class Touch {
  #drawing;
  #faces;
  #geometry;

  constructor(drawing, faces, geometry) {
    this.#drawing = drawing;
    this.#faces = faces;
    this.#geometry = geometry;
  }

  light(cell) {
    const code = cell === null ? COVERED : this.#faces.code(cell);
    this.#drawing.wear("near", code > 0 && code < MINED ? this.#geometry.neighbours(cell) : []);
  }

  press(cell) {
    if (cell === null) this.#drawing.wear("pressed", []);
    else if (this.#faces.code(cell) >= MINED) this.#drawing.wear("pressed", [cell]);
    else this.#drawing.wear("pressed", [cell, ...this.around(cell)]);
  }

  opens(cell) {
    const code = this.#faces.code(cell);
    if (code === COVERED) return [cell];
    const flags = this.#geometry.neighbours(cell).filter((near) => this.#faces.code(near) === MARKED);
    return code === flags.length ? this.around(cell) : [];
  }

  around(cell) {
    return this.#geometry.neighbours(cell).filter((near) => this.#faces.code(near) === COVERED);
  }
}
