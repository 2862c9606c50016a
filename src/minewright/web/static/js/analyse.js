// The analyse page: a position one draws or pastes, and what follows from it, as one edits.

import { get, post } from "./api.js";
import { MARKED, percent, zoomControl } from "./board.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { link, textOf } from "./position.js";
import { pref, setPref } from "./prefs.js";
import { dialog, el, report, shell, toast, typing } from "./shell.js";

const SOON = 120;
const AFTER_TYPING = 350;
const BEFORE_LOOKING = 150;
const LONGEST_FILE = 100_000;
const STEP_KINDS = ["one clue", "several clues", "with the mine total"];

const narrow = matchMedia("(max-width: 61.99rem)");
const main = shell({
  page: "/analyse",
  moves: false,
  keys: [
    ["Arrows", "move over the board"],
    ["0 … 9", "the number of the cell"],
    ["#, Delete", "covered"],
    ["F, M", "mark, or take the mark off"],
    ["-, !", "known to be safe, known to be mined"],
    ["+, wheel", "one up (the wheel also down)"],
    ["Enter, Space", "draw with the chosen pen"],
    ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ["[, ]", "the step before, the next step"],
  ],
});

/** @type {Editor} */
let editor;
/** What the server said of the position shown; null while it is asked. */
let answer = null;
/** The explained steps while they are walked through, and the one looked at. */
let solution = null;
let at = 0;
let asking = new AbortController();
let waiting = 0;
/** Grows with each edit: an answer for an older position is for nobody. */
let version = 0;

// The parts of the page

const button = (words, act, kind = "", more = {}) =>
  el(`button.button${kind}`, { type: "button", onclick: act, ...more }, words);
const panel = (label, ...children) => el("section.panel", { "aria-label": label }, ...children);

const headline = el("h2");
const reason = el("p");
const digits = el("p");
const counted = el("details.count", { hidden: true }, el("summary", {}, "All its digits"), digits);
const sample = button("Approximate", () => setSwitch("sample", true), ".primary", { hidden: true });
const facts = el("dl.facts");
const verdict = panel("What follows", headline, reason, sample, counted, facts);
verdict.classList.add("verdict");
verdict.setAttribute("role", "status");

const best = el("p");
const cellName = el("h3");
const cellSays = el("p.chance");
const cellNumbers = el("ol.bars", { "aria-label": "The number it would show" });
const cellPart = el("div.stack.of-cell", {}, cellName, cellSays, cellNumbers);
const move = panel("Best move", el("h2", {}, "Best move"), best, el("hr"), cellPart);

const explainButton = button("Explain step by step", () => explain().catch(report), ".primary");
const stepBack = button("‹ Before", () => step(-1), ".small", { "aria-label": "The step before" });
const stepOn = button("Next ›", () => step(1), ".small", { "aria-label": "The next step" });
const stepOf = el("span.note");
const stepKind = el("div.cluster");
const stepSays = el("p.sentence", { role: "status" });
const stepsBar = el(
  "div.spread",
  { hidden: true },
  el("div.cluster", {}, stepBack, stepOn, stepOf),
  button("Close", () => closeSteps(), ".quiet.small"),
);
const why = panel("Explanation", el("h2", {}, "Why"), explainButton, stepsBar, stepKind, stepSays);
why.classList.add("why");

const text = el("textarea", {
  "aria-label": "The position as text",
  autocapitalize: "off",
  autocomplete: "off",
  spellcheck: "false",
  wrap: "off",
  rows: 8,
  oninput: () => later(readText, AFTER_TYPING),
});
const wrong = el("p.wrong-text", { role: "alert", hidden: true });
const file = el("input", {
  type: "file",
  hidden: true,
  onchange: () => readFile(file.files[0]).catch(report),
});
const formats = formatsDialog();
const textPanel = panel(
  "As text",
  el(
    "div.spread",
    {},
    el("h2", {}, "As text"),
    button("What is read?", () => formats.showModal(), ".quiet.small"),
  ),
  text,
  wrong,
  el(
    "div.cluster",
    {},
    button("Open a file", () => file.click(), ".small"),
    button("Copy", () => copy(text.value, "The text is copied."), ".small"),
    file,
  ),
);

const switches = {};
const shown = panel(
  "What is shown",
  el("h2", {}, "What is shown"),
  el(
    "div",
    {},
    toggle("levels", "Chances", "as fill level, the number at the cursor", "on"),
    toggle("certain", "Certain cells", "a tick where safe, a dot where mined", "on"),
    toggle("trust", "Trust marks", "marked cells are mined", "off"),
    toggle("sample", "Approximate", "sample where exact is too hard", "off"),
  ),
);

