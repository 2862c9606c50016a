// The play page. The server keeps the minefield and the rules; this shows what may be seen.

import { get, layout, post } from "./api.js";
import { Assistant, switchesOff } from "./assistant.js";
import { Board, MARKED, zoomControl } from "./board.js";
import { newGameDialog } from "./newgame.js";
import { pref, setPref } from "./prefs.js";
import { clock, dialog, el, report, seconds, shell, toast, typing } from "./shell.js";
import { statistics } from "./statistics.js";
import { STARTS, address, capital, size, topologyName } from "./words.js";

const STATES = {
  ready: "Open a cell to begin",
  playing: "Playing",
  won: "Cleared!",
  lost: "That was a mine",
  "given up": "Given up",
};

const main = shell({
  page: "/",
  keys: [
    ["N", "new game on the same board"],
    ["H", "hint, one step further each time"],
    ["U", "take back, if the game allows it"],
  ],
});

let meta = null;
let game = null;
let board = null;
let choose = null;
let synced = 0;
let queue = Promise.resolve();
/** Whether the game may have gone on without this page: in another tab, or by an answer that got lost. */
let stale = false;

// The parts of the page

const minesLeft = el("span", { "aria-hidden": "true" }, "–");
const minesBox = el(
  "div.counter",
  { role: "img", "aria-label": "mines left" },
  el("i.cell.covered.marked"),
  minesLeft,
);
const timer = el("div.counter.time", { role: "timer", "aria-label": "time" }, "0:00");
const stateWord = el("strong", { role: "status" }, " ");
const definition = el(
  "button",
  { type: "button", title: "Choose another game", onclick: () => choose.open(game) },
  " ",
);
const status = el("div.status", {}, minesBox, el("div.state", {}, stateWord, definition), timer);
const presets = el("div.segmented", { role: "group", "aria-label": "Boards" });
const again = el(
  "button.button.primary",
  { type: "button", onclick: () => begin(settings()) },
  "New game",
);
const place = el("div.place");
const undo = el(
  "button.button.quiet.small",
  { type: "button", onclick: () => move("undo") },
  "Take back",
);
const giveUp = el(
  "button.button.quiet.small",
  { type: "button", onclick: () => sure.showModal() },
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
    el("button.button.quiet.small", { type: "button", onclick: share }, "Share"),
    el(
      "button.button.quiet.small",
      { type: "button", onclick: () => statistics(() => begin(settings())).catch(report) },
      "Statistics",
    ),
  ),
);
const said = el("p.visually-hidden", { role: "status" });
const end = el("section.panel.end", { "aria-label": "How it ended", hidden: true });
const stage = el(
  "section.stage.waiting",
  { "aria-label": "Game" },
  el("div.choose", {}, presets, again),
  status,
  place,
  under,
  said,
);
const panel = el("aside.panel.assistant", { "aria-label": "Assistant" });
main.append(
  el("h1.visually-hidden", {}, "Play Minesweeper"),
  el("div.page.play", {}, stage, el("div.side", {}, end, panel)),
);

const assistant = new Assistant(panel, {
  game: () => game,
  board: () => board,
  apply: (answer) => {
    const known = game.moves;
    apply(answer);
    if (!follows("switch", known, answer)) look();
  },
  // Questions wait for the moves made before them.
  queue: (ask) => (queue = queue.then(ask).catch(failed)),
  paint: () => tint(),
});

const sure = dialog(
  "Give up?",
  el("p", {}, "The mines are shown, and the game counts as lost."),
  el(
    "form.cluster",
    {
      method: "dialog",
      onsubmit: ({ submitter }) => submitter?.value === "yes" && move("give up"),
    },
    el("button.button.danger", { value: "yes" }, "Give up"),
    el("button.button", { value: "no", autofocus: true }, "Play on"),
  ),
);

// The address says which game: board, topology, start rule and seed.

function wanted() {
  const query = new URLSearchParams(location.search);
  const text = query.get("seed");
  const seed = text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
  const good = Number.isSafeInteger(seed);
  if (text !== null && !good) {
    const most = Number.MAX_SAFE_INTEGER;
    toast(`The link's seed is no number from 0 to ${most}: this is another game.`);
  }
  if (!query.has("board")) return good ? { ...remembered(), seed } : null;
  return {
    board: query.get("board"),
    topology: query.get("topology") ?? "moore",
    start: query.get("start") ?? "safe",
    seed: good ? seed : null,
  };
}

function settings() {
  return { board: game.board, topology: game.topology, start: game.start, undo: game.undo };
}

function remembered() {
  try {
    const kept = JSON.parse(pref("settings", "null"));
    if (typeof kept?.board === "string") return kept;
  } catch {
    // Not ours any more: begin as if nothing were kept.
  }
  return {
    board: meta.presets.find(({ name }) => name === "beginner")?.board ?? "9x9x10",
    topology: "moore",
    start: "safe",
  };
}

function switches() {
  try {
    return { ...switchesOff, ...JSON.parse(pref("assistant", "{}")) };
  } catch {
    return { ...switchesOff };
  }
}

