// The Play page. The server keeps the minefield and the rules; this shows what the player may see.

import { Board, COVERED, MARKED, MINED } from "../board/board.js";
import { get, layout, post } from "../shared/api.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";
import { address, capital, modeName, over, today } from "../shared/words.js";
import { Assistant } from "./assistant.js";
import { Connection } from "./connection.js";
import { endPanel } from "./ending.js";
import { lessonDialog } from "./lesson.js";
import { Marks } from "./marks.js";
import { newcomer } from "./newcomer.js";
import { newGameDialog } from "./newgame.js";
import { sharing } from "./share.js";
import { play } from "./sound.js";
import { statistics } from "./statistics.js";
import { statusBar } from "./status.js";
import { sure } from "./sure.js";
import { thumbBar } from "./thumb.js";
import { Timekeeper } from "./timekeeper.js";
import { toolbar } from "./toolbar.js";
import { find, made, remember, remembered, settings } from "./wish.js";

const main = shell({
  page: "/",
  keys: [
    ["N", "new game with the same settings"],
    ["H", "hint; press again for more"],
    ["U", "undo, if the game allows it"],
    ["P", "pause or resume"],
  ],
});

let meta = null;
let game = null;
let board = null;
let choose = null;
let assistant = null;
let queue = Promise.resolve();
const marks = new Marks();
/** Whether the game may have moved on without this page: in another tab, or by an answer that was lost. */
let stale = false;

// The parts of the page

const status = statusBar({ choose: () => choose.open(game), pause: () => keeper.toggle() });
const presets = el("div.segmented", { role: "group", "aria-label": "Board" });
const modes = el("select.modes", {
  "aria-label": "Mode",
  onchange: () => begin({ ...settings(game), mode: modes.value }),
});
const dayButton = el(
  "button.button.quiet",
  { type: "button", onclick: daily, title: "Today's no-guess board, the same for everybody" },
  "Daily",
);
const newGame = el(
  "button.button.primary",
  { type: "button", onclick: () => again() },
  "New game",
);
const place = el("div.place");
const share = sharing(({ id, seed }) => {
  if (game.id !== id) return;
  game.seed = seed;
  locate();
});
const bar = toolbar({
  board: () => board,
  undo: () => move("undo"),
  giveUp: () => givingUp.showModal(),
  share: () => share(game),
  statistics: () => statistics({ goOn: goBack, forgotten: again }).catch(report),
});
const thumb = thumbBar({
  hint: () => assistant.hint(),
  again: () => again(),
  taps: (mode) => board && (board.taps = mode),
});
const lesson = lessonDialog(() => board?.focus(board.at));
const tip = newcomer(() => lesson.open().catch(report));
const offline = el("p.offline", { role: "alert", hidden: true });
const connection = new Connection((lost) => {
  offline.hidden = !lost;
  offline.textContent = lost
    ? "No answer from Minewright. Your moves are kept and will be sent when it is back."
    : "";
});
const said = el("p.visually-hidden", { role: "status" });
const end = endPanel({
  again,
  same: () => begin({ ...settings(game), mode: game.mode, seed: game.seed }),
  share: () => share(game),
  undo: () => move("undo"),
  reveal: () => move("give up"),
  closed: () => board.focus(board.at),
});
const stage = el(
  "section.stage.waiting",
  { "aria-label": "Game" },
  el("div.choose", {}, presets, el("div.ways", {}, modes, dayButton), newGame),
  status.node,
  el("div.ground", {}, place),
  offline,
  tip.node,
  bar.node,
  thumb.node,
  said,
);
const panel = el("aside.panel.assistant", { "aria-label": "Assistant" });
main.append(
  el("h1.visually-hidden", {}, "Play Minesweeper"),
  el("div.page.play", {}, stage, el("div.side", {}, end.node, panel)),
);

const keeper = new Timekeeper(place, {
  game: () => game,
  look,
  queue: later,
  tick: (time) => status.tick(time),
  paused: (is) => status.paused(is),
});

assistant = new Assistant(panel, {
  game: () => game,
  board: () => board,
  apply: (id, answer, more) => apply(id, answer, { more }),
  // Questions wait for the moves made before them, and resume a paused game.
  queue: (ask) => {
    keeper.goOn();
    later(ask);
  },
  paint: () => tint(),
  fit,
});

