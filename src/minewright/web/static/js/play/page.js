// The Play page. The server keeps the minefield and the rules; this shows what the player may see.

import { Board } from "../board/board.js";
import { get, layout } from "../shared/api.js";
import { Connection } from "../shared/connection.js";
import { button } from "../shared/parts.js";
import { el, report, shell, toast, typing } from "../shared/shell.js";
import { address, over, today } from "../shared/words.js";
import { Assistant } from "./assistant.js";
import { choosing } from "./choosing.js";
import { showDays } from "./days.js";
import { endPanel } from "./ending.js";
import { Frame } from "./frame.js";
import { lessonDialog } from "./lesson.js";
import { Moves, tellMove } from "./moves.js";
import { newcomer } from "./newcomer.js";
import { newGameDialog } from "./newgame.js";
import { sharing } from "./share.js";
import { statistics } from "./statistics.js";
import { statusBar } from "./status.js";
import { sure } from "./sure.js";
import { teamLine } from "./team.js";
import { thumbBar } from "./thumb.js";
import { Timekeeper } from "./timekeeper.js";
import { toolbar } from "./toolbar.js";
import { View } from "./view.js";
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
// Wishes for a game are numbered, since answers may overtake each other.
let wished = 0;
let shown = 0;
let assistant = null;

// The parts of the page