async function find() {
  const want = wanted();
  const mine = await get("/api/games?limit=100");
  const same = (line) =>
    line.board === want.board &&
    line.topology === want.topology &&
    line.start === want.start &&
    line.seed === want.seed;
  // Without an address it is the last game, if that is not over.
  const line = want
    ? mine.find(same)
    : mine.slice(0, 1).find(({ state }) => ["ready", "playing"].includes(state));
  if (line) return get(`/api/games/${line.id}`);
  return want ?? remembered();
}

async function load() {
  const found = await find();
  if (found.id) await show(found);
  else await begin(found);
}

/** Begin a game; throws a Problem if there can be none like this. */
async function start(asked) {
  const left = game?.state === "playing" ? game.id : null;
  await show(await post("/api/games", { ...asked, assistant: switches() }));
  setPref("settings", JSON.stringify(settings()));
  if (left) toast("A new game. The last one is not over.", "note", wayBack(left));
}

function wayBack(id) {
  const back = () => get(`/api/games/${id}`).then(show).catch(report);
  return el("button.button.small", { type: "button", onclick: back }, "Back to the last game");
}

async function begin(asked) {
  try {
    await start(asked);
  } catch (error) {
    report(error);
    // A link that asks for the impossible still leads to a game.
    if (!game) await start(remembered());
  }
}