const givingUp = sure(
  "Give up?",
  "You'll see the mines, and the game counts as abandoned.",
  "Give up",
  () => move("give up"),
  "danger",
);

async function load() {
  const found = await find(meta);
  if (found.id) await show(found);
  else await begin(found);
}

/** Begin a game; throws a Problem if such a game is impossible. */
async function start(asked) {
  const left = game?.state === "playing" ? game.id : null;
  // Starting another game gives up the chance to undo this loss.
  if (game?.state === "lost" && !game.end) await tellMove(game, "give up").catch(() => {});
  await show(await made(asked));
  remember(game);
  if (left && left !== game.id) toast("New game started. Your last one isn't finished.", "note", wayBack(left));
}

function goBack(id) {
  get(`/api/games/${id}`).then(show).catch(report);
}

function wayBack(id) {
  const back = () => goBack(id);
  return el("button.button.small", { type: "button", onclick: back }, "Return to it");
}

function again() {
  return begin(settings(game));
}

/** Go to my game of the day. */
async function daily() {
  try {
    await start({ daily: today() });
  } catch (error) {
    report(error);
  }
}

async function begin(asked) {
  try {
    await start(asked);
  } catch (error) {
    report(error);
    // A link to an impossible game still leads to some game.
    if (!game) await start(remembered(meta));
  }
}

async function show(next) {
  const drawing = await layout(next.topology, next.shape);
  const sameBoard = board?.layout === drawing;
  const hadFocus = place.contains(document.activeElement);
  game = next;
  stale = false;
  marks.clear();
  if (!sameBoard) {
    board?.close();
    board = new Board(place, drawing, { label: "Minefield", largest: 52, counts: true, room });
    board.addEventListener("open", ({ detail }) => move("open", detail.cell));
    board.addEventListener("mark", ({ detail }) => move("mark", detail.cell));
    board.addEventListener("chord", ({ detail }) => move("chord", detail.cell));
    board.addEventListener("hover", ({ detail }) => assistant.read(detail.cell));
    board.addEventListener("fit", ({ detail }) => frame(detail.size));
    board.zoom("auto");
  }
  stage.classList.remove("waiting");
  board.tint({});
  board.set(game.cells);
  assistant.reset();
  locate();
  paint();
  if (over(game)) finish(false);
  else end.hide();
  if (hadFocus) board.focus(board.at);
  keeper.show(game);
}

/** Show the game in the address: to others once its seed is known, to this tab always. */
function locate() {
  const here = address(game);
  if (location.pathname + location.search !== here || history.state?.game !== game.id) {
    history.replaceState({ game: game.id }, "", here);
  }
}

/** The height for the board: down to the bar at the thumb where there is one, else to the other bars. */
function room() {
  const isBelow = (node) => node.offsetTop > place.offsetTop;
  const fixed = getComputedStyle(thumb.node).position === "fixed";
  const bars = fixed ? [thumb.node] : [bar.node, tip.node].filter(isBelow);
  const below = bars.reduce((sum, { offsetHeight }) => sum + offsetHeight + 8, 0);
  return innerHeight - top() - below - 16;
}

function top() {
  return place.getBoundingClientRect().top + scrollY;
}

/** Make room for an answer below the board, where it lies over the page. */
function fit() {
  const { sheet } = assistant ?? {};
  const over = sheet && getComputedStyle(sheet).position === "fixed" ? sheet.offsetHeight : 0;
  if (over) {
    place.style.setProperty("--most", `${Math.max(160, room() - over)}px`);
    scrollTo({ top: Math.max(0, Math.min(scrollY, top() - 64)) });
  } else place.style.removeProperty("--most");
}

function frame(size) {
  const wide = Math.ceil(board ? size * board.layout.width : 0) + 12;
  stage.style.setProperty("--board", `${Math.min(wide, place.clientWidth)}px`);
}

// Moves

/** Do something once everything before it is answered, unless another game is shown by then. */
function later(act) {
  if (!game) return;
  const { id } = game;
  queue = queue
    .then(() => game.id === id && act(id))
    .catch((error) => game.id === id && failed(error));
}

function takeBack() {
  if (game.undo) move("undo");
  else toast("Undo is off in this game. You can turn it on when you start one, under More….", "note");
}

function learn() {
  if (location.hash !== "#how-to-play") return;
  history.replaceState(history.state, "", location.pathname + location.search);
  lesson.open().catch(report);
}

