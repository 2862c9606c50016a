// The Bullets page: the puzzle of the day, puzzles made to taste, pencil marks, hints, the worked
// solution, and paper. The server makes and judges; this draws, and keeps the marks.

import { get, layout, post, put } from "./api.js";
import { BOARDS, button, maker } from "./maker.js";
import { draw, Pencil } from "./pencil.js";
import { pref, setPref } from "./prefs.js";
import { clock, el, report, shell, toast, typing } from "./shell.js";

const TYPES = ["one clue", "several clues", "the number of bullets"];
const LEVELS = { easy: 1, medium: 2, hard: 3 };

const main = shell({
  page: "/bullets",
  moves: false,
  keys: [
    ["Arrows", "move over the board"],
    ["Enter, Space", "draw: a bullet, then a slash, then nothing"],
    ["B", "bullet"],
    ["S, X", "slash"],
    ["Delete", "rub out"],
    ["U", "take back"],
    ["H", "hint, one step further each time"],
    ["K", "check"],
  ],
});

/** The puzzle on the page, and all that belongs to it. */
let puzzle = null;
let places = null;
let pencil = null;
let past = [];
let future = [];
let state = fresh();
let level = 0;
let kept = new Map();
let saving = 0;
let asking = new AbortController();

/** Whether anything is drawn. */
function begun(marks) {
  return /[o/]/.test(marks ?? "");
}

function fresh() {
  return { marks: "", seconds: 0, solved: false, helped: false };
}

// The parts of the page

const left = el("span", { "aria-hidden": "true" }, "–");
const leftBox = el("div.counter", { role: "img", "aria-label": "bullets left" }, el("i.dot"), left);
const title = el("h1", {}, "Bullets");
const about = el("span.about", {}, " ");
const timer = el("div.counter.time", { role: "timer", "aria-label": "time" }, "0:00");
const status = el("header.status", {}, leftBox, el("div.name", {}, title, about), timer);
const sheet = el("div.desk", { "aria-busy": "true" });
const tools = el(
  "div.segmented",
  { role: "radiogroup", "aria-label": "A click or tap draws" },
  [["o", "Bullet", "dot"], ["/", "Slash", "stroke"]].map(([mark, name, look]) =>
    el("label", {}, el("input", {
      type: "radio", name: "tool", value: mark, checked: mark === "o", onchange: () => (pencil.tool = mark),
    }), el(`i.${look}`), name),
  ),
);
const undoButton = button("Undo", undo, "small", "quiet");
const redoButton = button("Redo", redo, "small", "quiet");
const clearButton = button("Clear", clear, "small", "quiet");
const under = el("div.under", {}, tools, el("div.cluster", {}, undoButton, redoButton, clearButton));
const checkButton = button("Check", () => check(false));
const dots = el("span.dots", { "aria-hidden": "true" }, el("i"), el("i"), el("i"));
const hintButton = el("button.button", { type: "button", onclick: hint }, "Hint", dots);
const said = el("p", {});
const more = el("div.cluster");
const answer = el("div.answer", { role: "status" }, said, more);
const days = el("div.days", { role: "group", "aria-label": "The last seven days" });
const dayField = el("input", {
  type: "date", "aria-label": "Another day", min: "2000-01-01", max: iso(new Date()),
  onchange: () => dayField.value && go({ day: dayField.value }),
});
const facts = el("dl.facts");
const workedBody = el("div.worked");
const worked = el(
  "details.panel.solution",
  { ontoggle: () => worked.open && showSolution().catch(report) },
  el("summary", {}, el("h2", {}, "The worked solution"), el("span.note", {}, "every step and its reason")),
  workedBody,
);
const printed = el("section.printed", { "aria-hidden": "true" });

