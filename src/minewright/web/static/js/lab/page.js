// The Lab page: the runs in the lab directory, live, and the figures of one run.

import { get } from "../shared/api.js";
import { dots } from "./dots.js";
import { clock, el, report, shell } from "../shared/shell.js";
import { capital, counted } from "../shared/words.js";

/** Milliseconds between two requests for the figures of a run in progress. */
const REST = 2000;
const RETRY = 30_000;
const STATES = {
  complete: "complete",
  playing: "running",
  stopped: "stopped",
  broken: "unreadable",
};

const main = shell({ page: "/lab", moves: false });

let runs = [];
/** The run that the address asks for; without one, the first that can be read is shown. */
let chosen = asked();
let shown = "";
let fetched = 0;
let waiting = null;
let asking = null;

const connection = el("span.note.connection", { role: "status" }, "connecting…");
const directory = el("h2", {}, "Runs");
const list = el("ul.runs");
const aside = el(
  "section.stack",
  { "aria-label": "Runs" },
  el("header.cluster", {}, directory, connection),
  list,
);
const figures = el("section.figures", { "aria-label": "Figures" });
main.append(el("div.lab", {}, aside, figures));

// The address

/** The run that the address names, or null. */
function asked() {
  return new URLSearchParams(location.search).get("run");
}

function address(name) {
  return `/lab?run=${encodeURIComponent(name)}`;
}

// Words

const number = (value) => value.toLocaleString("en");

/** How long ago a time was, in words. */
function ago(time) {
  const seconds = Math.max(0, Date.now() / 1000 - time);
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [name, size] = units.find(([, size]) => seconds >= size) ?? [null, 1];
  if (!name) return "just now";
  return `${counted(Math.floor(seconds / size), name)} ago`;
}

/** The state of a run in words; a duel may be decided before all games are played. */
function word({ state, played, games }) {
  return state === "complete" && played < games ? "decided" : STATES[state];
}

/** The pace of a run, and how long it still takes. */
function left({ state, games, played, per_second: pace }) {
  if (state !== "playing" || !pace) return null;
  return `${number(Math.round(pace))} games/s, ${clock((games - played) / pace)} left`;
}

// The list

function card(run) {
  const done = run.games ? run.played / run.games : 0;
  const link = el(
    "a",
    {
      href: address(run.name),
      "aria-current": run.name === chosen ? "true" : null,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        choose(run.name, true);
      },
    },
    el(
      "div.cluster",
      {},
      el("strong", {}, run.title),
      el("span.chip", { "data-state": run.state }, word(run)),
    ),
    run.problem ? el("span.note", {}, run.problem) : el("div.progress", { style: { "--p": done } }),
    run.problem
      ? null
      : el(
          "span.note",
          {},
          `${number(run.played)} of ${number(run.games)} games · ${left(run) ?? ago(run.heard)}`,
        ),
    run.title === run.name ? null : el("span.note", {}, run.name),
  );
  link.dataset.run = run.name;
  return el("li", {}, link);
}

function showList() {
  const focused = document.activeElement?.dataset?.run;
  list.replaceChildren(...runs.map(card));
  if (focused)
    [...list.querySelectorAll("a")].find((link) => link.dataset.run === focused)?.focus();
}

function heard(answer) {
  runs = answer.runs;
  directory.textContent = `Runs in ${answer.directory || "the lab"}`;
  if (answer.more) directory.textContent += `, and ${answer.more} more`;
  if (!runs.length) {
    chosen = null;
    showList();
    empty();
    return;
  }
  if (chosen === null) {
    chosen = first();
    // Back must return to this run, even if another one is first by then.
    history.replaceState(null, "", address(chosen));
  }
  showChosen();
}

/** The name of the first run that can be read; if there is none, of the first. */
function first() {
  return (runs.find(({ state }) => state !== "broken") ?? runs[0]).name;
}

function showChosen() {
  showList();
  if (runs.some(({ name }) => name === chosen)) refresh();
  else missing();
}