function toggle(name, title, what, otherwise) {
  const input = el("input", {
    type: "checkbox",
    role: "switch",
    onchange: () => setSwitch(name, input.checked),
  });
  input.checked = pref(`analyse.${name}`, otherwise) === "on";
  switches[name] = input;
  return el("label.switch", {}, el("span", {}, title, el("small", {}, what)), input);
}

function setSwitch(name, on) {
  switches[name].checked = on;
  // What changes the answer holds for this visit only; what changes its look is remembered.
  if (name === "trust" || name === "sample") {
    version++;
    later(ask, 0);
  } else {
    setPref(`analyse.${name}`, on ? "on" : "off");
    paint();
  }
}

function formatsDialog() {
  const signs = [
    ["0 … 9, .", "open; . is 0, (12) a larger number"],
    ["#, H, ?", "covered; also h, ■, ⬛, 🟦, 🟩"],
    ["F, *", "marked; also f, 🚩, ⚑"],
    ["-, !", "known to be safe, known to be mined (also 💣)"],
  ];
  const keys = (all) => all.split(", ").flatMap((key, nth) => [nth ? " " : null, el("kbd", {}, key)]);
  return dialog(
    "What is read",
    el(
      "p",
      {},
      "One line a row. A first line such as ",
      el("code", {}, "30x16x99"),
      " or ",
      el("code", {}, "10x9x? hex"),
      " says size, mines (? if not known) and topology; without it the mines are not known.",
    ),
    el("dl.keys", {}, signs.flatMap(([all, what]) => [el("dt", {}, keys(all)), el("dd", {}, what)])),
    el(
      "p",
      {},
      "Blanks, tabs, commas or bars between cells, and frames around them, are passed over. ",
      "A file may be dropped on the page.",
    ),
  );
}

// Questions

/** Ask after a while, unless something else is to be asked by then. */
function later(act, delay) {
  clearTimeout(waiting);
  asking.abort();
  asking = new AbortController();
  waiting = setTimeout(() => act().catch(report), delay);
}

const how = () => ({ trust_marks: switches.trust.checked, approximate: switches.sample.checked });
const question = () => ({ drawn: editor.position, ...how() });

async function ask() {
  verdict.classList.add("busy");
  const { signal } = asking;
  const found = await post("/api/analyse", question(), { signal });
  if (!signal.aborted) arrive(found);
}

/** Read the text; says whether it is a position. */
async function readText({ first = false } = {}) {
  const { signal } = asking;
  let found;
  try {
    found = await post("/api/analyse", { text: text.value, ...how() }, { signal });
  } catch (error) {
    if (error.status !== 422) throw error;
    complain(error);
    return false;
  }
  complain(null);
  if (!first) editor.remember();
  await editor.show(found.position);
  version++;
  closeSteps();
  arrive(found);
  return true;
}

async function choose(example) {
  text.value = example;
  await readText().catch(report);
}

async function readFile(chosen) {
  file.value = "";
  if (!chosen) return;
  if (chosen.size > LONGEST_FILE) return toast("This file is too long for a position.");
  text.value = (await chosen.text()).replaceAll("\r\n", "\n");
  if (await readText()) text.value = answer.position.text;
}

function complain(error) {
  wrong.hidden = !error;
  text.setAttribute("aria-invalid", Boolean(error));
  if (!error) return;
  const { line, column } = error.body;
  const where = line ? `Line ${line}${column ? `, column ${column}` : ""}: ` : "";
  const show = line ? button("Show it", () => point(line, column), ".quiet.small") : "";
  wrong.replaceChildren(`${where}${error.message}. `, show);
  wrong.scrollIntoView({ block: "nearest" });
}

/** Select what is wrong in the text. */
function point(line, column) {
  const before = text.value.split("\n").slice(0, line - 1);
  const from = before.reduce((sum, { length }) => sum + length + 1, 0) + (column ?? 1) - 1;
  text.focus();
  text.setSelectionRange(from, Math.min(from + 1, text.value.length));
}

/** After an edit by hand: what was known is not known any more. */
function edited() {
  text.value = editor.text;
  complain(null);
  version++;
  answer = null;
  closeSteps();
  editor.board.tint({});
  verdict.classList.add("busy");
  later(ask, SOON);
}

// Answers

function arrive(found) {
  answer = found;
  verdict.classList.remove("busy");
  const example = EXAMPLES.find(([, known]) => known === text.value);
  examples.value = example?.[1] ?? "";
  tell();
  paint();
  look(null);
  link(found.position.text ?? editor.text).then((path) => history.replaceState(null, "", path));
}

