// The analyse page: a position one draws or pastes, and what follows from it, as one edits.

import { Problem, get, layout as askLayout, post } from "./api.js";
import { Board, COVERED, MARKED, MINED, SAFE, names, percent, zoomControl } from "./board.js";
import { TOPOLOGIES, link, textOf, writeText } from "./position.js";
import { pref, setPref } from "./prefs.js";
import { dialog, el, report, shell, toast, typing } from "./shell.js";

const SOON = 120;
const AFTER_TYPING = 350;
const MOST_UNDO = 200;
const LARGEST = { neumann: 4, hex: 6, box: 26 };

const EXAMPLES = [
  ["Begin here", "9x9x10\n#########\n#1#####2#\n#113#32##\n###2112##\n###1002##\n#11100111\n#10000000\n#10000000\n#10000000"],
  ["A guess is needed", "16x16x40\n################\n################\n##########3##2##\n#######3#3#22#21\n####3#3#22222110\n13#32132212#1011\n0111001#23#3101#\n00111012#4#41011\n001#100113##1000\n0011211001232100\n00001#100002#200\n011222100002#200\n02#3#10122111100\n02#31101##221100\n1232100123#2#100\n1#2#100001121100"],
  ["One-two-one", "5x3x?\n#####\n11211\n00000"],
  ["Clues that clash", "6x4x8\n######\n#1##2#\n##31##\n######"],
  ["Expert", "30x16x99\n#3#211001#2#11#22#2111########\n2#22#2111232112#212#11########\n122223#212#210122234323#######\n01#33#44#22#1002#4###2########\n012##5##21111013##############\n1123#4#31000002#5#############\n1#1112221001234###############\n1232101#1113###4##############\n01##101112#4#55###############\n0122211002#423################\n22223#101222#223##############\n##2##4212#211112##############\n2223#3#34#20002###############\n0001122##420013###############\n11011113##3102#4##############\n#101#1013##102################"],
  ["Hexagons", "10x9x18 hex\n####11#21#\n###202#122\n13#200112#\n01210001##\n001#10002#\n0011000011\n0000121011\n1112##11#1\n1#2#221011"],
  ["Empty", "9x9x?\n" + Array(9).fill("#########").join("\n")],
];