const chooser = choosing({
  begin: (part) => begin({ ...like(), ...part }),
  more: () => choose.open(game ?? { ...like(), seed: null }),
  daily: () => daily(today()),
  days,
  again,
});
const status = statusBar({ choose: () => choose.open(game), pause: () => keeper.toggle() });
const place = el("div.place");
const team = teamLine();
const share = sharing(({ id, seed }) => {
  if (game.id !== id) return;
  game.seed = seed;
  locate();
});
const bar = toolbar({
  board: () => board,
  undo: () => moves.make("undo"),
  giveUp: () => givingUp.showModal(),
  share: () => share(game),
  statistics: () => statistics({ goOn: goBack, forgotten }).catch(report),
});
const thumb = thumbBar({
  hint: () => assistant.hint(),
  again,
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
  undo: () => moves.make("undo"),
  reveal: () => moves.make("give up"),
  days,
  closed: () => board.focus(board.at),
});
const stage = el(
  "section.stage.waiting",
  { "aria-label": "Game" },
  chooser.node,
  status.node,
  team.node,
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

// Controls stay inert until there is something for them to act on.
for (const part of [chooser.node, status.node, bar.node, thumb.node, panel]) part.inert = true;

const frame = new Frame(place, {
  bars: [bar.node],
  tip: tip.node,
  thumb: thumb.node,
  sheet: () => assistant?.sheet,
  stage,
});

const moves = new Moves(
  {
    game: () => game,
    board: () => board,
    apply: (...answer) => view.apply(...answer),
    redraw: (same) => {
      keeper.show(game);
      if (same) assistant.paint();
      else view.all();
    },
    paintMines: () => view.mines(),
    goOn: () => keeper.goOn(),
    halted: () => keeper.wished,
    moved: () => tip.moved(),
    again,
  },
  connection,
);

const keeper = new Timekeeper(place, {
  game: () => game,
  look: (there) => moves.look(there),
  queue: (act) => moves.later(act),
  tick: (time) => status.tick(time),
  paused: (is) => status.paused(is),
});

assistant = new Assistant(panel, {
  game: () => game,
  board: () => board,
  apply: (id, answer, more) => view.apply(id, answer, { more }),
  // Questions wait for the moves made before them, and resume a paused game.
  queue: (ask) => {
    keeper.goOn();
    moves.later(ask);
  },
  paint: () => view.tint(),
  fit: () => frame.fit(),
});

const view = new View({
  game: () => game,
  board: () => board,
  presets: () => meta.presets,
  marks: moves.marks,
  bars: [chooser, team, bar, thumb],
  place,
  frame,
  status,
  said,
  assistant,
  end,
  keeper,
  locate,
});

const givingUp = sure(
  "Give up?",
  "You'll see the mines, and the game counts as abandoned.",
  "Give up",
  () => moves.make("give up"),
  "danger",
);

addEventListener("resize", () => frame.fit());

// Which game is shown

async function load() {
  const wish = ++wished;
  const found = await find(meta);
  if (found.id) await show(found, wish);
  else await begin(found);
}

/** Begin a game; throws a Problem if such a game is impossible. */
async function start(asked) {
  const wish = ++wished;
  const last = game;
  const next = await made(asked);
  // Another game gives up the chance to undo this loss; one that is refused does not.
  if (last?.state === "lost" && !last.end) await tellMove(last, "give up").catch(() => {});
  const left = last?.state === "playing" && last.id !== next.id;
  if (!(await show(next, wish))) return;
  remember(game);
  if (left) {
    const back = button("Return to it", () => goBack(last.id), ".small");
    toast("New game started. Your last one isn't finished.", "note", back);
  }
}

function goBack(id) {
  const wish = ++wished;
  get(`/api/games/${id}`)
    .then((found) => show(found, wish))
    .catch(report);
}

/** What another game is like: this one, or the last before there is one. */
function like() {
  return game ? settings(game) : remembered(meta);
}

function again() {
  return begin(like());
}

/** Everything about the player is deleted, this game too: begin another. */
function forgotten() {
  if (game) game.state = "gone";
  return again();
}

/** Go to my game of a day. */
function daily(day) {
  return start({ daily: day }).catch(report);
}

function days() {
  return showDays({ play: daily, table: meta.table, shown: game?.day ?? null }).catch(report);
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

/** Show a game unless one asked for later is already shown; return whether it was. */
async function show(next, wish) {
  const drawing = await layout(next.topology, next.shape);
  if (wish < shown) return false;
  shown = wish;
  const hadFocus = place.contains(document.activeElement);
  game = next;
  moves.shown();
  if (board?.layout !== drawing) lay(drawing);
  stage.classList.remove("waiting");
  view.all(true);
  if (hadFocus) board.focus(board.at);
  if (game.state === "ready" && game.first !== null) board.reveal([game.first]);
  keeper.show(game);
  for (const part of [status.node, bar.node, thumb.node, panel]) part.inert = false;
  return true;
}

/** Lay out a board without cells shown. */
function lay(drawing) {
  board?.close();
  const room = () => frame.room();
  board = new Board(place, drawing, { label: "Minefield", largest: 52, counts: true, room });
  for (const kind of ["open", "mark", "chord"]) {
    board.addEventListener(kind, ({ detail }) => moves.make(kind, detail.cell));
  }
  board.addEventListener("hover", ({ detail }) => assistant.read(detail.cell));
  board.addEventListener("fit", ({ detail }) => frame.around(board, detail.size));
  board.zoom("auto");
  frame.fit();
}

/** Show the game in the address: to others once its seed is known, to this tab always. */
function locate() {
  const here = address(game);
  if (location.pathname + location.search !== here || history.state?.game !== game.id) {
    history.replaceState({ game: game.id }, "", here);
  }
}

/** Open the lesson if an address asks for it. */
function learn(wish) {
  if (new URL(wish).hash !== "#how-to-play") return;
  history.replaceState(history.state, "", location.pathname + location.search);
  lesson.open().catch(report);
}

// Keys

function takeBack() {
  if (game.undo) moves.make("undo");
  else toast("Undo is off in this game. You can turn it on when you start one, under More….", "note");
}

addEventListener("keydown", (event) => {
  if (!game || typing(event) || document.querySelector("dialog:modal")) return;
  if (event.altKey || event.metaKey) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey && key !== "z") return;
  if (key === "n" && !event.repeat) again();
  else if (key === "h" && !event.repeat) assistant.hint();
  else if (key === "p" && !event.repeat) keeper.toggle();
  else if (key === "u" || (key === "z" && event.ctrlKey)) takeBack();
  else if (key === "escape" && !end.node.hidden) end.hide();
  else return;
  event.preventDefault();
});

// A wish for the lesson need not wait for the game. The event holds the address as it was wished
// for: a game that arrives in between has already put its own in the place of it.
addEventListener("hashchange", ({ newURL }) => learn(newURL));
learn(location.href);

try {
  meta = await connection.patiently(() => get("/api/meta"));
  choose = newGameDialog(meta, start);
  chooser.offer(meta);
  chooser.node.inert = false;
  await connection.patiently(load);
} catch (error) {
  stage.classList.remove("waiting");
  status.say("No game to show");
  report(error);
}
