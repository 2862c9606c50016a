// What stands beside the cells: a caption over each layer of a box, and rulers along a flat board.

import { pref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** Room for captions above the cells, in cells. */
export const HEAD = 0.9;

/** The layers of a box: what to call each, and where it begins. */
export function layers(layout) {
  const found = new Map();
  layout.coordinates?.forEach((place, cell) => {
    const outer = place.slice(0, -2);
    if (!outer.length || found.has(outer.join())) return;
    const names = ["block", "layer"].slice(-outer.length);
    const name = outer.map((at, axis) => `${names[axis]} ${at + 1}`).join(", ");
    const [x, y] = layout.centres[cell];
    found.set(outer.join(), { name: capital(name), x, y });
  });
  return [...found.values()];
}

export function captions(layout) {
  return layers(layout).map(({ name, x, y }) =>
    el(
      "span.caption",
      { "aria-hidden": "true", style: { left: `${x - 0.5}em`, top: `${y - 0.5 - HEAD}em` } },
      el("span", {}, name),
    ),
  );
}

/** Rulers that stay in sight while the board scrolls; none unless they are wanted and the board is flat. */
export function rulers(layout) {
  if (pref("rulers", "off") !== "on" || layers(layout).length) return [];
  const first = layout.rows[0];
  const mark = (number, style) => el("span", { style }, `${number + 1}`);
  const along = (name, size, marks) =>
    el(`div.ruler.${name}`, { "aria-hidden": "true", style: size }, marks);
  return [
    el("div.ruler.corner", { "aria-hidden": "true" }),
    along(
      "columns",
      { width: `${layout.width}em` },
      first.map((cell, at) => mark(at, { left: `${layout.centres[cell][0] - 0.5}em` })),
    ),
    along(
      "rows",
      { height: `${layout.height}em` },
      layout.rows.map((row, at) => mark(at, { top: `${layout.centres[row[0]][1] - 0.5}em` })),
    ),
  ];
}