const main = shell({
  page: "/analyse",
  keys: [
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

/** @type {{layout: any, cells: number[], mines: number|null}|null} */
let drawn = null;
let board = null;
let answer = null;
let solution = null;
let at = 0;
let pen = null;
let asking = new AbortController();
let waiting = 0;
let version = 0;
const past = [];
const future = [];

// The parts of the page

const button = (words, act, kind = "", more = {}) => el(`button.button${kind}`, { type: "button", onclick: act, ...more }, words);

const examples = el("select", { "aria-label": "Examples", onchange: () => choose(examples.value) });
const topology = el("select", { onchange: reshape });
const sides = el("input", { inputmode: "text", autocomplete: "off", spellcheck: "false", onchange: reshape });
const total = el("input", { inputmode: "numeric", autocomplete: "off", placeholder: "not known", oninput: retotal });
const setup = el(
  "div.setup",
  {},
  el("label.field", {}, el("span", {}, "Example"), examples),
  el("label.field", {}, el("span", {}, "Topology"), topology),
  el("label.field", {}, el("span", {}, "Size"), sides),
  el("label.field", {}, el("span", {}, "Mines"), total),
);
const pens = el("div.pens", { role: "radiogroup", "aria-label": "Pen", onkeydown: turnPens });
const place = el("div.place");
const undoButton = button("Undo", () => travel(past, future), ".quiet.small");
const redoButton = button("Redo", () => travel(future, past), ".quiet.small");
const under = el(
  "div.under",
  {},
  zoomControl(() => board),
  el("div.cluster", {}, undoButton, redoButton, button("Cover all", coverAll, ".quiet.small"), button("Copy link", copyLink, ".quiet.small")),
);

const headline = el("h2");
const reason = el("p");
const counted = el("details.count", { hidden: true }, el("summary", {}, "All its digits"), el("p"));
const sample = button("Approximate", () => setSwitch("sample", true), ".primary");
const facts = el("dl.facts");
const verdict = el("section.panel.verdict", { "aria-label": "What follows", role: "status" }, headline, reason, sample, counted, facts);

const cellName = el("h3");
const cellSays = el("p.chance");
const cellNumbers = el("ol.bars", { "aria-label": "The number it would show" });
const cellPanel = el("div.stack.of-cell", {}, cellName, cellSays, cellNumbers);
const best = el("p");
const move = el("section.panel", { "aria-label": "Best move" }, el("h2", {}, "Best move"), best, el("hr"), cellPanel);

const stepSays = el("p.sentence", { role: "status" });
const stepKind = el("div.cluster");
const stepOf = el("span.note");
const explainButton = button("Explain step by step", () => explain().catch(report), ".primary");
const stepBack = button("‹ Before", () => step(-1), ".small", { "aria-label": "The step before" });
const stepOn = button("Next ›", () => step(1), ".small", { "aria-label": "The next step" });
const stepsBar = el("div.cluster.spread", { hidden: true }, el("div.cluster", {}, stepBack, stepOn, stepOf), button("Close", closeSteps, ".quiet.small"));
const stepsPanel = el("section.panel", { "aria-label": "Explanation" }, el("h2", {}, "Why"), explainButton, stepsBar, stepKind, stepSays);

const text = el("textarea", { spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: 8, "aria-label": "The position as text", oninput: () => later(readText, AFTER_TYPING) });
const wrong = el("p.wrong-text", { role: "alert", hidden: true });
const file = el("input", { type: "file", hidden: true, onchange: () => readFile(file.files[0]).catch(report) });
const textPanel = el(
  "section.panel",
  { "aria-label": "As text" },
  el("div.cluster.spread", {}, el("h2", {}, "As text"), button("What is read?", () => formats.showModal(), ".quiet.small")),
  text,
  wrong,
  el("div.cluster", {}, button("Open a file", () => file.click(), ".small"), button("Copy", () => copy(text.value, "The text is copied."), ".small"), file),
);
const switches = {};
const shown = el(
  "section.panel",
  { "aria-label": "What is shown" },
  el("h2", {}, "What is shown"),
  el(
    "div",
    {},
    toggle("levels", "Chances", "as fill level, the number at the cursor", true),
    toggle("certain", "Certain cells", "a tick where safe, a dot where mined", true),
    toggle("trust", "Trust marks", "marked cells are mined", false),
    toggle("sample", "Approximate", "sample where exact is too hard", false),
  ),
);
const formats = dialog(
  "What is read",
  el("p", {}, "One line a row. A first line such as ", el("code", {}, "30x16x99"), " or ", el("code", {}, "10x9x? hex"), " says size, mines (? if not known) and topology; without it the mines are not known."),
  el("dl.keys", {}, [
    ["0 … 9, .", "open; . is 0, (12) a larger number"],
    ["#, H, ?", "covered; also h, ■, ⬛, 🟦, 🟩"],
    ["F, *", "marked; also f, 🚩, ⚑"],
    ["-, !", "known to be safe, known to be mined (also 💣)"],
  ].flatMap(([key, what]) => [el("dt", {}, key.split(", ").flatMap((part, nth) => [nth ? " " : null, el("kbd", {}, part)])), el("dd", {}, what)])),
  el("p", {}, "Blanks, tabs, commas or bars between cells, and frames around them, are passed over. A file may be dropped on the page."),
);

main.append(
  el("h1.visually-hidden", {}, "Analyse a position"),
  el(
    "div.page.analyse",
    {},
    el("section.stage", { "aria-label": "Position" }, setup, pens, place, under),
    el("div.side", {}, verdict, move, stepsPanel, textPanel, shown),
  ),
);

function toggle(name, title, what, on) {
  const input = el("input", { type: "checkbox", role: "switch", onchange: () => setSwitch(name, input.checked) });
  input.checked = pref(`analyse.${name}`, on ? "on" : "off") === "on";
  switches[name] = input;
  return el("label.switch", {}, el("span", {}, title, el("small", {}, what)), input);
}

function setSwitch(name, on) {
  switches[name].checked = on;
  // What changes the answer holds for this visit only; what changes its look is remembered.
  if (name === "trust" || name === "sample") later(ask, 0);
  else setPref(`analyse.${name}`, on ? "on" : "off");
  paint();
}

// The position

/** Show another position; the board is built anew where its layout is another. */
async function show({ topology: name, shape, mines, cells }) {
  const layout = await askLayout(name, shape);
  if (!drawn || layout !== drawn.layout) {
    board?.close();
    board = new Board(place, layout, { label: "Position", edit: true, room: () => innerHeight - (innerWidth < 992 ? 260 : 230) });
    listen(board);
    fillPens(LARGEST[name] ?? 8);
  }
  drawn = { layout, cells: [...cells], mines };
  board.set(cells);
  topology.value = name;
  sides.value = shape.join("x");
  if (document.activeElement !== total) total.value = mines ?? "";
}

const keep = () => ({ topology: drawn.layout.topology, shape: drawn.layout.shape, mines: drawn.mines, cells: [...drawn.cells] });

function remember() {
  past.push(keep());
  if (past.length > MOST_UNDO) past.shift();
  future.length = 0;
  undone();
}

function undone() {
  undoButton.disabled = !past.length;
  redoButton.disabled = !future.length;
}

async function travel(from, to) {
  if (!from.length) return;
  to.push(keep());
  await show(from.pop());
  undone();
  edited();
}

function put(cell, code) {
  if (drawn.cells[cell] === code) return;
  remember();
  drawn.cells[cell] = code;
  board.change([[cell, code]]);
  edited();
}

/** After an edit by hand: what was known is not known any more. */
function edited() {
  text.value = writeText(drawn.layout, drawn.cells, drawn.mines);
  complain(null);
  version++;
  closeSteps();
  answer = null;
  board.tint({});
  verdict.classList.add("busy");
  later(ask, SOON);
}

function next(code, by) {
  const most = LARGEST[drawn.layout.topology] ?? 8;
  const order = [MARKED, COVERED, ...Array(most + 1).keys()];
  const now = order.indexOf(code);
  return order[(Math.max(now, 0) + by + order.length) % order.length];
}

function listen(of) {
  let drag = false;
  const draw = (cell) => put(cell, pen ?? next(drawn.cells[cell], 1));
  of.addEventListener("open", ({ detail }) => draw(detail.cell));
  of.addEventListener("mark", ({ detail }) => put(detail.cell, drawn.cells[detail.cell] === MARKED ? COVERED : MARKED));
  of.addEventListener("chord", ({ detail }) => put(detail.cell, COVERED));
  of.addEventListener("wheel", (event) => {
    // On a board that scrolls the wheel scrolls.
    const frame = place.querySelector(".board-frame");
    if (frame.scrollHeight > frame.clientHeight + 2) return;
    event.preventDefault();
    put(event.detail.cell, next(drawn.cells[event.detail.cell], event.detail.by));
  });
  of.addEventListener("key", (event) => {
    const { cell, key } = event.detail;
    const code = { "#": COVERED, Delete: COVERED, Backspace: COVERED, "-": SAFE, "!": MINED, "+": next(drawn.cells[cell], 1) }[key];
    const number = /^[0-9]$/.test(key) ? Number(key) : code;
    if (number === undefined) return;
    event.preventDefault();
    put(cell, number);
  });
  of.addEventListener("hover", ({ detail }) => {
    if (drag !== false && pen !== null && detail.cell !== null) {
      if (drag !== null) put(drag, pen);
      drag = null;
      put(detail.cell, pen);
    }
    look(detail.cell);
  });
  place.onmousedown = (event) => (drag = event.button === 0 ? of.at : false);
  document.onmouseup = () => (drag = false);
}

function fillPens(most) {
  const kinds = [
    [null, "Count up", "Each click one more: covered, 0, 1, 2 …", "+1"],
    [COVERED, "Covered", "", "covered"],
    [MARKED, "Marked", "", "covered marked"],
    ...Array.from({ length: Math.min(most, 8) + 1 }, (_, number) => [number, `${number}`, "", number ? `open number n${number}` : "open"]),
    [SAFE, "Known to be safe", "", "open number unread"],
    [MINED, "Known to be mined", "", "mine"],
  ];
  pens.replaceChildren(
    ...kinds.map(([code, name, what, look]) =>
      el(
        "button.pen",
        { type: "button", role: "radio", "aria-label": name, title: what || name, onclick: () => choosePen(code), "data-code": code ?? "up" },
        look === "+1" ? "+1" : el("i", { class: `cell ${look}` }),
      ),
    ),
  );
  choosePen(pen !== null && pen <= most ? pen : pen !== null && pen > 251 ? pen : null);
}

function choosePen(code) {
  pen = code;
  for (const each of pens.children) {
    const chosen = each.dataset.code === `${code ?? "up"}`;
    each.setAttribute("aria-checked", chosen);
    each.tabIndex = chosen ? 0 : -1;
  }
}

function turnPens(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const all = [...pens.children];
  const to = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
  to.click();
  to.focus();
}

/** Another size or topology: what was drawn stays where it still fits. */
async function reshape() {
  try {
    const shape = readSides();
    const layout = await askLayout(topology.value, shape);
    // A flat board is the first layer of a box.
    const name = (place) => [...Array(4 - place.length).fill(0), ...place].join();
    const old = new Map(drawn.layout.coordinates.map((place, cell) => [name(place), drawn.cells[cell]]));
    const cells = layout.coordinates.map((place) => old.get(name(place)) ?? COVERED);
    remember();
    await show({ topology: topology.value, shape, mines: drawn.mines, cells });
    edited();
  } catch (error) {
    topology.value = drawn.layout.topology;
    sides.value = drawn.layout.shape.join("x");
    report(error);
  }
}

function readSides() {
  const shape = sides.value.trim().toLowerCase().split(/\s*[x×*]\s*/).map(Number);
  if (shape.length < 2 || !shape.every((side) => Number.isInteger(side) && side > 0)) {
    throw new Problem("a size is width x height, such as 9x9");
  }
  const most = topology.selectedOptions[0].dataset.sides;
  // Another topology may have fewer sides; a size that was typed is taken at its word.
  return topology.value === drawn.layout.topology ? shape : shape.slice(0, most);
}

function retotal() {
  const given = total.value.trim();
  const mines = given === "" || given === "?" ? null : Number(given);
  const good = mines === null || (Number.isInteger(mines) && mines >= 0 && mines <= 1e6);
  total.setAttribute("aria-invalid", !good);
  if (!good || mines === drawn.mines) return;
  remember();
  drawn.mines = mines;
  edited();
}

function coverAll() {
  remember();
  drawn.cells.fill(COVERED);
  board.set(drawn.cells);
  edited();
}

// Questions

function later(act, delay) {
  clearTimeout(waiting);
  asking.abort();
  asking = new AbortController();
  waiting = setTimeout(() => act().catch(report), delay);
}

const question = () => ({
  drawn: { topology: drawn.layout.topology, shape: drawn.layout.shape, mines: drawn.mines, cells: drawn.cells },
  trust_marks: switches.trust.checked,
  approximate: switches.sample.checked,
});

async function ask() {
  verdict.classList.add("busy");
  const { signal } = asking;
  const found = await post("/api/analyse", question(), { signal });
  if (!signal.aborted) arrive(found);
}

async function readText() {
  const { signal } = asking;
  const given = { text: text.value, trust_marks: switches.trust.checked, approximate: switches.sample.checked };
  let found;
  try {
    found = await post("/api/analyse", given, { signal });
  } catch (error) {
    if (error.status !== 422) throw error;
    complain(error);
    return false;
  }
  complain(null);
  if (drawn) remember();
  await show(found.position);
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
  if (chosen.size > 100_000) return toast("This file is too long for a position.");
  text.value = (await chosen.text()).replaceAll("\r\n", "\n");
  await readText();
}

function complain(error) {
  wrong.hidden = !error;
  text.setAttribute("aria-invalid", Boolean(error));
  if (!error) return;
  const { line, column } = error.body;
  const where = line ? `Line ${line}${column ? `, column ${column}` : ""}: ` : "";
  wrong.replaceChildren(`${where}${error.message}. `, line ? button("Show it", () => point(line, column), ".quiet.small") : "");
  wrong.scrollIntoView({ block: "nearest" });
}

function point(line, column) {
  const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const from = before + (column ?? 1) - 1;
  text.focus();
  text.setSelectionRange(from, Math.max(from, Math.min(from + 1, text.value.length)));
}

// Answers

function arrive(found) {
  answer = found;
  verdict.classList.remove("busy");
  examples.value = EXAMPLES.some(([, example]) => example === text.value) ? text.value : "";
  tell();
  paint();
  look(null);
  link(text.value).then((path) => history.replaceState(null, "", path));
}

function tell() {
  const { clash, too_hard: hard, approximate, solutions } = answer;
  const state = clash ? "clash" : hard ? "hard" : approximate ? "sampled" : "good";
  verdict.dataset.state = state;
  sample.hidden = !(hard && !switches.sample.checked);
  counted.hidden = true;
  if (clash) {
    headline.textContent = "No minefield looks like this";
    reason.textContent = clash.sentence + (switches.trust.checked && drawn.cells.includes(MARKED) ? " (Marks are trusted.)" : "");
  } else if (hard) {
    headline.textContent = switches.sample.checked ? "Too hard, even to sample" : "Too hard. Approximate?";
    reason.textContent = `${sentence(hard)} ${switches.sample.checked ? "" : "Sampling gives every chance with its error, and counts nothing."}`;
  } else if (approximate) {
    const errors = answer.errors.filter((error) => error !== null);
    headline.textContent = "Sampled";
    reason.textContent = `Chances are right to about ±${percent(2 * Math.max(0, ...errors), 3)} (two standard errors at worst). Nothing is called safe or mined that was not proved.`;
  } else {
    headline.replaceChildren(...many(solutions));
    const known = drawn.mines === null ? "The mines are not known: minefields of any number count alike." : "";
    reason.textContent = known;
  }
  const covered = drawn.cells.filter((code) => code >= MARKED).length;
  facts.hidden = Boolean(clash || hard);
  facts.replaceChildren(
    ...[["Safe", answer.safe.length], ["Mined", answer.mined.length], ["Covered", covered], ["Mines", drawn.mines ?? "?"]].map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, `${value}`)),
    ),
  );
  move.hidden = !answer.best;
  stepsPanel.hidden = Boolean(clash || hard);
  if (answer.best) best.textContent = answer.best.sentence;
  total.classList.toggle("clashing", Boolean(clash?.total));
}

