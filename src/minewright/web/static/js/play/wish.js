// Which game is wanted: the one the address names, or one like the last.

import { get, post } from "../shared/api.js";
import { switchesOff } from "./levels.js";
import { pref, setPref } from "../shared/prefs.js";
import { toast } from "../shared/shell.js";
import { NO_SEED, readSeed } from "../shared/words.js";

const PARTS = ["mode", "board", "topology", "start"];

/** The settings of a game: they begin another like it, with new mines. */
export function settings(game) {
  const like = Object.fromEntries(PARTS.map((part) => [part, game[part]]));
  // A game of a day or a link may be without undo; that says nothing about the games after it.
  return { ...like, ...(game.day ? { mode: "no-guess" } : {}), undo: undoWanted() };
}

/** Whether the player wants undo. */
export function undoWanted() {
  return pref("undo", "on") === "on";
}

/** Keep the player's choice, which is made in the dialog only. */
export function wantUndo(on) {
  setPref("undo", on ? "on" : "off");
}

export function remember(game) {
  setPref("settings", JSON.stringify(settings(game)));
}

export function remembered(meta) {
  const first = {
    mode: meta.modes[0].name,
    board: meta.presets.find(({ name }) => name === "beginner")?.board ?? "9x9x10",
    topology: "moore",
    start: "open",
    undo: undoWanted(),
  };
  try {
    const kept = JSON.parse(pref("settings", "null"));
    // Undo is kept apart: older settings have that of whatever game was shown last.
    if (typeof kept?.board === "string") return { ...first, ...kept, undo: first.undo };
  } catch {
    // It cannot be read: begin as if nothing were kept.
  }
  return first;
}

/** The parts of the assistant that were switched on last. */
export function switches() {
  try {
    return { ...switchesOff, ...JSON.parse(pref("assistant", "{}")) };
  } catch {
    return { ...switchesOff };
  }
}

/** Begin a game, or go on with that of a day; return it. */
export function made({ daily, ...asked }) {
  if (daily) return post("/api/games/daily", { date: daily, assistant: switches() });
  return post("/api/games", { ...asked, assistant: switches() });
}

/** Find the game to show: one of mine, which has an id, or the settings of a new one. */
export async function find(meta) {
  const want = wanted(meta);
  const mine = await get("/api/games?limit=100");
  const line = mine.find((line) => line.id === history.state?.game) ?? meant(want, mine);
  if (line) {
    try {
      return await get(`/api/games/${line.id}`);
    } catch (error) {
      // Deleted meanwhile, or damaged: that keeps nobody from playing.
      if (error.status !== 404) throw error;
    }
  }
  return want ?? remembered(meta);
}

/** The game that an address means: the one with that seed, or else the last if it is unfinished. */
function meant(want, mine) {
  const like = (line) => PARTS.every((part) => line[part] === want[part]);
  if (want?.daily) return undefined;
  if (Number.isInteger(want?.seed)) return mine.find((line) => like(line) && line.seed === want.seed);
  return mine.slice(0, 1).find((line) => !line.settled && (!want || like(line)));
}

/** What the address says: board, topology, start rule, seed and mode. */
function wanted(meta) {
  const query = new URLSearchParams(location.search);
  if (query.has("daily")) return { daily: query.get("daily") };
  const seed = readSeed(query.get("seed") ?? "");
  if (query.has("seed") && seed === null) toast(`${NO_SEED}. Here is another game instead.`);
  if (!query.has("board")) return seed === null ? null : { ...remembered(meta), seed };
  return {
    mode: query.get("mode") ?? meta.modes[0].name,
    board: query.get("board"),
    topology: query.get("topology") ?? "moore",
    start: query.get("start") ?? "open",
    seed,
    // A link leads to a game without undo, unless the player has asked for it.
    undo: pref("undo") === "on",
  };
}
