// How an element gets the look of a cell.

import { MARKED, MINED } from "./cells.js";

/** Dress a node as a cell: its class, a number of two digits, and how full it is. */
export function dress(node, faces, cell) {
  const code = faces.code(cell);
  if (code > 8 && code < MINED) node.dataset.number = code;
  const classes = faces.classes(cell);
  if (node.className !== classes) node.className = classes;
  // An open cell shows no level, so the old one may stay.
  if (code < MARKED) return;
  const level = faces.level(cell);
  if (level === undefined) node.style.removeProperty("--p");
  else node.style.setProperty("--p", level);
}