async function show(next) {
  const drawing = await layout(next.topology, next.shape);
  const sameBoard = board?.layout === drawing;
  const hadFocus = place.contains(document.activeElement);
  game = next;
  stale = false;
  synced = performance.now();
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
  history.replaceState(null, "", address(game));
  paint();
  if (game.end) finish(false);
  else hideEnd();
  if (hadFocus) board.focus(board.at);
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

function over() {
  return !["ready", "playing"].includes(game.state);
}

function move(kind, cell) {
  queue = queue.then(() => send(kind, cell)).catch(failed);
}

async function send(kind, cell) {
  if (!game) return;
  if (stale) await refresh();
  // By the time it is this move's turn the game may have ended.
  if (over() && kind !== "undo") return;
  if (cell !== undefined) {
    const code = board.code(cell);
    const covered = code >= MARKED;
    if ((kind === "open" && code === MARKED) || covered !== (kind !== "chord")) return;
  }
  const { id } = game;
  const asked = cell === undefined ? { kind } : { kind, cell };
  const answer = await post(`/api/games/${id}/moves`, asked);
  if (game.id !== id) return;
  const known = game.moves;
  apply(answer, cell);
  if (!follows(kind, known, answer)) await refresh();
}

/** Whether an answer's count of moves is what this page knew and this move, nothing else. */
function follows(kind, known, { moves, changes, state }) {
  const alone = !game.assistant.autoplay;
  if (kind === "undo") return alone ? moves === known - 1 : moves < known;
  const made = known + (changes.length || state === "given up" ? 1 : 0);
  return alone ? moves === made : moves >= made;
}

/** What was asked may have been done all the same: look how the game stands. */
async function failed(error) {
  report(error);
  stale = true;
  if (error.status === 404 && game) {
    // There is nothing to go back to.
    game.state = "gone";
    await begin(settings());
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
  synced = performance.now();
  const ended = !["ready", "playing"].includes(now.state);
  const same =
    now.state === game.state &&
    now.moves === game.moves &&
    (ended || now.cells.every((code, cell) => code === board.code(cell)));
  Object.assign(game, now);
  if (same) {
    assistant.paint();
    return;
  }
  board.tint({});
  board.set(game.cells);
  assistant.moved();
  paint();
  if (ended) finish(false);
  else hideEnd();
}

function look() {
  if (document.hidden || !game) return;
  queue = queue.then(refresh).catch(() => {});
}
document.addEventListener("visibilitychange", look);
addEventListener("focus", look);

function apply(answer, from = null) {
  const wasOver = over();
  const before = performance.now();
  board.change(answer.changes, from);
  performance.measure("minewright:change", {
    start: before,
    detail: { cells: answer.changes.length },
  });
  const { state, mines_left, moves, seconds: time, help, end: ending } = answer;
  Object.assign(game, { state, mines_left, moves, seconds: time, help, end: ending });
  synced = performance.now();
  assistant.moved();
  paint();
  tell(answer.changes, from);
  if (over() && !wasOver) finish(true, from);
  else if (!over() && wasOver) hideEnd();
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
  if (game.end) {
    const { truth, exploded } = game.end;
    board.tint({ ...shown, truth, exploded });
  } else {
    board.tint(shown);
  }
}

function paint() {
  const running = !over();
  board.live = running;
  status.dataset.state = game.state;
  stateWord.textContent = STATES[game.state];
  minesLeft.textContent = game.mines_left;
  minesBox.setAttribute("aria-label", `${game.mines_left} mines left`);
  minesBox.classList.toggle("low", game.mines_left < 0);
  const named = meta.presets.find((preset) => preset.board === game.board);
  const title = named ? "" : `${size(game)} · `;
  definition.textContent = `${title}${topologyName(game.topology)} · ${STARTS[game.start].toLowerCase()} start`;
  for (const button of presets.children) {
    button.setAttribute("aria-pressed", String(button.dataset.board === game.board));
  }
  undo.hidden = !game.undo;
  undo.disabled = game.moves === 0 || game.state === "won";
  giveUp.disabled = !running || game.state === "ready";
  assistant.paint();
  tint();
  tick();
}

function tick() {
  if (!game) return;
  const since = game.state === "playing" ? (performance.now() - synced) / 1000 : 0;
  const time = clock(game.seconds + since);
  if (timer.textContent !== time) timer.textContent = time;
}
setInterval(tick, 250);

// The end

function finish(now, from = null) {
  const ending = game.end;
  if (game.state === "won") {
    board.change(ending.mined.map((cell) => [cell, MARKED]));
    minesLeft.textContent = 0;
  } else if (now && game.state === "lost") {
    place.classList.remove("boom");
    void place.offsetWidth;
    place.classList.add("boom");
    navigator.vibrate?.([60, 40, 120]);
  }
  tint();
  const fact = (name, value, title = null) =>
    el("div", { title }, el("dt", {}, name), el("dd", {}, value));
  const won = game.state === "won";
  const words = {
    won: "All safe cells are open.",
    lost: `${ending.solved} of ${ending.bbbv} done when it blew up.`,
    "given up": "The mines are shown.",
  }[game.state];
  const record = el(
    "p.note",
    {},
    words,
    ending.helped
      ? " With help, so it counts for no best time."
      : ending.seeded
        ? " On a chosen seed, so it counts for no best time."
        : "",
  );
  end.replaceChildren(
    el(
      "header",
      {},
      el("div", {}, el("h2", {}, STATES[game.state]), record),
      el(
        "button.button.quiet.icon",
        { type: "button", "aria-label": "Close", onclick: hideEnd },
        "✕",
      ),
    ),
    el(
      "dl.facts",
      {},
      fact("Time", `${seconds(ending.seconds)} s`),
      fact("3BV", `${ending.bbbv}`, "The fewest clicks that open the whole board"),
      fact("Clicks", `${ending.clicks}`),
      fact(
        "Efficiency",
        ending.efficiency === null ? "–" : `${Math.round(100 * ending.efficiency)}%`,
        "3BV done for each click",
      ),
      // Below a second it says how fast the server is, not the player.
      fact("3BV/s", ending.seconds >= 1 ? (ending.solved / ending.seconds).toFixed(2) : "–"),
    ),
    el(
      "div.cluster",
      {},
      el("button.button.primary", { type: "button", onclick: () => begin(settings()) }, "Again"),
      el(
        "button.button",
        { type: "button", onclick: () => begin({ ...settings(), seed: game.seed }) },
        "Same mines",
      ),
      el("a.button", { href: `/review?game=${game.id}` }, "Review this game"),
      el("button.button.quiet.share", { type: "button", onclick: share }, "Share"),
    ),
  );
  end.hidden = false;
  if (now && won) {
    board.celebrate(from ?? board.at);
    if (!ending.helped && !ending.seeded) praise(record).catch(() => {});
  }
}

async function praise(record) {
  const { id } = game;
  const me = await get("/api/me");
  const mine = me.boards.find(
    (line) =>
      line.board === game.board && line.topology === game.topology && line.start === game.start,
  );
  if (game.id !== id || !mine || mine.best === null) return;
  if (mine.best >= game.end.seconds - 0.001) {
    record.textContent =
      mine.won > 1 ? "Your best time on this board." : "Your first win on this board.";
  } else {
    record.textContent = `All safe cells are open. Your best here is ${seconds(mine.best)} s.`;
  }
}

function hideEnd() {
  const inside = end.contains(document.activeElement);
  end.hidden = true;
  if (inside) board.focus(board.at);
}

async function share() {
  const url = new URL(address(game), location.href).href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    await navigator
      .share({
        title: "Minewright",
        text: `Minesweeper, ${size(game)}: the same mines for you`,
        url,
      })
      .catch(() => {});
    return;
  }
  try {
    await navigator.clipboard.writeText(url);
    toast("The link is copied: whoever opens it plays the same mines.", "note");
  } catch {
    const field = el("input", {
      readonly: true,
      value: url,
      "aria-label": "Link to this game",
    });
    const sheet = dialog(
      "Share",
      el("p", {}, "Whoever opens this link plays the same mines."),
      field,
    );
    sheet.addEventListener("close", () => sheet.remove());
    sheet.showModal();
    field.select();
  }
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
  if (key === "n" && !event.repeat && game) begin(settings());
  else if (key === "h" && !event.repeat) assistant.hint();
  else if ((key === "u" || (key === "z" && event.ctrlKey)) && game?.undo) move("undo");
  else if (key === "escape" && !end.hidden) hideEnd();
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
            onclick: () => begin({ ...settings(), board: wish }),
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
  stateWord.textContent = "No game";
  report(error);
}
