// What a cell can show, what cells are called, and how a chance is written.

/** The codes above the numbers 0..251, as the server sends them. */
export const MINED = 252;
export const SAFE = 253;
export const MARKED = 254;
export const COVERED = 255;

const AXES = ["block", "layer", "row", "column"];

/** A probability as a percentage with one decimal: everywhere on the page, and in the server's sentences. */
export function percent(p) {
  if (p === 0 || p === 1) return `${100 * p}%`;
  const text = (100 * p).toFixed(1);
  // Only what is certain may look certain.
  if (text === "0.0") return "<0.1%";
  if (text === "100.0") return ">99.9%";
  return `${text}%`;
}

/** The names of a layout's cells as the library's sentences use them: rows and columns count from 1. */
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
