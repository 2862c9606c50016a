// A Bullets puzzle drawn as SVG: the same for the board, the strip and the printed sheet.
//
//   draw(puzzle, layout, {marks, clues, fresh, label, numbered})   a still picture: an <svg>
//
// `puzzle` is the server's PuzzleView, `layout` the answer of GET /api/layout. A numbered picture shows the
// numbers of rows and columns, by which sentences name cells.

import { shape } from "../shared/element.js";

/** @typedef {"." | "o" | "/"} Mark */
/** @typedef {{cells: number[], around: Record<string, number[]>, bullets: number}} PuzzleView */

export const BULLET = "o";
export const SLASH = "/";
export const NONE = ".";

const MOST_NUMBER = 251;
/** The side of a cell in the picture's units; browsers draw dashes and text badly below one unit. */
const UNIT = 32;
/** The margin around the cells, without and with numbers, in cells. */
const EDGE = 0.08;
const RULER = 0.5;

export function isClue(puzzle, cell) {
  return puzzle.cells[cell] <= MOST_NUMBER;
}

/** The picture of a mark, or nothing. */
export function sign(mark) {
  if (mark === BULLET) return [shape("circle", { class: "bullet", r: 8.6 })];
  if (mark === SLASH) return [shape("path", { class: "slash", d: "M-8.6 8.6 8.6 -8.6" })];
  return [];
}

/** One cell: its tile, a frame to tint it by, and its number or mark. */
export function tile(puzzle, layout, cell, mark) {
  const [x, y] = layout.centres[cell].map((at) => at * UNIT);
  const corners = (scale) => layout.outline.map((point) => point.map((at) => at * UNIT * scale).join()).join(" ");
  const group = shape("g", { class: "spot", transform: `translate(${x} ${y})` });
  group.append(shape("polygon", { class: "tile", points: corners(1) }));
  if (isClue(puzzle, cell)) {
    group.classList.add("number");
    group.append(shape("text", { y: 6.7 }, String(puzzle.cells[cell])));
  } else {
    group.append(...sign(mark));
  }
  group.append(shape("polygon", { class: "frame", points: corners(0.84) }));
  return group;
}

/** How many cells wide and high a picture is. */
export function extent(layout, numbered = true) {
  const ruler = numbered ? RULER : EDGE;
  return [layout.width + ruler + EDGE, layout.height + ruler + EDGE];
}

/** An empty picture of the right size. */
export function paper(layout, numbered = true) {
  const from = -(numbered ? RULER : EDGE);
  const box = [from, from, ...extent(layout, numbered)].map((at) => at * UNIT);
  const svg = shape("svg", { class: "paper", viewBox: box.join(" ") });
  if (numbered) svg.append(ruler(layout));
  return svg;
}

/** The numbers of columns and rows. */
function ruler(layout) {
  const number = (at, x, y) => shape("text", { x, y }, String(at + 1));
  const across = layout.rows[0].map((cell, at) => number(at, layout.centres[cell][0] * UNIT, -0.16 * UNIT));
  const down = layout.rows.map((row, at) => number(at, -0.27 * UNIT, (layout.centres[row[0]][1] + 0.1) * UNIT));
  return shape("g", { class: "ruler", "aria-hidden": "true" }, ...across, ...down);
}

/** A still picture of a puzzle; `clues` are outlined, `fresh` marks stand out. */
export function draw(puzzle, layout, { marks = [], clues = [], fresh = [], label = "Puzzle", numbered = true } = {}) {
  const svg = paper(layout, numbered);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const tints = [[new Set(clues), "used"], [new Set(fresh), "fresh"]];
  for (let cell = 0; cell < layout.size; cell++) {
    const group = tile(puzzle, layout, cell, marks[cell]);
    for (const [cells, name] of tints) group.classList.toggle(name, cells.has(cell));
    svg.append(group);
  }
  return svg;
}