/** Say that the address asks for a run that is not there. */
function missing() {
  shown = "";
  figures.replaceChildren(
    el("h1", {}, "No such run"),
    el("p", {}, `There is no run called ${chosen} here. Choose one from the list.`),
  );
}

function choose(name, push) {
  chosen = name;
  clearTimeout(waiting);
  waiting = null;
  if (push && name !== asked()) history.pushState(null, "", address(name));
  shown = "";
  fetched = 0;
  showChosen();
  // On a phone the figures are far below the list.
  if (push && matchMedia("(max-width: 61.99rem)").matches) figures.scrollIntoView();
}

addEventListener("popstate", () => {
  if (runs.length) choose(asked() ?? first(), false);
  else chosen = asked();
});

// The figures

/** Fetch the figures again if the run has changed. */
function refresh() {
  const run = runs.find(({ name }) => name === chosen);
  const now = JSON.stringify(run);
  if (!run || now === shown || waiting) return;
  const rest = fetched + REST - performance.now();
  waiting = setTimeout(
    async () => {
      waiting = null;
      fetched = performance.now();
      shown = now;
      await show(run);
      refresh();
    },
    fetched ? Math.max(0, rest) : 0,
  );
}

async function show(run) {
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await get(`/api/lab/runs/${encodeURIComponent(run.name)}`, {
      signal: asking.signal,
    });
    if (run.name === chosen) draw(answer);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (error.name !== "Problem") report(error);
    // Without an answer the figures are asked for again.
    if (error.status === 0) shown = "";
    figures.replaceChildren(
      el("h1", {}, run.title),
      el("div.panel", {}, el("p", {}, capital(error.message))),
    );
  }
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

function draw(run) {
  const { about } = run;
  const scrolls = [...figures.querySelectorAll(".scroll")].map((node) => node.scrollLeft);
  figures.replaceChildren(
    el(
      "header.cluster",
      {},
      el("h1", {}, run.title),
      el("span.chip", { "data-state": run.state }, word(run)),
    ),
    el("div.progress", {
      style: { "--p": run.played / run.games },
      role: "progressbar",
      "aria-label": "Games played",
      "aria-valuenow": run.played,
      "aria-valuemax": run.games,
    }),
    el(
      "dl.facts",
      {},
      fact("Games", `${number(run.played)} of ${number(run.games)}`),
      fact("Seed", String(run.seed)),
      run.per_second ? fact("Games per second", number(run.per_second)) : null,
      run.state === "playing"
        ? fact("Left", left(run)?.split(", ")[1].replace(" left", "") ?? "–")
        : null,
      fact("Started", about.began.slice(0, 16).replace("T", " ")),
      fact("Version", about.minewright),
    ),
    ...verdict(run),
    ...players(run),
    ...comparisons(run),
    ...safety(run),
  );
  figures.querySelectorAll(".scroll").forEach((node, at) => (node.scrollLeft = scrolls[at] ?? 0));
}

function verdict(run) {
  if (!run.verdict) return [];
  return [
    el(
      "div.panel.verdict",
      {},
      el("strong", {}, run.verdict),
      run.notes.map((note) => el("p.note", {}, note)),
    ),
  ];
}

function players(run) {
  if (!run.players.rows.length)
    return [el("div.panel", {}, el("p", {}, "No results yet. They arrive every few seconds."))];
  const file = `/api/lab/runs/${encodeURIComponent(run.name)}/plot.svg`;
  const plot = run.shares.length
    ? el(
        "div.panel",
        {},
        el("h2", {}, "Games won, with 95% intervals"),
        dots(run.shares, run.titles),
        run.plot
          ? el("a.note", { href: file, download: "won.svg" }, "Download the plot (SVG)")
          : null,
      )
    : null;
  const rows = el(
    "div.panel",
    {},
    el("h2", {}, "Players"),
    table(run.players, "Players", run.titles),
    el(
      "p.note",
      {},
      "Cleared and found: the share of safe cells opened, and of mines found. Guesses: per game, then per game won and per game lost. CPU ms: the processor time per game.",
    ),
  );
  return [plot, rows].filter(Boolean);
}