main.append(
  el(
    "div.page.bullets",
    {},
    el(
      "div.stage",
      {},
      status,
      sheet,
      under,
      el("section.panel.ask", { "aria-label": "Help" }, el("div.asks", {}, checkButton, hintButton), answer),
    ),
    el(
      "aside.side",
      {},
      el("section.panel", {}, el("div.title", {}, el("h2", {}, "Daily puzzle"), dayField), days),
      maker(showMade),
      el(
        "section.panel",
        {},
        el("h2", {}, "This puzzle"),
        facts,
        el(
          "div.cluster.along",
          {},
          button("Print", () => print(), "small"),
          button("PDF, A4", () => save("pdf", "paper=a4", "bullets.pdf"), "small"),
          button("PDF, Letter", () => save("pdf", "paper=letter", "bullets.pdf"), "small"),
          button("SVG", () => save("svg", "what=puzzle", "bullets.svg"), "small"),
          button("Copy link", copyLink, "small"),
        ),
        countsSwitch(),
      ),
    ),
    worked,
  ),
  printed,
);

function countsSwitch() {
  const input = el("input", {
    type: "checkbox", role: "switch", checked: counting(),
    onchange: () => {
      setPref("bullets.counts", input.checked ? "on" : "off");
      if (pencil) pencil.counts = input.checked;
    },
  });
  return el(
    "label.switch",
    {},
    el("span", {}, "Count for me", el("small", {}, "dim clues that are done, warn of those that cannot be")),
    input,
  );
}

function counting() {
  return pref("bullets.counts", "on") === "on";
}

// Which puzzle

