// The Analyse page: a position drawn, pasted or opened, and what follows from it while it is edited.

import { get, layout, post } from "../shared/api.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { Files, readHelp } from "./files.js";
import { MoveCard } from "./move.js";
import { Replay } from "./replay.js";
import { Steps } from "./steps.js";
import { TextPanel } from "./text.js";
import { Verdict } from "./verdict.js";
import { MARKED, zoomControl } from "../board/board.js";
import { announced } from "../shared/connection.js";
import { copy } from "../shared/copying.js";
import { button, panel } from "../shared/parts.js";
import { link, textOf } from "../shared/position.js";
import { pref, setPref } from "../shared/prefs.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";

const SOON = 120;
const AFTER_TYPING = 350;

const narrow = matchMedia("(max-width: 61.99rem)");
const main = shell({
  page: "/analyse",
  moves: false,
  keys: [
    ["Arrows", "move around the board"],
    ["0 … 9", "set the cell's number"],
    ["#, Delete", "cover the cell"],
    ["F, M", "flag the cell, or unflag it"],
    ["-, !", "known to be safe, known to be a mine"],
    ["+, wheel", "one more (the wheel also goes down)"],
    ["Enter, Space", "draw with the chosen pen"],
    ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ["[, ]", "previous step, next step"],
    ["<, >, ,, .", "replay: one move back, one move on"],
    ["P", "replay: play or pause"],
  ],
});

/** @type {Editor} */
let editor;
/** The server's answer about the position shown; null until it arrives. */
let answer = null;
let asking = new AbortController();
let waiting = 0;
const connection = announced(main);

// The parts of the page

/** Nothing can be pressed before there is a position. */
const page = el("div.page.analyse", { inert: true });
const switches = {};
const verdict = new Verdict(() => setSwitch("sample", true));
const move = new MoveCard({ question: () => question(), name: (cell) => editor.name(cell) });
const steps = new Steps({
  question: () => question(),
  board: () => editor.board,
  opened() {
    // On a narrow page the steps stick to the bottom of the window, with the board above them.
    const first = !main.classList.contains("stepping");
    main.classList.add("stepping");
    paint();
    if (first && narrow.matches) editor.place.scrollIntoView({ block: "start" });
  },
  closed() {
    main.classList.remove("stepping");
    paint();
  },
});
const text = new TextPanel(
  () => later(readText, AFTER_TYPING),
  () => readHelp().catch(report),
);
const replay = new Replay({
  name: (cell) => editor.name(cell),
  show: showMove,
  closed() {
    editor.board.focus(editor.board.at);
    paint();
  },
});
const files = new Files((file) => openFile(file).catch(report));
const shown = panel(
  "Show",
  el("h2", {}, "Show"),
  el(
    "div.shown",
    {},
    toggle("levels", "Chances", "As a fill level, and as a number at the cursor", "on"),
    toggle("certain", "Certain cells", "A tick if safe, a dot if a mine", "on"),
    toggle("trust", "Trust flags", "Treat every flag as a mine", "off"),
    toggle("sample", "Approximate", "Sample if an exact answer is too hard", "off"),
  ),
);
const examples = el("select", {
  "aria-label": "Examples",
  onchange: () => examples.value && choose(examples.value),
});
examples.append(
  el("option", { value: "" }, "Your own position"),
  ...EXAMPLES.map(([name, value]) => el("option", { value }, name)),
);

function toggle(name, title, what, otherwise) {
  const input = el("input", {
    type: "checkbox",
    role: "switch",
    "aria-description": what,
    onchange: () => setSwitch(name, input.checked),
  });
  input.checked = pref(`analyse.${name}`, otherwise) === "on";
  switches[name] = input;
  return el("label.switch", { title: what }, title, input);
}

function setSwitch(name, on) {
  switches[name].checked = on;
  // What changes the answer holds for this visit; what changes the display is remembered.
  if (name === "trust" || name === "sample") {
    later(ask, 0);
  } else {
    setPref(`analyse.${name}`, on ? "on" : "off");
    paint();
  }
}

// Questions

/** Ask after a delay, unless there is something else to ask by then. */
function later(act, delay) {
  clearTimeout(waiting);
  asking.abort();
  asking = new AbortController();
  waiting = setTimeout(() => act().catch(report), delay);
}

const how = () => ({ trust_marks: switches.trust.checked, approximate: switches.sample.checked });
const question = () => ({ drawn: editor.position, ...how() });

async function ask() {
  verdict.busy();
  const { signal } = asking;
  const asked = question();
  let found;
  try {
    found = await connection.patiently(() => post("/api/analyse", asked, { signal }));
  } catch (error) {
    if (error.name !== "Problem") throw error;
    if (!signal.aborted) unknown(error);
    return;
  }
  if (!signal.aborted) arrive(found);
}

/** Read the text; return whether it is a position. */
async function readText({ first = false } = {}) {
  const { signal } = asking;
  let found;
  try {
    const asked = { text: text.value, ...how() };
    found = await connection.patiently(() => post("/api/analyse", asked, { signal }));
  } catch (error) {
    if (error.status !== 422) throw error;
    text.complain(error);
    return false;
  }
  // The board needs the layout of the topology, and that may take as long as the answer.
  await connection.patiently(() => layout(found.position.topology, found.position.shape));
  if (signal.aborted) return true;
  text.complain(null);
  if (!first) editor.remember();
  replay.load(null);
  await editor.show(found.position);
  answer = null;
  steps.close();
  arrive(found);
  return true;
}

