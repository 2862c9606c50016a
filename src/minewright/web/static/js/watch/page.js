// The Watch page: one or two strategies play the same board, turn by turn, and give their reasons.

import { get, post } from "../shared/api.js";
import { zoomControl } from "../board/board.js";
import { share as shareLink } from "../shared/copying.js";
import { Film } from "./film.js";
import { Lane } from "./lane.js";
import { PlayerForm } from "./player.js";
import { pref, setPref } from "../shared/prefs.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";
import {
  NO_SEED,
  SEED,
  STARTS,
  address as playAddress,
  capital,
  readSeed,
  size,
  topologyName,
} from "../shared/words.js";

const SLOWEST = 0.3;
const FASTEST = 30;
const DEFAULT = { board: "16x16x40", topology: "moore", start: "open", one: "exact" };
const SEEDS = 2 ** 32;

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

let meta = null;
let lanes = [];
let at = 0;
let timer = null;
let asking = null;

// Transport

const button = (text, label, act) =>
  el("button.button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
const playing = el(
  "button.button.primary.play",
  { type: "button", onclick: () => toggle() },
  "Play",
);
const scrub = el("input", {
  type: "range",
  min: 0,
  max: 0,
  value: 0,
  "aria-label": "Turn",
  oninput: () => seek(Number(scrub.value)),
});
const counter = el("output.count");
const pace = el("input", {
  type: "range",
  min: 0,
  max: 100,
  value: pref("watch.speed", "35"),
  "aria-label": "Speed",
  oninput: () => changeSpeed(),
});
const paceWords = el("small");
const transport = el(
  "div.transport.panel",
  { role: "group", "aria-label": "Playback" },
  el(
    "div.buttons",
    {},
    button("«", "Start", () => seek(0)),
    button("‹", "Previous turn", () => seek(at - 1)),
    playing,
    button("›", "Next turn", () => seek(at + 1)),
    button("»", "End", () => seek(Infinity)),
  ),
  el("label.scrub", {}, scrub, counter),
  el("label.pace", {}, el("span", {}, "Speed"), pace, paceWords),
);

const home = el("div.lanes");
const all = { zoom: (to) => lanes.forEach(({ board }) => board.zoom(to)) };
const stage = el(
  "section.watching.waiting",
  { "aria-label": "Games" },
  home,
  transport,
  zoomControl(() => all),
);

// The form

const boards = el("select", { name: "preset", "aria-label": "Board" });
const custom = el("input", {
  name: "board",
  "aria-label": "Width, height and mines",
  placeholder: "30x16x99",
  maxlength: 60,
  autocomplete: "off",
  spellcheck: "false",
});
const topologies = el("select", { name: "topology" });
const starts = el("select", { name: "start" });
const seed = el("input", {
  name: "seed",
  inputmode: "numeric",
  pattern: SEED,
  autocomplete: "off",
});
const beside = el("input", { type: "checkbox", role: "switch", onchange: () => showSecond() });
const one = new PlayerForm("Player");
const two = new PlayerForm("Second player");
const form = el(
  "form.panel.choices",
  {
    "aria-label": "What to watch",
    onsubmit: (event) => event.preventDefault(),
    onchange: () => watch(),
  },
  el("label.field", {}, el("span", {}, "Board"), boards),
  el("label.field", { hidden: true }, el("span", {}, "Width, height, mines"), custom),
  el(
    "div.pair",
    {},
    el("label.field", {}, el("span", {}, "Topology"), topologies),
    el("label.field", {}, el("span", {}, "Start"), starts),
  ),
  el("label.field", {}, el("span", {}, "Seed"), seed),
  el("hr"),
  one.node,
  el(
    "label.switch",
    {},
    el(
      "span",
      {},
      "Two side by side",
      el("small", {}, "on the same mines, apart from what the start rule clears"),
    ),
    beside,
  ),
  two.node,
  el("hr"),
  el(
    "div.cluster",
    {},
    el(
      "button.button.primary.small",
      { type: "button", onclick: () => another() },
      "Another board",
    ),
    el("button.button.quiet.small", { type: "button", onclick: () => share() }, "Share"),
    el("a.button.quiet.small", {}, "Play this board"),
  ),
);
const playIt = form.querySelector("a.button");

main.append(el("h1.visually-hidden", {}, "Watch strategies play"), el("div.page", {}, stage, form));

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
}

function fillForm(players) {
  fill(boards, [
    ...meta.presets.map((preset) => [preset.board, `${capital(preset.name)}: ${size(preset)}`]),
    ["", "Custom…"],
  ]);
  fill(
    topologies,
    meta.topologies.map(({ name }) => [name, topologyName(name)]),
  );
  fill(
    starts,
    meta.starts.map(({ name }) => [name, STARTS[name] ?? name]),
  );
  one.fill(players);
  two.fill(players);
}

