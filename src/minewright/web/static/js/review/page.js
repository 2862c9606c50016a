// The review page: a finished game move by move, its risks as a curve one can click.

import { get, layout as askLayout } from "../shared/api.js";
import { Board, COVERED, MINED, names, percent, zoomControl } from "../board/board.js";
import { link, writeText } from "../shared/position.js";
import { Curve } from "./curve.js";
import { el, report, seconds, shell, typing } from "../shared/shell.js";
import { size, topologyName } from "../shared/words.js";

const STATES = { won: "Won", lost: "Lost", "given up": "Given up" };
const SOON = 100;
/** What curve and controls take of the window's height. */
const BESIDE = 330;

const main = shell({
  page: "/review",
  moves: false,
  keys: [
    ["←, →", "the move before, the next move"],
    ["↑, ↓", "the risk before, the next risk"],
    ["Page Up, Page Down", "ten moves back, ten moves on"],
    ["Home, End", "the first move, the end"],
    ["D", "where the game was decided"],
  ],
});

let review = null;
let layout = null;
let board = null;
let cellNames = [];
/** The move looked at, from 1; one more than there are is the end. */
let at = 1;
let details = new Map();
let asking = new AbortController();
let waiting = 0;

// The parts of the page

const button = (words, act, kind = "", more = {}) =>
  el(`button.button${kind}`, { type: "button", onclick: act, ...more }, words);
const panel = (label, ...children) => el("section.panel", { "aria-label": label }, ...children);
const boardName = (game) =>
  game.topology === "moore" ? size(game) : `${size(game)} · ${topologyName(game.topology)}`;

const headline = el("h1", {}, "Review");
const verdict = el("p");
const progress = el("p.note", { role: "status", hidden: true });
const likely = el("p.note");
const facts = el("dl.facts");
const summary = panel("How it went", headline, verdict, likely, facts, progress);
summary.classList.add("summary");

const curve = new Curve((number) => go(number));
const back = button("‹", () => go(at - 1), ".icon", { "aria-label": "The move before" });
const on = button("›", () => go(at + 1), ".icon", { "aria-label": "The next move" });
const riskBack = button("Risk before", () => goRisk(-1), ".small");
const riskOn = button("Next risk", () => goRisk(1), ".small");
const decided = button("Decided here", () => go(review.decided), ".small");
const controls = el(
  "div.controls",
  {},
  el("div.cluster", {}, back, on),
  el("div.cluster", {}, riskBack, riskOn, decided),
);
const place = el("div.place");
const analyse = el("a.button.quiet.small", { href: "/analyse" }, "Analyse this position");
const under = el("div.controls", {}, zoomControl(() => board), analyse);
const stage = el(
  "section.stage",
  { "aria-label": "Game", hidden: true },
  el("div.panel.curve-panel", {}, curve.node, curve.legend),
  controls,
  place,
  under,
);

const moveTitle = el("h2");
const moveSays = el("p");
const risks = el("ol.bars.risks", { "aria-label": "Risk" });
const why = el("p.note");
const movePanel = panel("The move", moveTitle, moveSays, risks, why);
movePanel.setAttribute("aria-live", "polite");
const riskRows = el("tbody");
const riskHeads = ["Move", "Risk", "Least", "Safe cells"].map((name) => el("th.number", { scope: "col" }, name));
const riskTable = el("table.table", {}, el("thead", {}, el("tr", {}, riskHeads)), riskRows);
const riskPanel = panel("Risks taken", el("h2", {}, "Risks taken"), el("div.scroll", {}, riskTable));
const gamesList = el("ol.games");
const gamesPanel = panel(
  "My finished games",
  el("h2", {}, "My finished games"),
  el("div.scroll", {}, gamesList),
);
const side = el("div.side", {}, summary, movePanel, riskPanel, gamesPanel);
main.append(el("div.page.review", {}, stage, side));

// Loading

async function start() {
  const all = await get("/api/games?limit=100");
  const games = all.filter(({ settled, moves }) => settled && moves);
  const wanted = new URLSearchParams(location.search).get("game") ?? games[0]?.id;
  listGames(games, wanted);
  if (!wanted) return nothing();
  await load(wanted);
}

function nothing() {
  headline.textContent = "Nothing to review yet";
  verdict.replaceChildren(
    "Finish a game, won or lost, and see here move by move what you risked, ",
    "what you could have known, and how lucky you were. ",
    el("a", { href: "/" }, "Play one."),
  );
  for (const part of [movePanel, riskPanel, gamesPanel]) part.hidden = true;
}

