// The Drills page: one form at a time, and below it the pattern book.

import { get, post } from "../shared/api.js";
import { announced } from "../shared/connection.js";
import { button, panel } from "../shared/parts.js";
import { el, report, shell, typing } from "../shared/shell.js";
import { capital, counted } from "../shared/words.js";
import { MINED } from "../board/cells.js";
import { FormBoard } from "./form.js";

const main = shell({
  page: "/drills",
  moves: false,
  keys: [
    ["Arrows", "move between covered cells"],
    ["Enter, Space", "safe, then a mine, then unknown again"],
    ["F, M", "a mine, or unknown again"],
    ["C", "check, then the next one"],
    ["H", "a hint"],
  ],
});

/** How many patterns are shown at first: those that most games need. */
const FIRST = 8;

let asked = null;
let form = null;

const title = el("h1", {}, "Drills");
const task = el("p");
const place = el("div.place");
const says = el("p.says", { role: "status" });
const check = button("Check", judge, ".primary", { disabled: true });
const hint = button("Hint", () => (says.textContent = asked.hint), ".quiet", { hidden: true });
const next = button("Next", load, ".primary", { hidden: true });
const progress = el("p.note");
const drill = panel("Drill", title, task, place, says, el("div.controls", {}, check, next, hint), progress);
const list = el("ol.patterns");
const about = el("p.note");
const more = button("", () => unfold(more.ariaExpanded !== "true"), "", { "aria-expanded": "false", hidden: true });
const book = panel("Pattern book", el("h2", {}, "The pattern book"), about, list, more);
main.append(drill, book);

async function ask() {
  const view = await get("/api/drills");
  asked = view.next;
  count(view);
  show(view);
}

async function load() {
  await ask().catch(retry);
}

function retry(error) {
  report(error);
  next.hidden = false;
}

function count({ met, learned, due }) {
  progress.textContent = `${counted(met, "pattern")} seen, ${learned} learned, ${due} due.`;
}

function show(view) {
  says.textContent = "";
  says.className = "says";
  const pressed = document.activeElement === next;
  next.hidden = true;
  for (const control of [check, hint]) control.hidden = asked === null;
  if (asked === null) {
    task.textContent = `Nothing is due. Come back in ${pause(view.rests)}.`;
    place.replaceChildren();
    if (pressed) main.focus();
    return;
  }
  const own = asked.missed ? "You missed this step in a game. " : "";
  // Only the form of a clue that has its mine shows that mine: elsewhere known ones are taken off.
  const counts = asked.position.cells.includes(MINED)
    ? "Numbers count flagged mines, too."
    : "Numbers count only the mines still to be found.";
  task.textContent = `${own}Mark every cell that must be safe and every mine: press a cell once for safe, twice for a mine. ${counts}`;
  check.disabled = true;
  form = new FormBoard(asked.position, {
    onchange: () => (check.disabled = !form.safe.length && !form.mined.length),
  });
  place.replaceChildren(form.node);
  // A hidden button cannot keep the focus.
  if (pressed) form.focus();
}

async function judge() {
  check.disabled = true;
  try {
    const answer = { form: asked.form, turn: asked.turn, safe: form.safe, mined: form.mined };
    const judged = await post("/api/drills", answer);
    form.show(judged.step);
    const verdict = judged.right ? "Right." : "Not quite.";
    says.textContent = `${verdict} ${judged.step.sentence} You'll see it again in ${pause(judged.rests)}.`;
    says.classList.add(judged.right ? "right" : "wrong");
    check.hidden = hint.hidden = true;
    next.hidden = false;
    next.focus();
    // The next form counts for itself.
    const recount = (view) => next.hidden || count(view);
    get("/api/drills").then(recount).catch(report);
  } catch (error) {
    check.disabled = false;
    report(error);
  }
}

function pause(seconds) {
  if (seconds === null) return "a while";
  if (seconds < 5_400) return counted(Math.max(1, Math.round(seconds / 60)), "minute");
  if (seconds < 129_600) return counted(Math.round(seconds / 3_600), "hour");
  return counted(Math.round(seconds / 86_400), "day");
}

async function showBook() {
  const view = await get("/api/patterns");
  about.textContent = `From ${view.games.toLocaleString("en")} games on ${view.boards.join(", ")}: the steps that don't need the mine total, most frequent first, however they are turned or mirrored. Mines already known are taken off the numbers, unless a flag shows them.`;
  list.replaceChildren(...view.patterns.map(entry));
  more.hidden = list.children.length <= FIRST;
  unfold(false);
}

/** Show all patterns, or only the first. */
function unfold(all) {
  [...list.children].forEach((item, at) => (item.hidden = !all && at >= FIRST));
  more.ariaExpanded = String(all);
  more.textContent = all ? "Show fewer patterns" : `Show all ${list.children.length} patterns`;
}

const times = (often) => (often >= 10 ? Math.round(often).toLocaleString("en") : often.toFixed(1));

function entry({ name, position, step, steps, opened }) {
  const finds = step.safe.length
    ? `opens ${opened.toFixed(1)} cells on average`
    : `finds ${counted(step.mined.length, "mine")}`;
  const board = new FormBoard(position);
  board.show(step);
  board.node.setAttribute("role", "img");
  board.node.setAttribute("aria-label", step.sentence);
  return el(
    "li",
    {},
    el("div.picture", {}, board.node),
    el(
      "div",
      {},
      el("h3", {}, capital(name)),
      el("p", {}, step.sentence),
      el(
        "p.note",
        {},
        `Met ${times(steps)} times per 100 games; ${finds}.`,
      ),
    ),
  );
}

document.addEventListener("keydown", (event) => {
  if (typing(event) || document.querySelector("dialog:modal")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || asked === null) return;
  const key = event.key.toLowerCase();
  if (key === "c") (next.hidden ? check : next).click();
  else if (key === "h" && !hint.hidden) hint.click();
});

const connection = announced(main);
await connection.patiently(ask).catch(retry);
await connection.patiently(showBook).catch(report);