function comparisons(run) {
  if (!run.comparisons.rows.length) return [];
  return [
    el(
      "div.panel",
      {},
      el("h2", {}, "Side by side, game by game"),
      table(run.comparisons, "Side by side", run.titles),
      el(
        "p.note",
        {},
        "p is the chance that two equal players would split their games at least this unevenly (McNemar's exact test); the difference says how large the effect is.",
      ),
    ),
  ];
}

function safety(run) {
  if (!run.safety.length) return [];
  return [
    el(
      "div.panel",
      {},
      el("h2", {}, "By safety: luck taken out"),
      run.safety.map((found, at) =>
        table(found, at ? "Side by side, by safety" : "Players, by safety", run.titles),
      ),
      el(
        "p.note",
        {},
        "The safety of a game is the chance to survive all its risks; its mean is the win rate. The always-valid interval holds however often you look.",
      ),
    ),
  ];
}

/** The column that this one is shown below, in small print: a board below its player, an interval below its figure. */
function below(name, at) {
  if (name === "board") return 0;
  return name === "95% interval" ? at - 1 : null;
}

/** The columns that name a player. */
const NAMES = ["player", "first", "second"];

/** @param {Object<string, string>} titles what people call each player; its name is small print */
function table({ head, rows }, label, titles) {
  const numbers = head.indexOf("games");
  const columns = head
    .map((name, at) => ({ at, below: below(name, at) }))
    .filter((column) => column.below === null)
    .map(({ at }) => ({
      at,
      small: head.flatMap((name, other) => (below(name, other) === at ? [other] : [])),
    }));
  const cells = (kind, row, attributes) =>
    columns.map(({ at, small }) => {
      const title = kind === "td" && NAMES.includes(head[at]) ? titles[row[at]] : null;
      const named = head[at] === "player" && title && title.toLowerCase() !== row[at];
      const name = named ? el("small", {}, row[at]) : null;
      return el(
        at >= numbers ? `${kind}.number` : kind,
        attributes,
        title ?? row[at],
        name,
        small.map((other) => el("small", {}, row[other])),
      );
    });
  return el(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": label },
    el(
      "table.table",
      {},
      el("thead", {}, el("tr", {}, cells("th", head, { scope: "col" }))),
      el(
        "tbody",
        {},
        rows.map((row) => el("tr", {}, cells("td", row, {}))),
      ),
    ),
  );
}

function empty() {
  figures.replaceChildren(
    el("h1", {}, "Lab"),
    el(
      "div.panel.empty",
      {},
      el(
        "p",
        {},
        "No runs here yet. An experiment says who plays what, and how often. Start one in this directory and watch it here:",
      ),
      el(
        "pre",
        { tabindex: 0 },
        'strategies = ["exact", "single-point"]\nboards = ["9x9x10"]\ngames = 10000\nseed = 1',
      ),
      el("pre", {}, "minewright lab run FILE.toml"),
      el(
        "p.note",
        {},
        "To see runs in another directory, start ",
        el("code", {}, "minewright serve --lab DIR"),
        ".",
      ),
    ),
  );
}

// Live

function listen() {
  const events = new EventSource("/api/lab/events");
  const say = (on, text) => {
    connection.dataset.on = on;
    if (connection.textContent !== text) connection.textContent = text;
  };
  events.onopen = () => say(true, "live");
  events.onmessage = ({ data }) => heard(JSON.parse(data));
  events.onerror = () => {
    say(false, "not connected");
    if (events.readyState !== EventSource.CLOSED) return;
    // The server refused, perhaps because too many pages are listening.
    setTimeout(listen, RETRY);
  };
  addEventListener("pagehide", () => events.close(), { once: true });
}

addEventListener("pageshow", ({ persisted }) => persisted && listen());
setInterval(showList, 30_000);
get("/api/lab").then(heard).catch(report);
listen();