const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** How many minefields fit: all digits while one can read them, a power of ten beyond. */
function many(solutions) {
  if (solutions === null) return ["Too many minefields to count in time"];
  if (solutions === "1") return ["Exactly one minefield fits"];
  if (solutions.length <= 12) return [`${Number(solutions).toLocaleString("en")} minefields fit`];
  counted.hidden = false;
  counted.lastElementChild.textContent = solutions.replace(/\B(?=(\d{3})+$)/g, "\u202f\u200b");
  const head = Number(`${solutions[0]}.${solutions.slice(1, 5)}`).toFixed(3);
  return [`${head} × 10`, el("sup", {}, `${solutions.length - 1}`), " minefields fit"];
}

function paint() {
  place.classList.toggle("clash", Boolean(answer?.clash));
  if (!answer) return;
  if (solution) return paintStep();
  const certain = switches.certain.checked;
  board.tint({
    clues: answer.clash?.clues,
    region: answer.too_hard ? answer.hard : [],
    safe: certain ? answer.safe : [],
    mined: certain ? answer.mined : [],
    best: answer.best ? [answer.best.cell] : [],
    chances: switches.levels.checked ? answer.chances : {},
  });
}

// One cell

let cells = { version: -1, known: new Map() };
let lookTimer = 0;

/** Tell about the covered cell under the cursor, or else about the best one. */
function look(cell) {
  clearTimeout(lookTimer);
  const chosen = cell !== null && drawn.cells[cell] >= MARKED ? cell : answer?.best?.cell;
  if (!answer || chosen === undefined || answer.chances[chosen] == null) {
    cellPanel.hidden = true;
    return;
  }
  cellPanel.hidden = false;
  const name = names(drawn.layout)[chosen];
  cellName.textContent = name.charAt(0).toUpperCase() + name.slice(1);
  const error = answer.errors?.[chosen];
  cellSays.textContent = `${percent(answer.chances[chosen], 6)} mined${error ? ` (± ${percent(error, 4)})` : ""}`;
  if (cells.version !== version) cells = { version, known: new Map() };
  if (cells.known.has(chosen)) return tellCell(cells.known.get(chosen));
  if (!answer.approximate) lookTimer = setTimeout(() => askCell(chosen, version).catch(() => {}), 150);
  else tellCell({ numbers: [], fraction: null });
}

