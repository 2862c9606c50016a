// The grid of a board: an element that holds its cells.

import { SHAPE } from "./geometry.js";

/** Make the grid, without cells. */
export function gridElement(layout, geometry, label) {
  const grid = document.createElement("div");
  grid.className = "board";
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", label);
  grid.setAttribute("aria-rowcount", layout.rows.length);
  grid.setAttribute("aria-colcount", Math.max(...layout.rows.map((row) => row.length)));
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
  return grid;
}