function move(kind, cell) {
  // A button beside the cover resumes a paused game.
  keeper.goOn();
  if (kind === "mark" && !draw(cell)) return;
  later((id) => send(id, kind, cell));
}

/** Draw a mark at once, before the server has confirmed it; return whether the cell can be marked. */
function draw(cell) {
  if (!game || over(game) || board.code(cell) < MARKED) return false;
  marks.draw(cell);
  play("mark");
  showMark(cell);
  return true;
}

function showMark(cell) {
  board.change([[cell, marks.seen(game.cells, cell)]]);
  paintMines();
}

async function send(id, kind, cell) {
  const drawn = kind === "mark";
  // The page was about to go, and has sent it already.
  if (drawn && !marks.take(cell)) return;
  try {
    if (stale) await connection.patiently(refresh);
    // Where the game has to begin somewhere, any click begins it there.
    if (kind === "open" && game.state === "ready" && game.first !== null) cell = game.first;
    if (!possible(id, kind, cell)) return;
    const known = game.moves;
    let tried = false;
    const answer = await connection.patiently(async () => {
      if (tried) {
        // Perhaps only the answer was lost: then the move has been made.
        await refresh();
        if (game.id !== id || game.moves !== known) return null;
        // The move was made before the connection was lost, so a clock that stopped since resumes.
        keeper.goOn();
      }
      tried = true;
      return tellMove(game, kind, cell);
    });
    if (drawn) marks.confirm(cell);
    if (answer) apply(id, answer, { from: cell });
    else board.set(marks.all(game.cells));
    tip.moved();
  } catch (error) {
    marks.clear();
    throw error;
  }
}

/** Whether a move can still be made when its turn comes. */
function possible(id, kind, cell) {
  // By then there may be another game, or a pause.
  if (game.id !== id) return false;
  // The game may be over too; a loss can still be undone or given up.
  const late = game.paused || (over(game) && (game.end || cell !== undefined));
  if (!late && cell === undefined) return true;
  const code = game.cells[cell];
  const fits = kind === "open" ? code === COVERED : code >= MARKED === (kind === "mark");
  if (!late && fits) return true;
  if (kind === "mark") {
    marks.confirm(cell);
    showMark(cell);
  }
  return false;
}

function tellMove({ id, moves: known }, kind, cell) {
  return post(`/api/games/${id}/moves`, { kind, cell, known }, { keepalive: true });
}

// Marks do not depend on their order, so those still waiting may leave all at once with the page.
addEventListener("pagehide", () => {
  for (const cell of marks.takeAll()) tellMove(game, "mark", cell).catch(() => {});
});

/** A failed request may have been carried out all the same: fetch the game again. */
async function failed(error) {
  report(error);
  stale = true;
  if (error.status === 404 && game) {
    // The game is gone: begin another.
    game.state = "gone";
    await again();
  } else await refresh().catch(() => {});
}

/** Fetch the game, and show it if it is not what the page shows. */
async function refresh() {
  if (!game) return;
  const { id } = game;
  stale = true;
  const now = await get(`/api/games/${id}`);
  if (game.id !== id) return;
  stale = false;
  const ended = over(now);
  const same =
    now.state === game.state &&
    now.moves === game.moves &&
    now.seed === game.seed &&
    !now.end === !game.end &&
    (ended || now.cells.every((code, cell) => code === game.cells[cell]));
  Object.assign(game, now);
  keeper.show(game);
  if (same) {
    assistant.paint();
    return;
  }
  board.tint({});
  board.set(marks.all(game.cells));
  locate();
  assistant.moved();
  paint();
  if (ended) finish(false);
  else end.hide();
}

function look() {
  if (document.hidden || !game) return;
  queue = queue.then(refresh).catch(() => {});
}

/** Show the answer to a move, if its game is still the one shown. */
function apply(id, answer, { from = null, more = {} } = {}) {
  if (game.id !== id) return;
  const wasOver = over(game);
  const wasEnd = game.end;
  // A page that missed a move, perhaps made in another tab, is sent every cell.
  for (const [cell, code] of answer.changes) game.cells[cell] = code;
  const changes = answer.changes
    .map(([cell]) => [cell, marks.seen(game.cells, cell)])
    .filter(([cell, code]) => board.code(cell) !== code);
  const before = performance.now();
  board.change(changes, from);
  performance.measure("minewright:change", { start: before, detail: { cells: changes.length } });
  Object.assign(game, answer, more);
  keeper.sync(answer, true);
  locate();
  assistant.moved();
  paint();
  tell(changes, from);
  if (!over(game) && changes.some(([, code]) => code < MARKED)) play("open");
  if (over(game) && !wasOver) finish(true, from);
  else if (over(game) && !wasEnd && game.end) finish(false);
  else if (!over(game) && wasOver) end.hide();
}

