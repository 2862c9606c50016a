// The words the page has for games, the same everywhere.

import { now } from "./time.js";

const TOPOLOGIES = {
  moore: "Square",
  neumann: "Four neighbours",
  hex: "Hexagons",
  torus: "Torus",
  knight: "Knight's moves",
  box: "Box",
};
const MODES = { "safe-bet": "Safe bet", minebot: "With MineBot" };
export const STARTS = { any: "Any", safe: "Safe", open: "Open" };

export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A name within a sentence. */
export function small(word) {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** A number with its noun: "1 mine", "1,200 mines". */
export function counted(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** A board in words: "30×16, 99 mines". */
export function size({ board }) {
  const sides = board.split("x");
  const mines = Number(sides.pop());
  return `${sides.join("×")}, ${counted(mines, "mine")}`;
}

export function topologyName(name) {
  return TOPOLOGIES[name] ?? capital(name);
}

/** A mode in words, with its level: "No-guess", "No-guess, easy". */
export function modeName(name) {
  const [mode, level] = name.split(":");
  const words = MODES[mode] ?? capital(mode);
  return level ? `${words}, ${level}` : words;
}

/** Whether a game is over. */
export function over({ state }) {
  return !["ready", "playing"].includes(state);
}

/** The address of a game: its settings, and its seed once the player may know it. */
export function address({ mode, board, topology, start, seed, day }) {
  if (day) return `/?daily=${day}`;
  const first = mode === "ordinary" ? {} : { mode };
  const last = seed === null ? {} : { seed };
  return `/?${new URLSearchParams({ ...first, board, topology, start, ...last })}`;
}

/** The date of a day, as in 2026-01-31. */
export function iso(day) {
  const two = (number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

export function today() {
  return iso(now());
}

/** A date in words, with the year unless it is this year; `year` forces it. */
export function longDay(date, year = false, weekday = "long") {
  const [y, month, day] = date.split("-").map(Number);
  const form = { weekday, day: "numeric", month: "long" };
  if (year || y !== now().getFullYear()) form.year = "numeric";
  return new Date(y, month - 1, day).toLocaleDateString("en-GB", form).replace(",", "");
}

/** The pattern of a seed field. */
export const SEED = "[0-9]{1,16}";

/** Return the seed in a text, or null if there is none. */
export function readSeed(text) {
  const seed = new RegExp(`^${SEED}$`).test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(seed) ? seed : null;
}

export const NO_SEED = `The seed must be a whole number up to ${Number.MAX_SAFE_INTEGER.toLocaleString("en")}`;