function choose(example) {
  text.value = example;
  later(readText, 0);
}

/** A file arrived: one position, or a game that is shown at its last decision. */
async function openFile(file) {
  await ready;
  editor.remember();
  await editor.show(file.position);
  replay.load(file);
  if (!replay.open) renew();
  if (file.format === "mbf") toast("This file has mines but no moves, so every cell is covered.", "note");
  editor.place.scrollIntoView({ block: "nearest" });
}

async function showMove(position) {
  await editor.show(position);
  renew();
}

/** An edit by hand leaves the replay; undo returns to the same place in it. */
function edited({ detail: { place } }) {
  replay.comeBack(place);
  renew();
}

/** Another position is on the board: forget the last answer and ask again. */
function renew() {
  text.value = editor.text;
  text.complain(null);
  answer = null;
  steps.close();
  move.wait();
  editor.board.tint({});
  verdict.busy();
  later(ask, SOON);
}

// Answers

function arrive(found) {
  answer = found;
  examples.value = EXAMPLES.find(([, known]) => known === text.value)?.[1] ?? "";
  const { clash, too_hard: hard } = found;
  verdict.tell(found, {
    covered: editor.cells.filter((code) => code >= MARKED).length,
    mines: editor.mines,
    sampling: switches.sample.checked,
    trusting: switches.trust.checked && editor.cells.includes(MARKED),
  });
  steps.node.hidden = Boolean(clash);
  editor.clash(Boolean(clash?.total));
  move.tell(found);
  paint();
  link(found.position.text ?? editor.text).then((path) => history.replaceState(null, "", path));
}

/** There is no answer: what the page still shows is about another position. */
function unknown(error) {
  answer = null;
  verdict.fail(error);
  steps.node.hidden = move.node.hidden = true;
  move.wait();
  editor.board.tint({});
}

function paint() {
  if (!answer) return;
  const certain = switches.certain.checked;
  editor.board.tint(
    steps.tints() ?? {
      clash: answer.clash?.clues,
      region: answer.hard,
      safe: certain ? answer.safe : [],
      mined: certain ? answer.mined : [],
      best: answer.best ? [answer.best.cell] : [],
      played: replay.cell === null ? [] : [replay.cell],
      chances: switches.levels.checked ? answer.chances : {},
    },
  );
}

// Sharing

async function copyLink() {
  const path = await link(editor.text);
  await copy(new URL(path, location.href).href, "Link copied. It holds the whole position.");
}

/** The text in the link, in the signs that the page itself writes. */
async function linked() {
  return (await textOf(location.hash))?.replaceAll("H", "#") ?? null;
}

function onKey(event) {
  if (page.inert || typing(event) || document.querySelector("dialog:modal")) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    editor.travel(key === "z" && !event.shiftKey ? "back" : "on");
  } else if (key === "[") {
    steps.step(-1);
  } else if (key === "]") {
    if (steps.open) steps.step(1);
    else if (answer && !steps.node.hidden) steps.explain().catch(report);
  } else if (key === "<" || key === ",") {
    replay.by(-1);
  } else if (key === ">" || key === ".") {
    replay.by(1);
  } else if (key === "p") {
    replay.play();
  }
}

async function start() {
  editor = new Editor(await connection.patiently(() => get("/api/meta")), () => replay.place);
  const example = el("label.field", {}, el("span", {}, "Example"), examples);
  const tools = el(
    "div.cluster",
    {},
    editor.undo,
    editor.redo,
    button("Cover all", () => editor.coverAll(), ".quiet.small"),
    button("Copy link", () => copyLink().catch(report), ".quiet.small"),
  );
  const stage = el(
    "section.stage",
    { "aria-label": "Position" },
    el("div.setup", {}, example, ...editor.setup),
    editor.pens,
    editor.place,
    replay.node,
    el("div.under", {}, zoomControl(() => editor.board), files.button, tools),
  );
  const side = el("div.side", {}, verdict.node, move.node, steps.node, shown);
  page.append(stage, side, text.node);
  editor.addEventListener("edited", edited);
  editor.addEventListener("hover", ({ detail }) => move.look(detail.cell));
  const given = await linked();
  if (given === null && location.hash.length > 1) {
    toast("There is no readable position in this link.");
  }
  try {
    await connection.patiently(() => begin(given));
  } finally {
    // Whatever failed: once there is a board, it can be used.
    page.inert = !editor.board;
  }
}

async function begin(given) {
  // A text with a mistake stays there to be corrected; the board needs some position all the same.
  const { position } = await post("/api/analyse", { text: EXAMPLES.at(-1)[1] });
  await editor.show(position);
  text.value = given ?? EXAMPLES[0][1];
  if (!(await readText({ first: true }))) await ask();
}

addEventListener("keydown", onKey);
addEventListener("hashchange", async () => {
  const given = await linked();
  await ready;
  if (given !== null && given !== editor.text) choose(given);
});

main.append(el("h1.visually-hidden", {}, "Analyse a position"), page);
const ready = start();
ready.catch(report);
