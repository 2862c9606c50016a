// The words the page has for games: one for each thing, the same everywhere.

export const TOPOLOGIES = {
  moore: "Square",
  neumann: "Von Neumann",
  hex: "Hexagons",
  torus: "Torus",
  knight: "Knight",
  box: "Box",
};
export const STARTS = { any: "Any", safe: "Safe", open: "Open" };

export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A board in words: "30×16, 99 mines". */
export function size({ board }) {
  const sides = board.split("x");
  const mines = sides.pop();
  return `${sides.join("×")}, ${mines} ${mines === "1" ? "mine" : "mines"}`;
}

export function topologyName(name) {
  return TOPOLOGIES[name] ?? capital(name);
}

/** The address of a game: board, topology, start rule and seed, for all who want the same mines. */
export function address({ mode, board, topology, start, seed }) {
  const more = mode === "ordinary" ? {} : { mode };
  return `/?${new URLSearchParams({ ...more, board, topology, start, seed })}`;
}