async function askCell(cell, asked) {
  const found = await post("/api/analyse/cell", { ...question(), cell });
  if (asked !== version) return;
  cells.known.set(cell, found);
  const name = names(drawn.layout)[cell];
  if (cellName.textContent.toLowerCase() === name) tellCell(found);
}

function tellCell({ risk, fraction, numbers }) {
  const short = fraction !== null && fraction.includes("/") && fraction.length <= 15;
  if (short) cellSays.textContent = `${percent(risk, 6)} mined, exactly ${fraction}`;
  const safe = numbers.reduce((sum, chance) => sum + chance, 0);
  cellNumbers.hidden = safe === 0;
  cellNumbers.replaceChildren(
    ...numbers.flatMap((chance, number) =>
      chance > 0
        ? [el("li", {}, el("span", {}, `${number}`), el("i", { style: { "--p": chance } }), el("span", {}, percent(chance)))]
        : [],
    ),
  );
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
    paintStep();
    stepOn.focus();
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
  const known = steps.slice(0, at + 1);
  stepOf.textContent = now ? `${at + 1} of ${steps.length}` : steps.length ? "the end" : "";
  stepBack.disabled = at === 0;
  stepOn.disabled = at === steps.length;
  stepSays.textContent = now ? now.sentence : then;
  const kinds = ["one clue", "several clues", "with the mine total"];
  stepKind.replaceChildren(...(now ? [el("span.chip", {}, kinds[now.kind]), now.pattern ? el("span.chip", {}, now.pattern) : ""] : []));
  board.tint({
    clues: now?.clues,
    region: now ? [...now.clues, ...now.safe, ...now.mined] : [],
    safe: known.flatMap((each) => each.safe),
    mined: known.flatMap((each) => each.mined),
  });
}