function tell() {
  const { clash, too_hard: hard, approximate } = answer;
  verdict.dataset.state = clash ? "clash" : hard ? "hard" : approximate ? "sampled" : "good";
  counted.hidden = true;
  sample.hidden = !hard || switches.sample.checked;
  facts.hidden = why.hidden = Boolean(clash || hard);
  move.hidden = !answer.best;
  best.textContent = answer.best?.sentence ?? "";
  editor.clash(Boolean(clash?.total));
  if (clash) tellClash(clash);
  else if (hard) tellHard(hard);
  else if (approximate) tellSampled();
  else tellCount();
  const covered = editor.cells.filter((code) => code >= MARKED).length;
  const rows = [
    ["Safe", answer.safe.length],
    ["Mined", answer.mined.length],
    ["Covered", covered],
    ["Mines", editor.mines ?? "?"],
  ];
  facts.replaceChildren(
    ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, `${value}`))),
  );
}

function tellClash(clash) {
  const trusted = switches.trust.checked && editor.cells.includes(MARKED);
  headline.textContent = "No minefield looks like this";
  reason.textContent = `${clash.sentence}${trusted ? " (Marks are trusted.)" : ""}`;
}

function tellHard(hard) {
  const words = `${hard.charAt(0).toUpperCase()}${hard.slice(1)}.`;
  const tried = switches.sample.checked;
  headline.textContent = tried ? "Too hard, even to sample" : "Too hard. Approximate?";
  reason.textContent = tried
    ? words
    : `${words} Sampling gives every chance with its error, and counts nothing.`;
}

function tellSampled() {
  const most = Math.max(0, ...answer.errors.filter((error) => error !== null));
  headline.textContent = "Sampled";
  reason.textContent =
    `Chances are right to about ±${percent(2 * most, 3)} (two standard errors, at worst). ` +
    "Nothing is called safe or mined that was not proved.";
}

/** Say how many minefields fit: in all digits while one can read them, then as a power of ten. */
function tellCount() {
  const { solutions } = answer;
  const unknown = "The mines are not known: minefields of any number count alike.";
  reason.textContent = editor.mines === null ? unknown : "";
  if (solutions === null) {
    headline.textContent = "Too many minefields to count in time";
  } else if (solutions === "1") {
    headline.textContent = "Exactly one minefield fits";
  } else if (solutions.length <= 12) {
    headline.textContent = `${Number(solutions).toLocaleString("en")} minefields fit`;
  } else {
    const head = Number(`${solutions[0]}.${solutions.slice(1, 6)}`).toPrecision(4);
    const power = el("sup", {}, `${solutions.length - 1}`);
    headline.replaceChildren(`${head} × 10`, power, " minefields fit");
    // Thin blanks between thousands, where the line may also break.
    digits.textContent = solutions.replace(/\B(?=(\d{3})+$)/g, "\u202f\u200b");
    counted.hidden = false;
  }
}

function paint() {
  if (!answer) return;
  if (solution) return paintStep();
  const certain = switches.certain.checked;
  editor.board.tint({
    clash: answer.clash?.clues,
    region: answer.hard,
    safe: certain ? answer.safe : [],
    mined: certain ? answer.mined : [],
    best: answer.best ? [answer.best.cell] : [],
    chances: switches.levels.checked ? answer.chances : {},
  });
}

// One cell

let known = { version: -1, cells: new Map() };
let looking = null;
let lookTimer = 0;

/** Tell about the covered cell under the cursor, or else about the best one. */
function look(cell) {
  clearTimeout(lookTimer);
  const covered = cell !== null && editor.cells[cell] >= MARKED;
  looking = covered ? cell : answer?.best?.cell;
  const chance = answer?.chances[looking] ?? null;
  cellPart.hidden = chance === null;
  if (chance === null) return;
  const name = editor.name(looking);
  const error = answer.errors?.[looking];
  cellName.textContent = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  cellSays.textContent = `${percent(chance, 6)} mined${error ? ` (± ${percent(error)})` : ""}`;
  if (known.version !== version) known = { version, cells: new Map() };
  if (known.cells.has(looking)) tellCell(known.cells.get(looking));
  else if (answer.approximate) cellNumbers.hidden = true;
  else lookTimer = setTimeout(() => askCell(looking, version).catch(() => {}), BEFORE_LOOKING);
}

async function askCell(cell, asked) {
  const found = await post("/api/analyse/cell", { ...question(), cell });
  if (asked !== version) return;
  known.cells.set(cell, found);
  if (cell === looking) tellCell(found);
}

function tellCell({ risk, fraction, numbers }) {
  const short = fraction?.includes("/") && fraction.length <= 15;
  if (short) cellSays.textContent = `${percent(risk, 6)} mined, exactly ${fraction}`;
  const bar = (number, chance) =>
    el(
      "li",
      {},
      el("span", {}, `${number}`),
      el("i", { style: { "--p": chance } }),
      el("span", {}, percent(chance)),
    );
  const bars = numbers.map((chance, number) => (chance > 0 ? bar(number, chance) : null)).filter(Boolean);
  cellNumbers.replaceChildren(...bars);
  cellNumbers.hidden = !bars.length;
}

