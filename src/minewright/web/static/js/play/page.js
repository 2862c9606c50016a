// The play page. The server keeps the minefield and the rules; this shows what may be seen.
//
// Its parts: play/status.js the bar over the board, play/timekeeper.js the clock and the pause,
// play/ending.js how a game ended, play/wish.js which game is wanted, play/share.js and play/sure.js;
// the dialogs of newgame.js and statistics.js, and the assistant.

import { get, layout, post } from "../shared/api.js";
import { Assistant } from "./assistant.js";
import { Board, MARKED, MINED, zoomControl } from "../board/board.js";
import { newGameDialog } from "./newgame.js";
import { endPanel } from "./ending.js";
import { sharing } from "./share.js";
import { statusBar } from "./status.js";
import { sure } from "./sure.js";
import { Timekeeper } from "./timekeeper.js";
import { find, remember, remembered, settings, switches } from "./wish.js";
import { pref, setPref } from "../shared/prefs.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";
import { statistics } from "./statistics.js";
import { address, capital, over } from "../shared/words.js";

const main = shell({
  page: "/",
  keys: [
    ["N", "new game on the same board"],
    ["H", "hint, one step further each time"],
    ["U", "take back, if the game allows it"],
    ["P", "pause, or go on"],
  ],
});

let meta = null;
let game = null;
let board = null;
let choose = null;
let queue = Promise.resolve();
/** Whether the game may have gone on without this page: in another tab, or by an answer that got lost. */
let stale = false;

// The parts of the page

