// Keys on a board: where a key leads from a cell, and what it does there.

/** Return the cell that a key moves to, or null if the key does not move. */
export function destination(event, from, layout, geometry) {
  const go = {
    ArrowUp: () => geometry.towards(from, 0, -1),
    ArrowDown: () => geometry.towards(from, 0, 1),
    ArrowLeft: () => geometry.towards(from, -1, 0),
    ArrowRight: () => geometry.towards(from, 1, 0),
    Home: () => (event.ctrlKey ? layout.rows[0] : geometry.row(from))[0],
    End: () => (event.ctrlKey ? layout.rows.at(-1) : geometry.row(from)).at(-1),
    PageUp: () => geometry.leap(from, -1),
    PageDown: () => geometry.leap(from, 1),
  }[event.key];
  return go ? go() : null;
}

const ACTS = { Enter: "primary", " ": "primary", f: "mark", m: "mark", c: "chord" };

/** Return what a key does to a cell: "primary", "mark", "chord", or undefined for nothing. */
export function deed(event) {
  if (event.ctrlKey) return undefined;
  return ACTS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
}
