// The bar above the board: mines left, the state of the game, the time.

import { clock, el } from "../shared/shell.js";
import { STARTS, modeName, size, topologyName } from "../shared/words.js";

export const STATES = {
  ready: "Open a cell to start",
  playing: "Playing",
  won: "Cleared!",
  lost: "That was a mine",
  "given up": "Given up",
};

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
    el("div.counter.time", {}, pauser, timer),
  );

  let state = null;
  let stands = false;
  const sayState = () => {
    word.textContent = stands && state === "playing" ? "Paused" : STATES[state];
  };
  /** Show the state of a game; `named` if its board is a preset, shown elsewhere by name. */
  const paint = (game, named) => {
    state = node.dataset.state = game.state;
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
    mines.setAttribute("aria-label", `${rest} mines left`);
    mines.title = found ? `${left} without a flag, ${found} of them found by the assistant` : "";
    mines.classList.toggle("low", left < 0);
  };
  const tick = (seconds) => {
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