function iso(day) {
  const two = (number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Go to a puzzle: {day} or {code}; the address says which, so that it can be shared. */
function go({ day, code }, made = null) {
  const query = day ? `day=${day}` : `p=${encodeURIComponent(code)}`;
  history.pushState(null, "", `/bullets?${query}`);
  return open(made);
}

/** Show the puzzle of the address; `made` is the server's answer if it is at hand. */
async function open(made = null) {
  await keep().catch(report);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  sheet.setAttribute("aria-busy", "true");
  try {
    const found = made ?? (await ask(signal));
    const drawn = await layout(found.topology, found.shape);
    await remember();
    if (!signal.aborted) show(found, drawn);
  } catch (error) {
    report(error);
    if (!puzzle && error.name !== "AbortError" && location.search) {
      history.replaceState(null, "", "/bullets");
      await open();
    }
  } finally {
    if (!signal.aborted) sheet.removeAttribute("aria-busy");
  }
}

function ask(signal) {
  const asked = new URLSearchParams(location.search);
  const code = asked.get("p");
  if (code) return get(`/api/bullets/puzzle?code=${encodeURIComponent(code)}`, { signal });
  const day = asked.get("day") ?? iso(new Date());
  return get(`/api/bullets/daily?date=${encodeURIComponent(day)}`, { signal });
}

function show(found, drawn) {
  pencil?.close();
  puzzle = found;
  places = drawn;
  pencil = new Pencil(sheet, puzzle, places);
  pencil.tool = tools.querySelector(":checked").value;
  pencil.counts = counting();
  pencil.addEventListener("draw", (event) => drew(event.detail.before));
  sheet.style.setProperty("--across", places.width);
  sheet.style.setProperty("--down", places.height);
  state = { ...fresh(), ...kept.get(key()) };
  if (state.marks.length !== places.size || !/^[.o/]+$/.test(state.marks)) state.marks = ".".repeat(places.size);
  past = [];
  future = [];
  pencil.set(state.marks);
  pencil.live = !state.solved;
  worked.open = false;
  workedBody.replaceChildren();
  describe();
  forget();
  refresh();
  showDays();
  if (state.solved) say(solvedWords());
}

function key() {
  return puzzle.date ? `day-${puzzle.date}` : puzzle.code;
}

function longDay(day) {
  const [year, month, date] = day.split("-").map(Number);
  const form = { weekday: "long", day: "numeric", month: "long" };
  if (year !== new Date().getFullYear()) form.year = "numeric";
  return new Date(year, month - 1, date).toLocaleDateString("en-GB", form);
}

function describe() {
  const { grade } = puzzle;
  const clues = Object.keys(puzzle.around).length;
  title.textContent = puzzle.date ? longDay(puzzle.date) : "Bullets";
  const sides = puzzle.shape.join(" × ");
  about.replaceChildren(
    `${sides}${puzzle.topology === "moore" ? "" : `, ${puzzle.topology}`} · `,
    el("span.level", {}, grade.difficulty, " ", meter(grade.difficulty)),
  );
  document.title = `${puzzle.date ? `Bullets of ${puzzle.date}` : `Bullets ${sides}`} · Minewright`;
  facts.replaceChildren(
    fact("Bullets", puzzle.bullets),
    fact("Clues", clues),
    fact("By one clue", plural(grade.single, "step")),
    fact("By several", plural(grade.several, "step")),
    fact("By the total", plural(grade.total, "bullet")),
    fact("Energy", grade.energy.toLocaleString("en-GB").replace("-", "−"), "Of Neller and Tran: the lower, the better"),
    ...(puzzle.seed === null ? [] : [fact("Seed", puzzle.seed)]),
  );
  printed.replaceChildren(...printSheet());
}

function fact(name, value, hintText = null) {
  return el("div", { title: hintText }, el("dt", {}, name), el("dd", {}, String(value)));
}

function plural(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Difficulty as dots, as in the book. */
function meter(difficulty) {
  return el("span.dots", { "aria-hidden": "true" }, [1, 2, 3].map((dot) =>
    el(dot <= LEVELS[difficulty] ? "i.on" : "i"),
  ));
}

/** Show a puzzle just made. */
async function showMade(made) {
  await go({ code: made.code }, made);
  scrollTo({ top: 0, behavior: "smooth" });
}

// Days

function showDays() {
  const today = new Date();
  const week = [6, 5, 4, 3, 2, 1, 0].map((ago) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - ago),
  );
  days.replaceChildren(...week.map((day) => {
    const name = iso(day);
    const found = kept.get(`day-${name}`);
    const mark = found?.solved ? "solved" : begun(found?.marks) ? "begun" : "";
    return el(
      "button",
      {
        type: "button", "aria-current": puzzle?.date === name ? "date" : null, "data-state": mark,
        "aria-label": `${longDay(name)}${mark ? `, ${mark}` : ""}`, onclick: () => go({ day: name }),
      },
      el("small", {}, day.toLocaleDateString("en-GB", { weekday: "short" })),
      el("b", {}, String(day.getDate())),
      el("i"),
    );
  }));
  dayField.value = puzzle?.date ?? "";
}

// Pencil marks

function drew(before) {
  past.push(before);
  future = [];
  changed();
}

/** The marks are others now, by whatever way. */
function changed() {
  state.marks = pencil.marks.join("");
  forget();
  refresh();
  keepSoon();
  if (count("o") === puzzle.bullets) finish().catch(report);
}

function count(mark) {
  return pencil.marks.filter((drawn) => drawn === mark).length;
}

function refresh() {
  const free = puzzle.bullets - count("o");
  left.textContent = String(free).replace("-", "−");
  leftBox.setAttribute("aria-label", `${free} bullets left`);
  leftBox.classList.toggle("low", free < 0);
  undoButton.disabled = state.solved || !past.length;
  redoButton.disabled = state.solved || !future.length;
  clearButton.disabled = !begun(state.marks);
  clearButton.textContent = state.solved ? "Solve again" : "Clear";
  hintButton.disabled = checkButton.disabled = state.solved;
  status.dataset.state = state.solved ? "solved" : "";
  timer.textContent = clock(state.seconds);
}

function undo() {
  step(past, future);
}

function redo() {
  step(future, past);
}

function step(from, to) {
  if (!from.length || state.solved) return;
  to.push(state.marks);
  pencil.set(from.pop());
  changed();
}

function clear() {
  if (state.solved) {
    state = fresh();
    past = [];
    pencil.live = true;
  } else {
    past.push(state.marks);
  }
  future = [];
  pencil.set(".".repeat(places.size));
  changed();
}

// Check and hint

function say(text, ...buttons) {
  said.replaceChildren(text);
  more.replaceChildren(...buttons);
}

/** What was said and shown was about other marks. */
function forget() {
  level = 0;
  showLevel();
  pencil.tint();
  say("A clue says how many of the cells around it hold a bullet; point at it to see which they are. No guess is needed.");
}

function showLevel() {
  [...dots.children].forEach((dot, at) => dot.classList.toggle("on", at < level));
}

/** Ask about the marks as they are; null if they or the puzzle were others when the answer came. */
async function aboutMarks(path, asked) {
  const { marks } = state;
  const { code } = puzzle;
  const told = await post(path, { code, marks, ...asked });
  return code === puzzle.code && marks === state.marks ? told : null;
}

async function check(where) {
  try {
    const told = await aboutMarks("/api/bullets/check", { where });
    if (!told) return;
    state.helped = true;
    if (told.solved) win();
    else if (told.right) say(begun(state.marks) ? "Nothing is wrong so far." : "Nothing is drawn yet.");
    else if (!where) somethingWrong("Something is wrong.");
    else {
      pencil.tint({ wrong: told.wrong });
      say(`${told.wrong.length === 1 ? "This mark is" : `These ${told.wrong.length} marks are`} wrong.`,
        button("Rub out", () => rub(told.wrong), "small"));
    }
  } catch (error) {
    report(error);
  }
}

function somethingWrong(text) {
  say(text, button("Show where", () => check(true), "small"));
}

function rub(cells) {
  redrawn(cells.map((cell) => [cell, "."]));
}

/** Draw marks for the player, as one stroke. */
function redrawn(changes) {
  past.push(state.marks);
  future = [];
  const marks = [...state.marks];
  for (const [cell, mark] of changes) marks[cell] = mark;
  pencil.set(marks);
  changed();
}

/** All bullets are drawn: see whether they are right. */
async function finish() {
  const told = await aboutMarks("/api/bullets/check", {});
  if (told?.solved) win();
  else if (told) somethingWrong("All bullets are drawn, but something is wrong.");
}

function win() {
  state.solved = true;
  pencil.live = false;
  pencil.tint();
  forget();
  say(solvedWords());
  refresh();
  sheet.classList.add("won");
  setTimeout(() => sheet.classList.remove("won"), 1500);
  keep().then(showDays).catch(report);
}

function solvedWords() {
  return `Solved in ${clock(state.seconds)}${state.helped ? ", with help" : ""}. Well done!`;
}

async function hint() {
  if (state.solved) return;
  const wanted = Math.min(3, level + 1);
  try {
    const told = await aboutMarks("/api/bullets/hint", { level: wanted });
    if (!told) return;
    state.helped = true;
    if (!told.right) {
      somethingWrong("A mark is wrong: mend that first.");
      return;
    }
    level = wanted;
    showLevel();
    tell(told);
  } catch (error) {
    report(error);
  }
}

function tell(told) {
  const { region, clues, total, empty, bullets, sentence } = told;
  if (told.level === 1) {
    pencil.tint({ region });
    say("Look where the board is lit.");
  } else if (told.level === 2) {
    pencil.tint({ region, clues });
    const number = `the number of bullets: ${puzzle.bullets - count("o")} are left`;
    const these = clues.length === 1 ? "One clue is enough: the framed one" : `${clues.length} clues together: the framed ones`;
    say(`${clues.length ? these : `Only ${number}`}${total && clues.length ? `, and ${number}` : ""}.`);
  } else {
    const news = [...empty.map((cell) => [cell, "/"]), ...bullets.map((cell) => [cell, "o"])];
    pencil.tint({ clues, fresh: [...empty, ...bullets], ghosts: news });
    say(sentence, button("Draw it", () => redrawn(news), "small"));
  }
}

// The worked solution

async function showSolution() {
  if (workedBody.childElementCount) return;
  const { code } = puzzle;
  const told = await get(`/api/bullets/solution?code=${encodeURIComponent(code)}`);
  if (code !== puzzle.code) return;
  if (!state.solved) state.helped = true;
  const marks = new Array(places.size).fill(".");
  const items = told.steps.map((one, at) => {
    for (const cell of one.empty) marks[cell] = "/";
    for (const cell of one.bullets) marks[cell] = "o";
    const now = { marks: [...marks], clues: one.clues, fresh: [...one.empty, ...one.bullets], label: `After step ${at + 1}` };
    return el(
      "li",
      {},
      el("header", {}, el("b", {}, `${at + 1}`), el("span.chip", {}, TYPES[one.type])),
      draw(puzzle, places, now),
      el("p", {}, one.sentence),
    );
  });
  workedBody.replaceChildren(
    el("ol.strip", {}, items),
    el("div.cluster", {}, button("Download as SVG", () => save("svg", "what=solution", "bullets-solution.svg"), "small")),
  );
}

// Paper

/** The sheet that is printed: the puzzle without marks, room to keep count, the rules. */
function printSheet() {
  const tally = Array.from({ length: puzzle.bullets }, () => el("i"));
  return [
    el("header", {}, el("p.heading", {}, "Bullets"), el("p", {}, [puzzle.date ? longDay(puzzle.date) : null, puzzle.grade.difficulty].filter(Boolean).join(", "))),
    el("p", {}, `Find ${plural(puzzle.bullets, "bullet")} in the white cells. A number says how many there are in the cells around it${puzzle.topology === "moore" ? "" : ` (${BOARDS[puzzle.topology]})`}. There is one solution.`),
    draw(puzzle, places),
    el("div.tally", {}, tally),
    el("footer", {}, `Minewright · ${address()}`),
  ];
}

/** Fetch a file, so that a refusal is read here and not saved. */
async function save(what, query, name) {
  try {
    const response = await fetch(`/api/bullets/${what}?code=${encodeURIComponent(puzzle.code)}&${query}`);
    if (!response.ok) throw new Error((await response.json()).problem);
    const link = el("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    toast(error.message);
  }
}

/** Where others find this puzzle. */
function address() {
  return `${location.origin}/bullets?${puzzle.date ? `day=${puzzle.date}` : `p=${puzzle.code}`}`;
}

async function copyLink() {
  const link = address();
  try {
    await navigator.clipboard.writeText(link);
    toast("The link is in the clipboard.", "status");
  } catch {
    toast(link, "status");
  }
}

// What is kept: on the server, with the person's games

async function remember() {
  const list = await get("/api/me/puzzles");
  kept = new Map();
  for (const { code, marks } of list) {
    try {
      kept.set(code, JSON.parse(marks));
    } catch {
      // It was not kept by this page.
    }
  }
}

function keepSoon() {
  clearTimeout(saving);
  saving = setTimeout(() => keep().catch(report), 400);
}

async function keep() {
  clearTimeout(saving);
  if (!puzzle || (!kept.has(key()) && !begun(state.marks))) return;
  kept.set(key(), { ...state });
  await put(`/api/me/puzzles/${encodeURIComponent(key())}`, { marks: JSON.stringify(state) });
}

/** The page goes away: what was drawn last goes with the last request. */
function keepAtLast() {
  if (!puzzle || (!kept.has(key()) && !begun(state.marks))) return;
  const body = JSON.stringify({ marks: JSON.stringify(state) });
  fetch(`/api/me/puzzles/${encodeURIComponent(key())}`, {
    method: "PUT", body, keepalive: true, headers: { "Content-Type": "application/json" },
  }).catch(() => {});
}

// Time passes while one looks and has begun.
setInterval(() => {
  if (!puzzle || state.solved || document.hidden || !begun(state.marks)) return;
  state.seconds += 1;
  timer.textContent = clock(state.seconds);
}, 1000);

addEventListener("pagehide", keepAtLast);
addEventListener("popstate", () => open());
addEventListener("keydown", (event) => {
  if (!puzzle || typing(event) || document.querySelector("dialog:modal")) return;
  const back = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
  if (back) {
    event.preventDefault();
    (event.shiftKey ? redo : undo)();
  } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
    ({ u: undo, h: hint, k: () => check(false) })[event.key.toLowerCase()]?.();
  }
});

open();