async function load(id) {
  for (;;) {
    const found = await get(`/api/games/${encodeURIComponent(id)}/review`);
    const first = review === null;
    review = found;
    if (first) await open();
    refresh();
    if (found.complete) return;
  }
}

async function open() {
  layout = await askLayout(review.topology, review.shape);
  cellNames = names(layout);
  stage.hidden = false;
  const room = () => innerHeight - BESIDE;
  board = new Board(place, layout, { label: "The board before the move", live: false, room });
  at = review.decided ?? review.costliest ?? review.moves.length + 1;
}

function refresh() {
  const { done, openings, complete } = review;
  progress.hidden = complete;
  const [ready, all] = [done, openings].map((count) => count.toLocaleString("en"));
  progress.textContent = `${ready} of ${all} moves are worked out; the rest is on its way.`;
  tell();
  listRisks();
  curve.show(review);
  show();
}

// The whole game

function tell() {
  const { state, seconds: time, guesses, missed } = review;
  headline.textContent = `${STATES[state]}: ${boardName(review)}`;
  verdict.textContent = review.verdict;
  likely.textContent = review.chance;
  const rows = [
    ["Risks", `${guesses}`, "Openings that were not certainly safe"],
    ["Needless", `${missed}`, "Risks taken though a safe cell was there"],
    ["Moves", `${review.moves.length}`, "Openings, chords and marks"],
    ["Time", `${seconds(time)} s`, "Played, without breaks"],
  ];
  facts.replaceChildren(
    ...rows.map(([term, value, title]) => el("div", { title }, el("dt", {}, term), el("dd", {}, value))),
  );
}

function chance(p) {
  return p === 1 ? "100%" : percent(p, p < 0.01 ? 5 : 3);
}

const taken = () => review.moves.filter((move) => move.risk);

function listRisks() {
  const rows = taken();
  riskPanel.hidden = !rows.length;
  riskRows.replaceChildren(...rows.map(riskRow));
}

function riskRow({ number, risk, least, missed, approximate }) {
  const act = () => go(number);
  return el(
    "tr",
    { "data-move": number, onclick: act },
    el("td.number", {}, button(`${number}`, act, ".quiet.small", { "aria-label": `Move ${number}` })),
    el("td.number", {}, `${approximate ? "≈ " : ""}${chance(risk)}`),
    el("td.number", {}, chance(least)),
    el(`td.number${missed ? ".missed" : ""}`, {}, `${missed}`),
  );
}

function listGames(games, wanted) {
  gamesPanel.hidden = games.length === 0;
  gamesList.replaceChildren(...games.map((game) => gameRow(game, game.id === wanted)));
}