function closeSteps() {
  solution = null;
  explainButton.hidden = false;
  stepsBar.hidden = true;
  stepKind.replaceChildren();
  stepSays.textContent = "";
  paint();
}

// Sharing

async function copyLink() {
  const path = await link(text.value);
  await copy(new URL(path, location.href).href, "The link is copied: it holds the whole position.");
}

async function copy(words, done) {
  try {
    await navigator.clipboard.writeText(words);
    toast(done, "done");
  } catch {
    toast("The browser did not let this be copied: take it from the address bar.");
  }
}

addEventListener("hashchange", async () => {
  const given = await textOf(location.hash);
  if (given !== null && given !== text.value.replaceAll("#", "H")) await choose(given.replaceAll("H", "#"));
});
addEventListener("keydown", (event) => {
  if (typing(event) || document.querySelector("dialog:modal")) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && !event.shiftKey) travel(past, future).catch(report);
    else if (key === "y" || key === "z") travel(future, past).catch(report);
    else return;
    event.preventDefault();
  } else if (key === "]") {
    if (solution) step(1);
    else if (!stepsPanel.hidden) explain().catch(report);
  } else if (key === "[") step(-1);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [given] = event.dataTransfer.files;
  if (given) readFile(given).catch(report);
});

async function start() {
  const meta = await get("/api/meta");
  topology.append(...meta.topologies.map(({ name, summary, sides: [, most] }) => el("option", { value: name, title: summary, "data-sides": most }, TOPOLOGIES[name] ?? name)));
  examples.append(el("option", { value: "" }, "Own position"), ...EXAMPLES.map(([name, value]) => el("option", { value }, name)));
  undone();
  const given = location.hash.length > 1 ? await textOf(location.hash) : null;
  if (location.hash.length > 1 && given === null) toast("This link holds no position that can be read.");
  text.value = (given ?? EXAMPLES[0][1]).replaceAll("H", "#");
  if (!(await readText())) {
    // The text stays, with what is wrong in it; something has to stand on the board.
    const { position } = await post("/api/analyse", { text: EXAMPLES.at(-1)[1] });
    await show(position);
    await ask();
  }
}

start().catch(report);
