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

/** Whether a game is over, by its state. */
export function over({ state }) {
  return !["ready", "playing"].includes(state);
}

/** The address of a game: board, topology, start rule, and the seed once the player may know it. */
export function address({ mode, board, topology, start, seed }) {
  const first = mode === "ordinary" ? {} : { mode };
  const last = seed === null ? {} : { seed };
  return `/?${new URLSearchParams({ ...first, board, topology, start, ...last })}`;
}

/** What a field for a seed takes. */
export const SEED = "[0-9]{1,16}";

/** Read a seed; null if it is none. */
export function readSeed(text) {
  const seed = new RegExp(`^${SEED}$`).test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(seed) ? seed : null;
}

export const NO_SEED = `A seed is a number from 0 to ${Number.MAX_SAFE_INTEGER}`;
