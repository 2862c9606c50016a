// The Review page: a finished game move by move, with its risks as a curve to click on.

import { get, layout as askLayout, post } from "../shared/api.js";
import { Board, COVERED, MINED, names, percent, zoomControl } from "../board/board.js";
import { announced } from "../shared/connection.js";
import { button, panel } from "../shared/parts.js";
import { link, writeText } from "../shared/position.js";
import { Curve } from "./curve.js";
import { inShort, sums } from "./ledger.js";
import { inProof, inWords } from "./words.js";
import { el, report, seconds, shell, typing } from "../shared/shell.js";
import { capital, counted, modeName, size, topologyName } from "../shared/words.js";

const STATES = { won: "Won", lost: "Lost", "given up": "Given up" };
const SOON = 100;
/** Pixels of the window's height that the curve and the controls take. */
const BESIDE = 330;

const main = shell({
  page: "/review",
  moves: false,
  keys: [
    ["←, →", "previous move, next move"],
    ["↑, ↓", "previous risk, next risk"],
    ["Page Up, Page Down", "ten moves back, ten moves on"],
    ["Home, End", "first move, end of the game"],
    ["D", "the move that decided the game"],
  ],
});

let review = null;
let layout = null;
let board = null;
let cellNames = [];
/** The move shown, from 1; the end of the game is one more than there are moves. */
let at = 1;
let details = new Map();
let asking = new AbortController();
let waiting = 0;
/** What the page shows of the risks and of one move, to be drawn again only if it changes. */
let shownRisks = "";
let shownMove = "";

// The parts of the page

const boardName = (game) =>
  [
    size(game),
    game.topology === "moore" ? null : topologyName(game.topology),
    game.mode === "ordinary" ? null : modeName(game.mode),
  ]
    .filter(Boolean)
    .join(" · ");

const headline = el("h1", {}, "Review");
const verdict = el("p");
const progress = el("p.note", { role: "status", hidden: true });
const likely = el("p.note");
const facts = el("dl.facts");
const story = el("p");
const accounts = el("dl.facts.accounts", { "aria-label": "Chance to win, in points" });
const lesson = el("p.note", { role: "status", hidden: true });
const summary = panel("Summary", headline, verdict, likely, facts, story, accounts, progress, lesson);
summary.classList.add("summary");

const curve = new Curve((number) => go(number), inLine);
const back = button("‹", () => go(at - 1), ".icon", { "aria-label": "Previous move" });
const on = button("›", () => go(at + 1), ".icon", { "aria-label": "Next move" });
const riskBack = button("Previous risk", () => goRisk(-1), ".small");
const riskOn = button("Next risk", () => goRisk(1), ".small");
const decided = button("Deciding move", () => go(review.decided), ".small");
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
  el("div.panel.curve-panel", {}, curve.views, curve.node, curve.readout, curve.legend),
  controls,
  place,
  under,
);

const moveTitle = el("h2");
const moveSays = el("p");
const moveChance = el("p");
const risks = el("ol.bars.risks", { "aria-label": "Risk" });
const why = el("p.note");
const movePanel = panel("Move", moveTitle, moveSays, risks, moveChance, why);
movePanel.setAttribute("aria-live", "polite");
const riskRows = el("tbody");
const riskHeads = ["Move", "Risk", "Smallest", "Safe", "Gave away"].map((name) => el("th.number", { scope: "col" }, name));
const riskTable = el("table.table", {}, el("thead", {}, el("tr", {}, riskHeads)), riskRows);
const riskPanel = panel("Risks taken", el("h2", {}, "Risks taken"), el("div.scroll", {}, riskTable));
const gamesList = el("ol.games");
const gamesPanel = panel(
  "Your finished games",
  el("h2", {}, "Your finished games"),
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
    "Finish a game, won or lost, and you'll see here, move by move, what you risked, ",
    "what you could have known, and how lucky you were. ",
    el("a", { href: "/" }, "Play one."),
  );
  for (const part of [movePanel, riskPanel, gamesPanel]) part.hidden = true;
}

