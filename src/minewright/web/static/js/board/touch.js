// Which cells a number touches, lit on the board: neighbours of the number that is pointed at, pressed or in
// focus, and what a press would do.
//
//   const touch = new Touch(drawing, faces, geometry)
//   touch.light(cell | null)    light the neighbours of a number
//   touch.press(cell | null)    show a cell as pressed; around a number, those a chord would open

import { COVERED, MINED } from "./cells.js";

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
    else {
      const around = this.#geometry.neighbours(cell);
      const covered = around.filter((near) => this.#faces.code(near) === COVERED);
      this.#drawing.wear("pressed", [cell, ...covered]);
    }
  }
}
