// Which cells a number touches, lit on the board: neighbours of the number that is pointed at, pressed or in
// focus, and what a press would do.
//
//   const touch = new Touch(nodes, faces, geometry)
//   touch.light(cell | null)    light the neighbours of a number
//   touch.press(cell | null)    show a cell as pressed; around a number, those a chord would open

import { COVERED, MINED } from "./cells.js";

export class Touch {
  #nodes;
  #faces;
  #geometry;
  #worn = { near: [], pressed: [] };

  constructor(nodes, faces, geometry) {
    this.#nodes = nodes;
    this.#faces = faces;
    this.#geometry = geometry;
  }

  light(cell) {
    const code = cell === null ? COVERED : this.#faces.code(cell);
    this.#wear("near", code > 0 && code < MINED ? this.#geometry.neighbours(cell) : []);
  }

  press(cell) {
    if (cell === null) this.#wear("pressed", []);
    else if (this.#faces.code(cell) >= MINED) this.#wear("pressed", [cell]);
    else {
      const around = this.#geometry.neighbours(cell);
      const covered = around.filter((near) => this.#faces.code(near) === COVERED);
      this.#wear("pressed", [cell, ...covered]);
    }
  }

  #wear(name, cells) {
    for (const cell of this.#worn[name]) this.#nodes[cell].classList.remove(name);
    for (const cell of cells) this.#nodes[cell].classList.add(name);
    this.#worn[name] = cells;
  }
}