/** Fill the form from an address. */
function write(want) {
  const known = meta.presets.some(({ board }) => board === want.board);
  boards.value = known ? want.board : "";
  custom.value = want.board;
  topologies.value = want.topology;
  starts.value = want.start;
  seed.value = want.seed;
  one.write(want.one, want.guesser, want.first);
  beside.checked = Boolean(want.two);
  two.write(want.two || "single-point", want.guesser2, want.first2);
  showSecond();
}

/** Read the form. */
function read() {
  custom.closest("label").hidden = boards.value !== "";
  explainStart();
  if (boards.value) custom.value = boards.value;
  const want = {
    board: custom.value.trim(),
    topology: topologies.value,
    start: starts.value,
    seed: String(readSeed(seed.value) ?? randomSeed()),
    ...one.read(),
  };
  if (beside.checked) {
    const { one: strategy, guesser, first } = two.read();
    Object.assign(want, { two: strategy, guesser2: guesser, first2: first });
  }
  return want;
}

/** Explain the start rule in a tooltip. */
function explainStart() {
  starts.title = meta.starts.find(({ name }) => name === starts.value)?.summary ?? "";
}

function showSecond() {
  two.node.hidden = !beside.checked;
}

function randomSeed() {
  return Math.floor(Math.random() * SEEDS);
}

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
  const said = Object.entries({ ...want, turn: at || "" }).filter(
    ([, value]) => value !== "" && value !== undefined,
  );
  return `/watch?${new URLSearchParams(said)}`;
}

function remember() {
  if (lanes.length) history.replaceState(null, "", address(read()));
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

async function watch(turn = 0) {
  const want = read();
  if (seed.value && readSeed(seed.value) === null) toast(`${NO_SEED}. Here is another board instead.`);
  seed.value = want.seed;
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  stage.setAttribute("aria-busy", "true");
  try {
    const asked = [question(want, want.one, want.guesser, want.first)];
    if (want.two) asked.push(question(want, want.two, want.guesser2, want.first2));
    const games = await Promise.all(asked.map((body) => post("/api/watch", body, { signal })));
    await show(
      games.map((game) => new Film(game)),
      turn,
    );
    playIt.href = playAddress({ ...want, mode: "ordinary" });
  } catch (error) {
    report(error);
  } finally {
    if (!signal.aborted) stage.removeAttribute("aria-busy");
  }
}

async function show(films, turn) {
  const went = timer !== null;
  pause();
  while (lanes.length > films.length) lanes.pop().node.remove();
  while (lanes.length < films.length) {
    lanes.push(new Lane("Player", pause));
    home.append(lanes.at(-1).node);
  }
  home.dataset.lanes = lanes.length;
  stage.classList.remove("waiting");
  await Promise.all(lanes.map((lane, number) => lane.load(films[number])));
  at = -1;
  seek(turn);
  if (went && turn === 0) play();
}

function another() {
  seed.value = String(randomSeed());
  watch();
}

// Playing

function length() {
  return Math.max(0, ...lanes.map(({ film }) => film?.length ?? 0));
}

function seek(to) {
  const end = length();
  at = Math.max(0, Math.min(to, end));
  for (const lane of lanes) lane.show(at);
  scrub.max = end;
  scrub.value = at;
  scrub.setAttribute("aria-valuetext", at < end ? `turn ${at + 1} of ${end}` : "the end");
  counter.textContent = at < end ? `${at + 1} / ${end}` : "end";
  if (at === end) pause();
  if (!timer) remember();
}

/** Turns per second; the slider is logarithmic. */
function speed() {
  return SLOWEST * (FASTEST / SLOWEST) ** (Number(pace.value) / 100);
}

function changeSpeed() {
  const now = speed();
  paceWords.textContent = now < 10 ? `${now.toFixed(1)} turns/s` : `${now.toFixed(0)} turns/s`;
  pace.setAttribute("aria-valuetext", `${now.toFixed(1)} turns per second`);
  setPref("watch.speed", pace.value);
}

function play() {
  if (at >= length()) seek(0);
  const next = () => {
    timer = setTimeout(next, 1000 / speed());
    seek(at + 1);
  };
  timer = setTimeout(next, 1000 / speed());
  showPlaying();
}

function pause() {
  clearTimeout(timer);
  timer = null;
  showPlaying();
}

function toggle() {
  if (timer) {
    pause();
    remember();
  } else {
    play();
  }
}

function showPlaying() {
  playing.textContent = timer ? "Pause" : "Play";
  // A single step is read aloud; a running game would never stop talking.
  for (const { telling } of lanes) telling.setAttribute("aria-live", timer ? "off" : "polite");
}

const KEYS = {
  p: toggle,
  j: () => seek(at - 1),
  l: () => seek(at + 1),
  n: another,
  home: () => seek(0),
  end: () => seek(Infinity),
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
  const [all, players] = await Promise.all([get("/api/meta"), get("/api/watch/players")]);
  meta = all;
  fillForm(players);
  changeSpeed();
  const want = wanted();
  write(want);
  await watch(Number(want.turn) || 0);
  if (!lanes.length) {
    // An address with an impossible game still leads to some game.
    write({ ...DEFAULT, seed: String(randomSeed()) });
    await watch();
  }
}

load().catch(report);
