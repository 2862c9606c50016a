// The bar above the board: mines left, the state of the game, the time.

import { percent } from "../board/board.js";
import { clock, el } from "../shared/shell.js";
import { STARTS, counted, modeName, size, topologyName } from "../shared/words.js";
import { livePace } from "./pace.js";
import { isTeam } from "./team.js";

export const STATES = {
  ready: "Open a cell to start",
  playing: "Playing",
  won: "Cleared!",
  lost: "That was a mine",
  "given up": "Given up",
};

/** What a mode made of a guess, in a word and in a sentence. */
const RULINGS = {
  allowed: ["Guess allowed", "No cell was provably safe, so your guess could not fail."],
  forgiven: ["Guess forgiven", "That was a mine, but no other move could have settled it."],
};

function playing({ mode, ruling, bet, score }) {
  if (isTeam({ mode })) return ["MineBot is stuck", "It has opened every cell it can prove safe: the next one is your guess."];
  if (score !== null && ruling === "bet") {
    return [
      `${percent(bet)} bet · score ${percent(score)}`,
      `Your last guess was ${percent(bet)} safe. Your score is the chance that all of them were.`,
    ];
  }
  if (score !== null) return [`Score ${percent(score)}`, "The chance that all your guesses were safe"];
  return RULINGS[ruling] ?? [STATES.playing, ""];
}

/** Make the bar. choose() opens the dialog for a new game, pause() pauses or resumes this one. */
export function statusBar({ choose, pause }) {
  const minesLeft = el("span", { "aria-hidden": "true" }, "–");
  const mines = el(
    "div.counter",
    { role: "img", "aria-label": "mines left" },
    el("i.cell.covered.marked"),
    minesLeft,
  );
  const word = el("strong", { role: "status" }, " ");
  const definition = el(
    "button",
    { type: "button", title: "Change the game", onclick: choose },
    " ",
  );
  const timer = el("span", { role: "timer", "aria-label": "time" }, "0:00");
  const pace = livePace();
  const pauser = el(
    "button.button.quiet.icon.pauser",
    { type: "button", "aria-label": "Pause", title: "Pause (P)", onclick: pause },
    el("i"),
  );
  const node = el(
    "div.status",
    {},
    mines,
    el("div.state", {}, word, definition),
    el("div.time", {}, el("div.counter", {}, pauser, timer), pace.node),
  );

  let state = null;
  let ready = STATES.ready;
  let words = ["", ""];
  let stands = false;
  const sayState = () => {
    const [short, long] = state === "playing" && !stands ? words : ["", ""];
    const plain = { ...STATES, ready }[state];
    word.textContent = short || (stands && state === "playing" ? "Paused" : plain);
    word.title = long;
  };
  /** Show the state of a game; `named` if its board is a preset, shown elsewhere by name. */
  const paint = (game, named, layout) => {
    state = node.dataset.state = game.state;
    words = playing(game);
    // Where the game has to begin somewhere, any click begins it there.
    ready = game.first === null ? STATES.ready : "Open the marked cell";
    pace.paint(game, layout);
    sayState();
    const title = named ? "" : `${size(game)} · `;
    const mode = game.mode === "ordinary" ? "" : `${modeName(game.mode)} · `;
    definition.textContent = `${mode}${title}${topologyName(game.topology)} · ${STARTS[game.start].toLowerCase()} start`;
    pauser.classList.toggle("unused", game.state !== "playing");
  };
  /** `left` mines have no flag; `found` of them are known to the assistant. */
  const minesAre = (left, found = 0) => {
    const rest = left - found;
    minesLeft.textContent = rest;
    mines.setAttribute("aria-label", `${counted(rest, "mine")} left`);
    mines.title = found ? `${left} without a flag, ${found} of them found by the assistant` : "";
    mines.classList.toggle("low", left < 0);
  };
  const tick = (seconds) => {
    pace.tick(seconds);
    const time = clock(seconds);
    if (timer.textContent !== time) timer.textContent = time;
  };
  const paused = (is) => {
    stands = is;
    pauser.setAttribute("aria-pressed", String(is));
    if (state) sayState();
  };
  return { node, paint, minesAre, tick, paused, say: (text) => (word.textContent = text) };
}
