// The Bullets page: the daily puzzle, puzzles made to order, pencil marks, hints, the worked solution,
// and paper. The server makes and checks puzzles; this draws them and keeps the marks.

import { get, layout } from "../shared/api.js";
import { about, facts, heading, pageTitle, takes } from "./about.js";
import { Days } from "./days.js";
import { Help } from "./help.js";
import { maker } from "./maker.js";
import { extent } from "./picture.js";
import { address, copyLink, save, sheet } from "./sheet.js";
import { Shelf } from "./shelf.js";
import { Solving, key } from "./solving.js";
import { Worked } from "./worked.js";
import { announced } from "../shared/connection.js";
import { button } from "../shared/parts.js";
import { pref, setPref } from "../shared/prefs.js";
import { clock, el, report, shell, toast, typing } from "../shared/shell.js";
import { counted, today } from "../shared/words.js";

const main = shell({
  page: "/bullets",
  moves: false,
  keys: [
    ["Arrows, Home, End", "move around the board"],
    ["Enter, Space", "draw a bullet, then a slash, then nothing"],
    ["B", "bullet"],
    ["S, X", "slash"],
    ["Delete", "erase"],
    ["U, R", "undo, redo"],
    ["H", "hint; press again for more"],
    ["K", "check"],
    ["D", "accept what a hint or check offers"],
  ],
});

/** The puzzle on the page. */
let solving = null;
let asking = new AbortController();

// The parts of the page

const shelf = new Shelf(() => comeBack({ overtaken: true }).catch(report));
const days = new Days(shelf, (day) => open({ day }));
const help = new Help({ changed: keep, won: win });
const worked = new Worked(() => {
  if (solving.solved) return;
  solving.helped = true;
  keep();
});

const left = el("span", { "aria-hidden": "true" }, "–");
const leftBox = el("div.counter", { role: "img", "aria-label": "bullets left" }, el("i.dot"), left);
const title = el("h1", {}, "Bullets");
const subtitle = el("span.about", {}, " ");
const timer = el("div.counter.time", { role: "timer", "aria-label": "time" }, "0:00");
const status = el("header.status", {}, leftBox, el("div.name", {}, title, subtitle), timer);
const desk = el("div.desk", { "aria-busy": "true" });
const tools = el(
  "div.segmented",
  { role: "radiogroup", "aria-label": "What a click or tap draws" },
  [["o", "Bullet", "dot"], ["/", "Slash", "stroke"]].map(([mark, name, look]) =>
    el("label", {}, el("input", {
      type: "radio", name: "tool", value: mark, checked: mark === "o", onchange: () => (solving.pencil.tool = mark),
    }), el(`i.${look}`), name),
  ),
);
const undoButton = button("Undo", () => solving.undo(), ".quiet.small");
const redoButton = button("Redo", () => solving.redo(), ".quiet.small");
const clearButton = button("Clear", () => (solving.solved ? solving.again() : solving.clear()), ".quiet.small");
const under = el("div.under", {}, tools, el("div.cluster", {}, undoButton, redoButton, clearButton));
const factList = el("dl.facts");
const solution = el("p.note");
const counts = el("input", {
  type: "checkbox", role: "switch", checked: pref("bullets.counts", "on") === "on",
  onchange: () => {
    setPref("bullets.counts", counts.checked ? "on" : "off");
    solving.pencil.counts = counts.checked;
  },
});
const printed = el("section.printed", { "aria-hidden": "true" });

const stage = el("div.stage", {}, status, desk, under, help.node);
const panel = el(
  "section.panel",
  {},
  el("h2", {}, "This puzzle"),
  factList,
  solution,
  el(
    "div.cluster.along",
    {},
    button("Print", () => print(), ".small"),
    button("PDF, A4", () => save(solving.puzzle, "pdf", { paper: "a4" }), ".small"),
    button("PDF, Letter", () => save(solving.puzzle, "pdf", { paper: "letter" }), ".small"),
    button("SVG", () => save(solving.puzzle, "svg", { what: "puzzle" }), ".small"),
    button("Copy link", () => copyLink(solving.puzzle), ".small"),
  ),
  el(
    "label.switch",
    {},
    el("span", {}, "Count for me", el("small", {}, "dims clues that are done, warns of impossible ones")),
    counts,
  ),
);
// These parts are inactive until there is a puzzle.
const parts = [stage, panel, worked.node];
for (const part of parts) part.inert = true;
main.append(
  el("div.page.bullets", {}, stage, el("aside.side", {}, days.node, maker(showMade), panel), worked.node),
  printed,
);

// Which puzzle

const connection = announced(main);

/** What the address asks for: a puzzle by its code or its day; by default, today's. */
function asked() {
  const query = new URLSearchParams(location.search);
  return { code: query.get("p"), day: query.get("day") ?? today() };
}

