// The elements of a board: a grid of cells, in place for eyes and screen readers.

import { SHAPE } from "./geometry.js";

/** Build the grid: {grid, nodes, ring}, with a node per cell and a ring around the cell with the focus.
 *
 *  All cells are built from one string and then placed. Styles are set one by one, since the page's
 *  security policy allows no style attributes in HTML. */
export function buildGrid(layout, geometry, label, words) {
  const grid = document.createElement("div");
  grid.className = "board";
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", label);
  grid.setAttribute("aria-rowcount", layout.rows.length);
  grid.setAttribute("aria-colcount", Math.max(...layout.rows.map((row) => row.length)));
  const cell = (at, column) =>
    `<div class="cell covered" role="gridcell" tabindex="-1" aria-colindex="${column + 1}" ` +
    `data-cell="${at}" aria-label="${words(at)}"></div>`;
  grid.innerHTML =
    layout.rows
      .map((row, y) => `<div role="row" aria-rowindex="${y + 1}">${row.map(cell).join("")}</div>`)
      .join("") + '<div class="ring" aria-hidden="true"></div>';

  grid.style.width = `${layout.width}em`;
  grid.style.height = `${layout.height}em`;
  grid.style.setProperty("--tall", `${geometry.tall}em`);
  if (!geometry.square) {
    grid.classList.add("shaped");
    grid.style.setProperty("--shape", geometry.shape(SHAPE));
    grid.style.setProperty("--rim", geometry.edge(0.97, 0.86));
    grid.style.setProperty("--edge", geometry.edge(0.97, 0.77));
    grid.style.setProperty("--edges", geometry.edge(0.97, 0.88, 0.8, 0.71));
  }
  return { grid, nodes: placeCells(grid, layout, geometry), ring: grid.lastElementChild };
}

function placeCells(grid, layout, geometry) {
  const nodes = new Array(layout.size);
  layout.rows.forEach((row, y) => {
    const line = grid.children[y];
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
      nodes[at] = node;
    });
  });
  nodes[0].tabIndex = 0;
  return nodes;
}
