// Which game is wanted: the one the address names, or one like the last.

import { get } from "../api.js";
import { switchesOff } from "../assistant.js";
import { pref, setPref } from "../prefs.js";
import { toast } from "../shell.js";

const PARTS = ["mode", "board", "topology", "start"];

/** What begins a game like this one, with other mines. */
export function settings(game) {
  return Object.fromEntries([...PARTS, "undo"].map((part) => [part, game[part]]));
}

export function remember(game) {
  setPref("settings", JSON.stringify(settings(game)));
}

export function remembered(meta) {
  const first = {
    mode: meta.modes[0].name,
    board: meta.presets.find(({ name }) => name === "beginner")?.board ?? "9x9x10",
    topology: "moore",
    start: "safe",
  };
  try {
    const kept = JSON.parse(pref("settings", "null"));
    if (typeof kept?.board === "string") return { ...first, ...kept };
  } catch {
    // Not ours any more: begin as if nothing were kept.
  }
  return first;
}

/** The parts of the assistant that were on last. */
export function switches() {
  try {
    return { ...switchesOff, ...JSON.parse(pref("assistant", "{}")) };
  } catch {
    return { ...switchesOff };
  }
}

/** Find the game to show: one of mine, which has an id, or what to begin. */
export async function find(meta) {
  const want = wanted(meta);
  const mine = await get("/api/games?limit=100");
  // Without an address it is the last game, if that is not over.
  const line = want
    ? mine.find((line) => [...PARTS, "seed"].every((part) => line[part] === want[part]))
    : mine.slice(0, 1).find(({ state }) => ["ready", "playing"].includes(state));
  return line ? get(`/api/games/${line.id}`) : (want ?? remembered(meta));
}

/** What the address says: board, topology, start rule, seed and mode. */
function wanted(meta) {
  const query = new URLSearchParams(location.search);
  const text = query.get("seed");
  const seed = text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
  const good = Number.isSafeInteger(seed);
  if (text !== null && !good) {
    const most = Number.MAX_SAFE_INTEGER;
    toast(`The link's seed is no number from 0 to ${most}: this is another game.`);
  }
  if (!query.has("board")) return good ? { ...remembered(meta), seed } : null;
  return {
    mode: query.get("mode") ?? meta.modes[0].name,
    board: query.get("board"),
    topology: query.get("topology") ?? "moore",
    start: query.get("start") ?? "safe",
    seed: good ? seed : null,
  };
}