/** Open a puzzle, by {day} or {code}, and put it into the address; `made` saves a request if given. */
async function open({ day, code, made = null }, { push = true } = {}) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  desk.setAttribute("aria-busy", "true");
  try {
    const where = code ? `puzzle?code=${encodeURIComponent(code)}` : `daily?date=${encodeURIComponent(day)}`;
    const fetched = async () => {
      const puzzle = made ?? (await get(`/api/bullets/${where}`, { signal }));
      const drawing = await layout(puzzle.topology, puzzle.shape);
      await shelf.save();
      await shelf.load();
      return [puzzle, drawing];
    };
    // With a puzzle on the page, there is no need to wait for another.
    const [found, drawing] = await (solving ? fetched() : connection.patiently(fetched));
    if (signal.aborted) return;
    show(found, drawing);
    if (push) history.pushState(null, "", address(found));
  } catch (error) {
    report(error);
    days.show();
    if (signal.aborted || push) return;
    // The address leads nowhere: restore that of the puzzle shown, or show today's.
    history.replaceState(null, "", solving ? address(solving.puzzle) : "/bullets");
    if (!solving && (code || day !== today())) await open({ day: today() }, { push: false });
  } finally {
    if (!signal.aborted) desk.removeAttribute("aria-busy");
  }
}

function show(puzzle, drawing) {
  solving?.close();
  solving = new Solving(desk, puzzle, drawing, shelf.get(key(puzzle)));
  solving.pencil.tool = tools.querySelector(":checked").value;
  solving.pencil.counts = counts.checked;
  solving.addEventListener("change", changed);
  const [across, down] = extent(drawing);
  desk.style.setProperty("--across", across);
  desk.style.setProperty("--down", down);
  title.textContent = heading(puzzle);
  subtitle.replaceChildren(...about(puzzle));
  document.title = pageTitle(puzzle);
  factList.replaceChildren(...facts(puzzle));
  solution.textContent = takes(puzzle);
  printed.replaceChildren(...sheet(puzzle, drawing));
  worked.of(puzzle, drawing);
  help.of(solving);
  if (solving.solved) help.say(solvedWords());
  days.show(puzzle.date);
  refresh();
  for (const part of parts) part.inert = false;
}

/** Show a puzzle that was just made. */
async function showMade(made) {
  await open({ code: made.code, made });
  scrollTo({ top: 0, behavior: "smooth" });
}

// Solving it

/** The marks have changed. */
function changed() {
  help.forget();
  refresh();
  keep();
  if (solving.left === 0) help.finish();
}

function refresh() {
  const { left: free, solved } = solving;
  left.textContent = String(free).replace("-", "−");
  leftBox.setAttribute("aria-label", `${counted(free, "bullet")} left`);
  leftBox.classList.toggle("low", free < 0);
  undoButton.disabled = !solving.canUndo;
  redoButton.disabled = !solving.canRedo;
  clearButton.disabled = !solving.begun;
  clearButton.textContent = solved ? "Solve again" : "Clear";
  status.dataset.state = solved ? "solved" : "";
  timer.textContent = clock(solving.seconds);
}

function win() {
  solving.win();
  help.forget();
  refresh();
  keep();
  help.say(solvedWords());
  shelf.save().catch(report);
}

function solvedWords() {
  const { seconds, helped, puzzle } = solving;
  const row = puzzle.date === today() && days.streak > 1 ? ` That's ${days.streak} days in a row.` : "";
  return `Solved in ${clock(seconds)}${helped ? ", with help" : ""}. Well done!${row}`;
}

/** Keep the marks, unless the puzzle was only looked at. */
function keep() {
  if (!solving.begun && !solving.helped && !shelf.get(key(solving.puzzle))) return;
  shelf.put(key(solving.puzzle), solving);
  days.show();
}

function keepAtLast() {
  if (!solving) return;
  keep();
  shelf.saveAtLast();
}

/** Look for marks from another window: the page is looked at again, or what it drew was `overtaken` by them. */
async function comeBack({ overtaken = false } = {}) {
  if (!solving) return;
  const { puzzle, marks } = solving;
  await shelf.save();
  await shelf.load();
  days.show();
  const kept = shelf.get(key(puzzle));
  if (!kept || puzzle !== solving.puzzle) return;
  // Marks drawn since then stay, unless they were drawn on outdated ones.
  const newer = kept.marks !== solving.marks && (overtaken || marks === solving.marks);
  if (!newer && !(kept.done && !solving.done)) return;
  show(puzzle, solving.layout);
  if (overtaken) toast("You continued this puzzle in another window. Here are your marks from there.", "note");
}

// The clock runs while the page is visible and the puzzle begun.
setInterval(() => {
  if (solving && !document.hidden && solving.tick()) timer.textContent = clock(solving.seconds);
}, 1000);

addEventListener("pagehide", keepAtLast);
document.addEventListener("visibilitychange", () => (document.hidden ? keepAtLast() : comeBack().catch(report)));
// A window beside another never becomes hidden.
addEventListener("focus", () => comeBack().catch(report));
addEventListener("popstate", () => open(asked(), { push: false }));
addEventListener("keydown", (event) => {
  if (!solving || typing(event) || document.querySelector("dialog:modal")) return;
  const pressed = event.key.toLowerCase();
  if (pressed === "z" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (event.shiftKey) solving.redo();
    else solving.undo();
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
    ({
      u: () => solving.undo(),
      r: () => solving.redo(),
      h: () => help.hint(),
      k: () => solving.solved || help.check(),
      d: () => help.accept(),
    })[pressed]?.();
  }
});

open(asked(), { push: false });