// Steps

async function explain() {
  const asked = version;
  explainButton.disabled = true;
  try {
    const found = await post("/api/analyse/steps", question());
    if (asked !== version) return;
    solution = found;
    at = 0;
    explainButton.hidden = true;
    stepsBar.hidden = false;
    // On a narrow page the steps stay at the bottom of the window, the board above them.
    main.classList.add("stepping");
    paintStep();
    if (narrow.matches) editor.place.scrollIntoView({ block: "start" });
    stepOn.focus({ preventScroll: true });
  } finally {
    explainButton.disabled = false;
  }
}

function step(by) {
  if (!solution) return;
  at = Math.min(solution.steps.length, Math.max(0, at + by));
  paintStep();
}

/** Show a step: its clues, what follows, and what was known before; after the last, all of it. */
function paintStep() {
  const { steps, then } = solution;
  const now = steps[at];
  const told = steps.slice(0, at + 1);
  stepOf.textContent = now ? `${at + 1} of ${steps.length}` : steps.length ? "the end" : "";
  stepBack.disabled = at === 0;
  stepOn.disabled = at === steps.length;
  stepSays.textContent = now ? now.sentence : then;
  const chips = now ? [STEP_KINDS[now.kind], now.pattern].filter(Boolean) : [];
  stepKind.replaceChildren(...chips.map((words) => el("span.chip", {}, words)));
  editor.board.tint({
    clues: now?.clues,
    region: now ? [...now.clues, ...now.safe, ...now.mined] : [],
    safe: told.flatMap(({ safe }) => safe),
    mined: told.flatMap(({ mined }) => mined),
  });
  if (now) editor.board.reveal([...now.safe, ...now.mined]);
}

function closeSteps() {
  solution = null;
  main.classList.remove("stepping");
  explainButton.hidden = false;
  stepsBar.hidden = true;
  stepKind.replaceChildren();
  stepSays.textContent = "";
  paint();
}

// Sharing

async function copyLink() {
  const path = await link(editor.text);
  await copy(new URL(path, location.href).href, "The link is copied: it holds the whole position.");
}

async function copy(words, done) {
  try {
    await navigator.clipboard.writeText(words);
    toast(done, "done");
  } catch {
    toast("The browser did not let this be copied: take it from the page or its address.");
  }
}

/** The text that a link holds, in the signs the page itself writes. */
async function linked() {
  return (await textOf(location.hash))?.replaceAll("H", "#") ?? null;
}

function onKey(event) {
  if (typing(event) || document.querySelector("dialog:modal")) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    editor.travel(key === "z" && !event.shiftKey ? "back" : "on");
  } else if (key === "[") {
    step(-1);
  } else if (key === "]") {
    if (solution) step(1);
    else if (answer && !why.hidden) explain().catch(report);
  }
}

const examples = el("select", {
  "aria-label": "Examples",
  onchange: () => examples.value && choose(examples.value),
});
examples.append(
  el("option", { value: "" }, "Own position"),
  ...EXAMPLES.map(([name, value]) => el("option", { value }, name)),
);

async function start() {
  editor = new Editor(await get("/api/meta"));
  const example = el("label.field", {}, el("span", {}, "Example"), examples);
  const under = el(
    "div.under",
    {},
    zoomControl(() => editor.board),
    el(
      "div.cluster",
      {},
      editor.undo,
      editor.redo,
      button("Cover all", () => editor.coverAll(), ".quiet.small"),
      button("Copy link", () => copyLink().catch(report), ".quiet.small"),
    ),
  );
  const stage = el(
    "section.stage",
    { "aria-label": "Position" },
    el("div.setup", {}, example, ...editor.setup),
    editor.pens,
    editor.place,
    under,
  );
  main.append(
    el("h1.visually-hidden", {}, "Analyse a position"),
    el("div.page.analyse", {}, stage, el("div.side", {}, verdict, move, why, textPanel, shown)),
  );
  editor.addEventListener("edited", edited);
  editor.addEventListener("hover", ({ detail }) => look(detail.cell));
  await begin();
}

async function begin() {
  const given = await linked();
  if (given === null && location.hash.length > 1) {
    toast("This link holds no position that can be read.");
  }
  // A text with a mistake stays to be mended; something has to stand on the board all the same.
  const { position } = await post("/api/analyse", { text: EXAMPLES.at(-1)[1] });
  await editor.show(position);
  text.value = given ?? EXAMPLES[0][1];
  if (!(await readText({ first: true }))) await ask();
}

addEventListener("keydown", onKey);
addEventListener("hashchange", async () => {
  const given = await linked();
  if (given !== null && given !== editor.text) await choose(given);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  readFile(event.dataTransfer.files[0]).catch(report);
});

start().catch(report);