/** Tell a screen reader what a move did. */
function tell(changes, from) {
  const opened = changes.filter(([, code]) => code < MARKED).length;
  const more = opened > 1 ? `; ${opened} cells opened` : "";
  said.textContent = from === null ? `${opened} cells opened` : `${board.describe(from)}${more}`;
}

function tint() {
  if (!game) return;
  const shown = assistant.tints();
  if (over(game)) {
    const exploded = [...Array(board.layout.size).keys()].filter((cell) => board.code(cell) === MINED);
    board.tint({ ...shown, truth: game.end?.truth, exploded });
  } else {
    const start = game.state === "ready" && game.first !== null ? { best: [game.first] } : {};
    board.tint({ ...shown, ...start });
  }
}

/** Count the mines that are left: without the flags, and without those the assistant has found. */
function paintMines() {
  const left = game.mines_left - marks.more(game.cells);
  const found = game.help.mined.filter((cell) => board.code(cell) === COVERED).length;
  status.minesAre(left, found);
}

function paint() {
  const running = !over(game);
  board.live = running;
  status.paint(
    game,
    meta.presets.some((preset) => preset.board === game.board),
  );
  paintMines();
  for (const button of presets.children) {
    const shown = game.day === null && button.dataset.board === game.board;
    button.setAttribute("aria-pressed", String(shown));
  }
  dayButton.setAttribute("aria-pressed", String(game.day !== null));
  modes.value = game.day === null ? game.mode : "no-guess";
  modes.title = capital(meta.modes.find(({ name }) => game.mode.split(":")[0] === name)?.summary ?? "");
  bar.paint(game);
  thumb.paint(game);
  assistant.paint();
  tint();
}

function finish(now, from = null) {
  if (now) play(game.state);
  const won = game.state === "won";
  if (won) {
    board.change(game.end.mined.map((cell) => [cell, MARKED]));
    status.minesAre(0);
  } else if (now && game.state === "lost") {
    place.classList.remove("boom");
    void place.offsetWidth;
    place.classList.add("boom");
    navigator.vibrate?.([60, 40, 120]);
  }
  tint();
  if (won && now) {
    board.celebrate(from ?? board.at);
    end.praise(game);
  } else end.show(game);
}

/** A mode and its difficulties, to choose from. */
function modeOptions({ name, levels }) {
  const names = [name, ...levels.map((level) => `${name}:${level.name}`)];
  return names.map((each) => el("option", { value: each }, modeName(each)));
}

// Keys

addEventListener("keydown", (event) => {
  if (typing(event) || document.querySelector("dialog:modal") || event.altKey || event.metaKey)
    return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey && key !== "z") return;
  if (key === "n" && !event.repeat && game) again();
  else if (key === "h" && !event.repeat) assistant.hint();
  else if (key === "p" && !event.repeat) keeper.toggle();
  else if ((key === "u" || (key === "z" && event.ctrlKey)) && game) takeBack();
  else if (key === "escape" && !end.node.hidden) end.hide();
  else return;
  event.preventDefault();
});

try {
  meta = await connection.patiently(() => get("/api/meta"));
  choose = newGameDialog(meta, start);
  presets.append(
    ...meta.presets
      .filter(({ name }) => ["beginner", "intermediate", "expert"].includes(name))
      .map(({ name, board: wish }) =>
        el(
          "button",
          {
            type: "button",
            "data-board": wish,
            onclick: () => begin({ ...settings(game), board: wish }),
          },
          capital(name),
        ),
      ),
    el("button", { type: "button", onclick: () => choose.open(game) }, "More…"),
  );
  modes.append(...meta.modes.flatMap(modeOptions));
  const wished = location.hash;
  await connection.patiently(load);
  if (wished) history.replaceState(history.state, "", wished);
  learn();
  addEventListener("hashchange", learn);
} catch (error) {
  stage.classList.remove("waiting");
  status.say("No game to show");
  report(error);
}