async function load(id) {
  for (;;) {
    const found = await get(`/api/games/${encodeURIComponent(id)}/review`);
    review = found;
    if (!board) await open();
    refresh();
    if (found.complete) {
      if (found.missed) await collect(found.id).catch(report);
      return;
    }
  }
}

async function open() {
  layout = await askLayout(review.topology, review.shape);
  cellNames = names(layout);
  stage.hidden = false;
  const room = () => innerHeight - BESIDE;
  board = new Board(place, layout, { label: "Board before the move", live: false, room });
  const asked = Number(new URLSearchParams(location.search).get("move"));
  const inside = Number.isInteger(asked) && asked >= 1 && asked <= review.moves.length;
  at = inside ? asked : (review.decided ?? review.costliest ?? review.moves.length + 1);
}

function refresh() {
  const { done, openings, complete, ledger } = review;
  progress.hidden = complete;
  const [ready, judged, all] = [done, ledger.judged, openings].map((count) => count.toLocaleString("en"));
  progress.textContent =
    done < openings
      ? `Worked out the risk of ${ready} of ${all} moves so far…`
      : `Worked out the chance to win for ${judged} of ${all} moves so far…`;
  tell();
  listRisks();
  curve.show(review);
  if (content(at) === shownMove) steer();
  else show();
}

// The whole game

function tell() {
  const { state, seconds: time, guesses, missed } = review;
  headline.textContent = `${STATES[state]}: ${boardName(review)}`;
  verdict.textContent = review.verdict;
  likely.textContent = review.chance;
  const rows = [
    ["Risks", `${guesses}`, "Moves that were not certainly safe"],
    ["Avoidable", `${missed}`, "Risks taken while a cell was safe"],
    ["Moves", `${review.moves.length}`, "Openings, chords and flags"],
    ["Time", `${seconds(time)} s`, "Time played, without breaks"],
  ];
  facts.replaceChildren(...rows.map(fact));
  const known = review.ledger.start !== null && review.complete;
  story.textContent = review.complete ? review.ledger.sentence : "";
  accounts.hidden = !known;
  if (known) accounts.replaceChildren(...sums(review.ledger).map(fact));
}

const fact = ([term, value, title]) => el("div", { title }, el("dt", {}, term), el("dd", {}, value));

/** A move in one line, for the curve; the end of the game is one more than there are moves. */
function inLine(number) {
  const move = review?.moves[number - 1];
  if (!move) return review ? "End of the game" : "";
  return [`Move ${number}`, inShort(move) || (move.kind === "mark" ? "a flag" : "")].filter(Boolean).join(": ");
}

const taken = () => review.moves.filter((move) => move.risk);

function listRisks() {
  const rows = taken();
  const now = JSON.stringify(rows);
  if (now === shownRisks) return;
  shownRisks = now;
  const focused = riskRows.contains(document.activeElement) && document.activeElement.closest("tr").dataset.move;
  riskPanel.hidden = !rows.length;
  riskRows.replaceChildren(...rows.map(riskRow));
  if (focused) riskRows.querySelector(`[data-move="${focused}"] button`)?.focus({ preventScroll: true });
}