const status = statusBar({ choose: () => choose.open(game), pause: () => keeper.toggle() });
const presets = el("div.segmented", { role: "group", "aria-label": "Boards" });
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
const undo = el(
  "button.button.quiet.small",
  { type: "button", onclick: () => move("undo") },
  "Take back",
);
const giveUp = el(
  "button.button.quiet.small",
  { type: "button", onclick: () => givingUp.showModal() },
  "Give up",
);
const taps = el("button.button.quiet.small", {
  type: "button",
  onclick: () => setPref("taps", board?.taps === "mark" ? "open" : "mark"),
});
const under = el(
  "div.under",
  {},
  zoomControl(() => board),
  el(
    "div.cluster",
    {},
    taps,
    undo,
    giveUp,
    el("button.button.quiet.small", { type: "button", onclick: () => share(game) }, "Share"),
    el(
      "button.button.quiet.small",
      { type: "button", onclick: () => statistics({ goOn: goBack, forgotten: again }).catch(report) },
      "Statistics",
    ),
  ),
);
const said = el("p.visually-hidden", { role: "status" });
const end = endPanel({
  again,
  same: () => begin({ ...settings(game), seed: game.seed }),
  share: () => share(game),
  undo: () => move("undo"),
  reveal: () => move("give up"),
  closed: () => board.focus(board.at),
});
const stage = el(
  "section.stage.waiting",
  { "aria-label": "Game" },
  el("div.choose", {}, presets, newGame),
  status.node,
  el("div.ground", {}, place),
  under,
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

const assistant = new Assistant(panel, {
  game: () => game,
  board: () => board,
  apply: (id, answer, more) => apply(id, answer, { more }),
  // Questions wait for the moves made before them, and go on with a game that pauses.
  queue: (ask) => {
    keeper.goOn();
    later(ask);
  },
  paint: () => tint(),
});

const givingUp = sure(
  "Give up?",
  "The mines are shown, and the game counts as left.",
  "Give up",
  () => move("give up"),
  "danger",
);

async function load() {
  const found = await find(meta);
  if (found.id) await show(found);
  else await begin(found);
}

/** Begin a game; throws a Problem if there can be none like this. */
async function start(asked) {
  const left = game?.state === "playing" ? game.id : null;
  // Who goes on to another game takes nothing back any more.
  if (game?.state === "lost" && !game.end) await tellMove(game, "give up").catch(() => {});
  await show(await post("/api/games", { ...asked, assistant: switches() }));
  remember(game);
  if (left) toast("A new game. The last one is not over.", "note", wayBack(left));
}

function goBack(id) {
  get(`/api/games/${id}`).then(show).catch(report);
}

function wayBack(id) {
  const back = () => goBack(id);
  return el("button.button.small", { type: "button", onclick: back }, "Back to the last game");
}

function again() {
  return begin(settings(game));
}

async function begin(asked) {
  try {
    await start(asked);
  } catch (error) {
    report(error);
    // A link that asks for the impossible still leads to a game.
    if (!game) await start(remembered(meta));
  }
}

async function show(next) {
  const drawing = await layout(next.topology, next.shape);
  const sameBoard = board?.layout === drawing;
  const hadFocus = place.contains(document.activeElement);
  game = next;
  stale = false;
  if (!sameBoard) {
    board?.close();
    board = new Board(place, drawing, { label: "Minefield", largest: 52, room });
    board.addEventListener("open", ({ detail }) => move("open", detail.cell));
    board.addEventListener("mark", ({ detail }) => move("mark", detail.cell));
    board.addEventListener("chord", ({ detail }) => move("chord", detail.cell));
    board.addEventListener("hover", ({ detail }) => assistant.read(detail.cell));
    board.addEventListener("fit", ({ detail }) => frame(detail.size));
    board.zoom("auto");
    tapsAre(pref("taps", "open"));
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

/** The address says which game it is, to others once its seed may be known, to this tab always. */
function locate() {
  const here = address(game);
  if (location.pathname + location.search !== here || history.state?.game !== game.id) {
    history.replaceState({ game: game.id }, "", here);
  }
}

function room() {
  const top = place.getBoundingClientRect().top + scrollY;
  return innerHeight - top - under.offsetHeight - 28;
}

function frame(size) {
  const wide = Math.ceil(board ? size * board.layout.width : 0) + 12;
  stage.style.setProperty("--board", `${Math.min(wide, place.clientWidth)}px`);
}

// Moves

/** Do something for this game when all before is done and answered; another game is spared it. */
function later(act) {
  if (!game) return;
  const { id } = game;
  queue = queue
    .then(() => game.id === id && act(id))
    .catch((error) => game.id === id && failed(error));
}

function move(kind, cell) {
  // What is pressed beside the cover goes on with a game that pauses.
  keeper.goOn();
  later((id) => send(id, kind, cell));
}

async function send(id, kind, cell) {
  if (stale) await refresh();
  // By the time it is this move's turn there may be another game, or a pause was found.
  if (game.id !== id || game.paused) return;
  // It may have ended, too; a loss can be taken back, or given up.
  if (over(game) && (game.end || cell !== undefined)) return;
  if (cell !== undefined) {
    const code = board.code(cell);
    const covered = code >= MARKED;
    if ((kind === "open" && code === MARKED) || covered !== (kind !== "chord")) return;
  }
  apply(id, await tellMove(game, kind, cell), { from: cell });
}

function tellMove({ id, moves: known }, kind, cell) {
  return post(`/api/games/${id}/moves`, { kind, cell, known });
}

/** What was asked may have been done all the same: look how the game stands. */
async function failed(error) {
  report(error);
  stale = true;
  if (error.status === 404 && game) {
    // There is nothing to go back to.
    game.state = "gone";
    await again();
  } else await refresh().catch(() => {});
}

/** Ask how the game stands, and show it if that is not what the page shows. */
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
    (ended || now.cells.every((code, cell) => code === board.code(cell)));
  Object.assign(game, now);
  keeper.show(game);
  if (same) {
    assistant.paint();
    return;
  }
  board.tint({});
  board.set(game.cells);
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

/** Show what an answer says of a game, if that is still the one shown. */
function apply(id, answer, { from = null, more = {} } = {}) {
  if (game.id !== id) return;
  const wasOver = over(game);
  const wasEnd = game.end;
  // A page that missed a move, made in another tab perhaps, is given every cell.
  const changes = answer.changes.filter((change) => board.code(change[0]) !== change[1]);
  const before = performance.now();
  board.change(changes, from);
  performance.measure("minewright:change", { start: before, detail: { cells: changes.length } });
  Object.assign(game, answer, more);
  keeper.sync(answer, true);
  locate();
  assistant.moved();
  paint();
  tell(changes, from);
  if (over(game) && !wasOver) finish(true, from);
  else if (over(game) && !wasEnd && game.end) finish(false);
  else if (!over(game) && wasOver) end.hide();
}

/** Say what a move did to whoever does not see it. */
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
    board.tint(shown);
  }
}

function paint() {
  const running = !over(game);
  board.live = running;
  status.paint(
    game,
    meta.presets.some((preset) => preset.board === game.board),
  );
  for (const button of presets.children) {
    button.setAttribute("aria-pressed", String(button.dataset.board === game.board));
  }
  undo.hidden = !game.undo;
  undo.disabled = game.moves === 0 || Boolean(game.end);
  giveUp.disabled = !running || game.state === "ready";
  assistant.paint();
  tint();
}

function finish(now, from = null) {
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

// Touch and keys

function tapsAre(mode) {
  if (board) board.taps = mode;
  taps.textContent = mode === "mark" ? "Tap marks" : "Tap opens";
  taps.setAttribute("aria-pressed", String(mode === "mark"));
  taps.hidden = !matchMedia("(any-pointer: coarse)").matches;
}

addEventListener("minewright:prefs", ({ detail }) => {
  if (detail.name === "taps") tapsAre(detail.value);
});

addEventListener("keydown", (event) => {
  if (typing(event) || document.querySelector("dialog:modal") || event.altKey || event.metaKey)
    return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey && key !== "z") return;
  if (key === "n" && !event.repeat && game) again();
  else if (key === "h" && !event.repeat) assistant.hint();
  else if (key === "p" && !event.repeat) keeper.toggle();
  else if ((key === "u" || (key === "z" && event.ctrlKey)) && game?.undo) move("undo");
  else if (key === "escape" && !end.node.hidden) end.hide();
  else return;
  event.preventDefault();
});

try {
  meta = await get("/api/meta");
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
  tapsAre(pref("taps", "open"));
  await load();
} catch (error) {
  stage.classList.remove("waiting");
  status.say("No game");
  report(error);
}
