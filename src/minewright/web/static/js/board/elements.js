// Draws a board with an element per cell: for all boards but the largest.
//
//   const drawing = new Elements(layout, geometry, faces, label)
//   drawing.grid                the element that holds the cells
//   drawing.show(cells)         these cells have changed
//   drawing.fit(size)           cells have this many pixels now
//   drawing.wear(name, cells)   exactly these cells have a class: "near", "pressed"
//   drawing.node(cell)          the element of a cell; a canvas has one for cells that wear something
//   drawing.hold(cell)          Tab leads to this cell
//   drawing.find(event)         the cell under a pointer on the grid, or null
//   drawing.close()             there is nothing to draw any more
//
// Canvas (canvas.js) has the same methods.

import { dress } from "./dress.js";
import { gridElement } from "./grid.js";

export class Elements {
  #faces;
  #nodes = [];
  #held = 0;
  #worn = new Map();

  constructor(layout, geometry, faces, label) {
    this.#faces = faces;
    this.grid = gridElement(layout, geometry, label);
    this.#build(layout, geometry);
    this.hold(0);
  }

  show(cells) {
    for (const cell of cells) {
      const node = this.#nodes[cell];
      dress(node, this.#faces, cell);
      node.setAttribute("aria-label", this.#faces.words(cell));
    }
  }

  fit() {}

  wear(name, cells) {
    for (const cell of this.#worn.get(name) ?? []) this.#nodes[cell].classList.remove(name);
    for (const cell of cells) this.#nodes[cell].classList.add(name);
    this.#worn.set(name, cells);
  }

  node(cell) {
    return this.#nodes[cell];
  }

  hold(cell) {
    this.#nodes[this.#held].tabIndex = -1;
    this.#nodes[cell].tabIndex = 0;
    this.#held = cell;
  }

  find(event) {
    const node = event.target.closest(".cell");
    return node ? Number(node.dataset.cell) : null;
  }

  close() {}

  /** Build all cells from one string and then place them. Styles are set one by one, since the page's
   *  security policy allows no style attributes in HTML. */
  #build(layout, geometry) {
    const cell = (at, column) =>
      `<div class="cell covered" role="gridcell" tabindex="-1" aria-colindex="${column + 1}" ` +
      `data-cell="${at}" aria-label="${this.#faces.words(at)}"></div>`;
    this.grid.innerHTML = layout.rows
      .map((row, y) => `<div role="row" aria-rowindex="${y + 1}">${row.map(cell).join("")}</div>`)
      .join("");
    layout.rows.forEach((row, y) => {
      const line = this.grid.children[y];
      const heights = row.map((at) => layout.centres[at][1]);
      const level = Math.min(...heights);
      line.style.top = `${level + geometry.top}em`;
      line.style.height = `${geometry.tall + Math.max(...heights) - level}em`;
      row.forEach((at, x) => {
        const node = line.children[x];
        const before = x ? geometry.corner(row[x - 1])[0] + 1 : 0;
        const gap = geometry.corner(at)[0] - before;
        if (Math.abs(gap) > 1e-9) node.style.marginLeft = `${gap}em`;
        if (heights[x] !== level) node.style.marginTop = `${heights[x] - level}em`;
        this.#nodes[at] = node;
      });
    });
  }
}
