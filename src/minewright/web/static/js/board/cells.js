// What a cell can be, what cells are called, and how a chance is written.

/** Codes beyond the numbers 0..251, as the server sends them. */
export const MINED = 252;
export const SAFE = 253;
export const MARKED = 254;
export const COVERED = 255;

const AXES = ["block", "layer", "row", "column"];

/** A probability in words: exact enough to compare, short enough to read. */
export function percent(p, digits = 4) {
  if (p === 0 || p === 1) return `${100 * p}%`;
  const places = Math.max(0, digits - 2);
  const text = (100 * p).toFixed(places);
  // Only what is certain may look certain.
  if (Number(text) === 0) return `<${(10 ** -places).toFixed(places)}%`;
  if (Number(text) === 100) return `>${(100 - 10 ** -places).toFixed(places)}%`;
  return `${text}%`;
}

/** The names of a layout's cells, as sentences of the library name them: from 1. */
export function names(layout) {
  const places = layout.coordinates;
  if (places) {
    return places.map((at) => {
      const axes = AXES.slice(-at.length);
      return at.map((value, axis) => `${axes[axis]} ${value + 1}`).join(", ");
    });
  }
  const found = new Array(layout.size);
  layout.rows.forEach((row, y) =>
    row.forEach((cell, x) => (found[cell] = `row ${y + 1}, column ${x + 1}`)),
  );
  return found;
}