function gameRow(game, chosen) {
  const { id, state, made } = game;
  const when = new Date(made * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const parts = [
    el(`span.chip.${state.replace(" ", "-")}`, {}, STATES[state]),
    el("span", {}, boardName(game)),
    el("span.note", {}, when),
  ];
  const given = { href: `/review?game=${id}`, "aria-current": chosen ? "true" : null };
  return el("li", {}, el("a", given, ...parts));
}

// One move

function go(number) {
  if (!review) return;
  const to = Math.min(review.moves.length + 1, Math.max(1, number));
  if (to === at) return;
  at = to;
  show();
}

function goRisk(by) {
  const all = taken().map((move) => move.number);
  const to = by > 0 ? all.find((number) => number > at) : all.findLast((number) => number < at);
  if (to) go(to);
}

/** What the player saw before a move. */
function before(number) {
  const cells = new Uint8Array(layout.size).fill(COVERED);
  for (const { changes } of review.moves.slice(0, number - 1)) {
    for (const [cell, code] of changes) cells[cell] = code;
  }
  return cells;
}

function show() {
  const move = review.moves[at - 1];
  const cells = before(at);
  board.set(cells);
  const all = taken();
  back.disabled = at === 1;
  on.disabled = !move;
  riskBack.disabled = !all.some(({ number }) => number < at);
  riskOn.disabled = !all.some(({ number }) => number > at);
  decided.hidden = !review.decided;
  decided.disabled = at === review.decided;
  for (const row of riskRows.children) row.toggleAttribute("data-chosen", row.dataset.move === `${at}`);
  const words = move ? inWords(move) : { title: "The end", says: review.verdict };
  moveTitle.textContent = words.title;
  moveSays.textContent = words.says;
  why.textContent = "";
  curve.point(at, `${words.title}. ${words.says}`);
  bars(move);
  const text = writeText(layout, playable(cells), review.mines);
  link(text).then((path) => analyse.setAttribute("href", path));
  if (!move) {
    board.tint({ truth: review.truth, exploded: review.exploded });
    return;
  }
  tint(move, details.get(at));
  clearTimeout(waiting);
  asking.abort();
  asking = new AbortController();
  if (!details.has(at) && move.kind !== "give up") {
    waiting = setTimeout(() => learn(move).catch(quietly), SOON);
  }
}

/** What exploded is covered again in a position to analyse: there it is still a question. */
const playable = (cells) => cells.map((code) => (code === MINED ? COVERED : code));

function inWords(move) {
  const where = move.cell === null ? "" : cellNames[move.cell];
  const off = move.kind === "mark" && move.changes[0]?.[1] === COVERED;
  const did = {
    open: `opened ${where}`,
    chord: `a chord at ${where}`,
    mark: off ? `took the mark off ${where}` : `marked ${where}`,
    "give up": "given up",
  }[move.kind];
  const title = `Move ${move.number}: ${did}`;
  const who = move.auto ? "The autoplayer did this. " : "";
  return { title, says: `${who}${inRisk(move)}`.trim() };
}

function inRisk(move) {
  if (move.kind === "give up") return "";
  if (move.kind === "mark") {
    const wrong = move.changes[0]?.[1] !== COVERED && review.truth[move.cell] < MINED;
    return wrong ? "There was no mine." : "";
  }
  if (move.too_hard) return "Its risk was too hard to work out.";
  if (move.risk === null) return "Its risk is not worked out yet.";
  const free = move.number === 1 && review.start !== "any";
  if (move.risk === 0) return free ? "The first opening never explodes." : "Certainly safe.";
  const blew = review.state === "lost" && move.number === review.moves.length;
  const went = blew ? "It exploded." : "It went well.";
  if (move.missed === 1) return `A needless risk: one cell was certainly safe. ${went}`;
  if (move.missed) return `A needless risk: ${move.missed} cells were certainly safe. ${went}`;
  if (move.risk > move.least + 1e-9) return `Nothing was safe, but there was a smaller risk. ${went}`;
  return `Nothing was safer. ${went}`;
}

function bars(move) {
  const known = move?.risk !== null && move?.risk !== undefined && move.kind !== "mark";
  risks.hidden = !known;
  if (!known) return;
  const row = (name, p, kind) => {
    const bar = el(`i.${kind}`, { style: { "--p": p } });
    return el("li", {}, el("span", {}, name), bar, el("span", {}, chance(p)));
  };
  const kind = move.missed ? "needless" : "taken";
  risks.replaceChildren(row("Risk", move.risk, kind), row("Least", move.least, "least"));
}

async function learn(move) {
  const { signal } = asking;
  const found = await get(`/api/games/${encodeURIComponent(review.id)}/review/${move.number}`, { signal });
  details.set(move.number, found);
  if (at === move.number) tint(move, found);
}

/** A move too hard to look into has been called so already. */
function quietly(error) {
  if (error.status !== 422) report(error);
}

function tint(move, found) {
  const better = move.risk > move.least + 1e-9 && !move.missed;
  board.tint({
    best: better && found ? [found.best] : [],
    safe: found?.safe,
    mined: found?.mined,
    chances: found?.chances,
    clues: move.risk ? found?.clues : [],
    played: [move.cell].filter((cell) => cell !== null),
  });
  why.textContent = found && move.risk ? found.sentence : "";
  if (move.cell !== null) board.reveal([move.cell]);
}

addEventListener("keydown", (event) => {
  if (!review || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog:modal") || event.target.closest?.(".board, summary")) return;
  const act = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    PageUp: () => go(at - 10),
    PageDown: () => go(at + 10),
    Home: () => go(1),
    End: () => go(review.moves.length + 1),
    d: () => review.decided && go(review.decided),
    ...(event.target.closest?.(".scroll") ? {} : { ArrowUp: () => goRisk(-1), ArrowDown: () => goRisk(1) }),
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

start().catch((error) => {
  headline.textContent = "No review";
  verdict.textContent = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  movePanel.hidden = riskPanel.hidden = true;
  if (error.name !== "Problem") report(error);
});
