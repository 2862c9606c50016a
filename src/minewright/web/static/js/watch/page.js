// The Watch page: one or two strategies play the same board, turn by turn, and give their reasons.

import { zoomControl } from "../board/board.js";
import { get, layout, post } from "../shared/api.js";
import { announced } from "../shared/connection.js";
import { share as shareLink } from "../shared/copying.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";
import { NO_SEED, address as playAddress, readSeed } from "../shared/words.js";
import { Film } from "./film.js";
import { WatchForm, randomSeed } from "./form.js";
import { Lane } from "./lane.js";
import { Playback } from "./playback.js";

const DEFAULT = { board: "16x16x40", topology: "moore", start: "open", one: "exact" };

const main = shell({
  page: "/watch",
  moves: false,
  keys: [
    ["P", "play or pause"],
    ["J, L", "previous turn, next turn"],
    ["Home, End", "start, end"],
    ["N", "another board"],
  ],
});

let lanes = [];
/** What the games on the page were asked for with; the form may be ahead of it. */
let watched = null;
let asking = null;
/** Whether the visitor has asked for a game; the first one comes without asking. */
let chosen = false;

const playback = new Playback({
  length: () => Math.max(0, ...lanes.map(({ film }) => film?.length ?? 0)),
  show: (turn) => lanes.forEach((lane) => lane.show(turn)),
  stopped: () => remember(),
  // A single step is read aloud; a running game would never stop talking.
  playing: (is) =>
    lanes.forEach(({ telling }) => telling.setAttribute("aria-live", is ? "off" : "polite")),
});
const form = new WatchForm({ changed: () => watch(), another, share });
// Nothing can be chosen before there is something to choose from.
form.node.inert = true;
const home = el("div.lanes");
const all = { zoom: (to) => lanes.forEach(({ board }) => board.zoom(to)) };
const stage = el(
  "section.watching.waiting",
  { "aria-label": "Games" },
  home,
  playback.node,
  zoomControl(() => all),
);
main.append(
  el("h1.visually-hidden", {}, "Watch strategies play"),
  el("div.page", {}, stage, form.node),
);

// The address

function wanted() {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  return {
    ...DEFAULT,
    seed: String(randomSeed()),
    guesser: "",
    first: "",
    guesser2: "",
    first2: "",
    ...query,
  };
}

function address(want) {
  const said = Object.entries({ ...want, turn: playback.at || "" }).filter(
    ([, value]) => value !== "" && value !== undefined,
  );
  return `/watch?${new URLSearchParams(said)}`;
}

function remember() {
  if (watched) history.replaceState(null, "", address(watched));
}

async function share() {
  remember();
  await shareLink(
    location.href,
    "Minesweeper: watch these games",
    "Link copied. It shows the same games at this turn.",
  );
}

// Asking

function question(want, strategy, guesser, first) {
  const { board, topology, start } = want;
  return {
    board,
    topology,
    start,
    seed: Number(want.seed),
    strategy,
    guesser: guesser ?? "",
    first: first ?? "",
  };
}

async function watch() {
  chosen = true;
  await ask().catch(report);
}

async function ask(turn = 0) {
  const want = form.read();
  if (form.seed && readSeed(form.seed) === null) toast(`${NO_SEED}. Here is another board instead.`);
  form.seed = want.seed;
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  stage.setAttribute("aria-busy", "true");
  try {
    const asked = [question(want, want.one, want.guesser, want.first)];
    if (want.two) asked.push(question(want, want.two, want.guesser2, want.first2));
    const games = await Promise.all(asked.map((body) => post("/api/watch", body, { signal })));
    // Those who wait for a drawing must not show a game that is no longer wanted.
    await Promise.all(games.map(({ topology, shape }) => layout(topology, shape)));
    if (signal.aborted) return;
    await show(
      want,
      games.map((game) => new Film(game)),
      turn,
    );
    form.offer(playAddress({ ...want, mode: "ordinary" }));
  } catch (error) {
    if (watched && !signal.aborted) form.write(watched);
    throw error;
  } finally {
    if (!signal.aborted) stage.removeAttribute("aria-busy");
  }
}

async function show(want, films, turn) {
  const went = playback.running;
  playback.pause();
  while (lanes.length > films.length) lanes.pop().close();
  while (lanes.length < films.length) {
    lanes.push(new Lane("Player", () => playback.pause()));
    home.append(lanes.at(-1).node);
  }
  home.dataset.lanes = lanes.length;
  stage.classList.remove("waiting");
  await Promise.all(lanes.map((lane, number) => lane.load(films[number])));
  watched = want;
  playback.seek(turn);
  if (went && turn === 0) playback.play();
}

function another() {
  if (form.node.inert) return;
  form.seed = String(randomSeed());
  watch();
}

const KEYS = {
  p: () => playback.toggle(),
  j: () => playback.seek(playback.at - 1),
  l: () => playback.seek(playback.at + 1),
  n: another,
  home: () => playback.seek(0),
  end: () => playback.seek(Infinity),
};

addEventListener("keydown", (event) => {
  const act = KEYS[event.key.toLowerCase()];
  const elsewhere =
    typing(event) || document.querySelector("dialog:modal") || event.target.closest?.(".board");
  if (!act || event.ctrlKey || event.metaKey || event.altKey || elsewhere) return;
  event.preventDefault();
  act();
});

async function load() {
  const connection = announced(main);
  form.fill(...(await connection.patiently(() => Promise.all([get("/api/meta"), get("/api/watch/players")]))));
  const want = wanted();
  form.write(want);
  form.node.inert = false;
  // While this waits for the server, the visitor may ask for another game.
  const first = (turn) => connection.patiently(async () => chosen || ask(turn)).catch(report);
  await first(Number(want.turn) || 0);
  if (!lanes.length && !chosen) {
    // An address with an impossible game still leads to some game.
    form.write({ ...DEFAULT, seed: String(randomSeed()) });
    await first();
  }
}

load().catch(report);