function riskRow({ number, risk, least, missed, approximate, judged }) {
  const act = () => go(number);
  return el(
    "tr",
    { "data-move": number, onclick: act },
    el("td.number", {}, button(`${number}`, act, ".quiet.small", { "aria-label": `Move ${number}` })),
    el("td.number", {}, `${approximate ? "≈ " : ""}${percent(risk)}`),
    el("td.number", {}, percent(least)),
    el(`td.number${missed ? ".missed" : ""}`, {}, `${missed}`),
    el("td.number", {}, typeof judged?.given === "number" ? (100 * judged.given).toFixed(1) : "–"),
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
  if (!board) return;
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

/** The cells as the player saw them before a move. */
function before(number) {
  const cells = new Uint8Array(layout.size).fill(COVERED);
  for (const { changes } of review.moves.slice(0, number - 1)) {
    for (const [cell, code] of changes) cells[cell] = code;
  }
  return cells;
}

/** Everything that is told of a move, or of the end. */
function content(number) {
  const { moves, verdict: said, truth, exploded } = review;
  return JSON.stringify([number, moves[number - 1] ?? [said, truth, exploded]]);
}

/** Set the controls to the move shown. */
function steer() {
  const all = taken();
  back.disabled = at === 1;
  on.disabled = at > review.moves.length;
  riskBack.disabled = !all.some(({ number }) => number < at);
  riskOn.disabled = !all.some(({ number }) => number > at);
  decided.hidden = !review.decided;
  decided.disabled = at === review.decided;
  for (const row of riskRows.children) row.toggleAttribute("data-chosen", row.dataset.move === `${at}`);
}

function show() {
  const move = review.moves[at - 1];
  const cells = before(at);
  shownMove = content(at);
  board.set(cells);
  steer();
  const words = move ? inWords(review, move, cellNames) : { title: "End of the game", says: review.verdict };
  moveTitle.textContent = words.title;
  moveSays.textContent = words.says;
  moveChance.textContent = words.chance ?? "";
  why.textContent = "";
  curve.point(at, [`${words.title}.`, words.says, words.chance].filter(Boolean).join(" "));
  bars(move);
  const text = writeText(layout, playable(cells), review.mines);
  const number = at;
  link(text).then((path) => number === at && analyse.setAttribute("href", path));
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

/** Have the steps that were missed set as drills. */
async function collect(game) {
  const { forms } = await post(`/api/games/${game}/review/drills`);
  lesson.hidden = !forms;
  lesson.replaceChildren(
    `${counted(forms, "step")} you missed ${forms === 1 ? "is" : "are"} now among `,
    el("a", { href: "/drills" }, "your drills"),
    ".",
  );
}

/** Cover the mine that exploded again: in a position to analyse it is still unknown. */
const playable = (cells) => cells.map((code) => (code === MINED ? COVERED : code));

function bars(move) {
  const known = move?.risk !== null && move?.risk !== undefined && move.kind !== "mark";
  risks.hidden = !known;
  if (!known) return;
  const row = (name, p, kind) => {
    const bar = el(`i.${kind}`, { style: { "--p": p } });
    return el("li", {}, el("span", {}, name), bar, el("span", {}, percent(p)));
  };
  const kind = move.missed ? "needless" : "taken";
  risks.replaceChildren(row("Risk", move.risk, kind), row("Smallest", move.least, "least"));
}

async function learn(move) {
  const { signal } = asking;
  const found = await get(`/api/games/${encodeURIComponent(review.id)}/review/${move.number}`, { signal });
  details.set(move.number, found);
  if (at === move.number) tint(move, found);
}

/** The page already says so if a move is too hard. */
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
  why.textContent = found && move.risk ? `${inProof(found.missed)}${found.sentence}` : "";
  if (move.cell !== null) board.reveal([move.cell]);
}

addEventListener("keydown", (event) => {
  if (!board || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
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

announced(main).patiently(start).catch((error) => {
  // What is known of the game stays.
  if (board) return report(error);
  headline.textContent = "No review";
  // Only a Problem has words for people.
  const known = error.name === "Problem";
  if (error.status === 404)
    verdict.replaceChildren(
      "You have no such game: it was deleted, or it is somebody else's. ",
      el("a", { href: "/review" }, "See your own games."),
    );
  else
    verdict.textContent = known ? `${capital(error.message)}.` : "Something went wrong on this page. Reload it to try again.";
  movePanel.hidden = riskPanel.hidden = true;
  if (!known) console.error(error);
});
