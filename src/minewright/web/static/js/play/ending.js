// How a game ended: time, 3BV, clicks, and where to go from there.

import { get } from "../shared/api.js";
import { percent } from "../board/board.js";
import { el, seconds } from "../shared/shell.js";
import { STATES } from "./status.js";
import { isTeam, together } from "./team.js";

const NO_RECORD = [
  ["helped", "With help, so it doesn't count for best times."],
  ["seeded", "The seed was known, so it doesn't count for best times."],
  ["interrupted", "You took a break, so it doesn't count for best times."],
];

/** Why a game does not count among those of people and MineBot. */
const NOT_TOGETHER = [
  ["helped", "With help, so how it ended doesn't count below."],
  ["seeded", "The seed was known, so it doesn't count below."],
];

const NO_GUESS = "No guess was needed: the review names the step you missed.";
const LOST = {
  "no-guess": NO_GUESS,
  daily: NO_GUESS,
  fair: "You guessed while a cell was provably safe, and that always loses. The review shows which one.",
};

/** Make the panel. closed() puts the focus back; the others are the actions of its buttons. */
export function endPanel({ again, same, share, undo, reveal, days, closed }) {
  const node = el("section.panel.end", { "aria-label": "Result", hidden: true });
  const hide = () => {
    const inside = node.contains(document.activeElement);
    node.hidden = true;
    if (inside) closed();
  };
  const ended = (game) => [
    facts(game.end),
    el("p.note.bbbv", {}, "3BV: the fewest left clicks that clear the board."),
    isTeam(game) ? everybody(game) : null,
    el(
      "div.cluster",
      {},
      el("button.button.primary.again", { type: "button", onclick: again }, "Play again"),
      el("button.button", { type: "button", onclick: same }, "Same mines"),
      el("a.button", { href: `/review?game=${game.id}` }, "Review this game"),
      el(`button.button.quiet.share${game.day ? ".day" : ""}`, { type: "button", onclick: share }, "Share"),
      game.day ? el("button.button.quiet", { type: "button", onclick: days }, "Other days") : null,
    ),
  ];
  /** After a loss that may be undone the mines stay hidden: the game may go on. */
  const choice = () => [
    el(
      "div.cluster",
      {},
      el("button.button.primary", { type: "button", onclick: undo }, "Take it back"),
      el("button.button", { type: "button", onclick: reveal }, "Show mines"),
      el("button.button.quiet", { type: "button", onclick: again }, "Play again"),
    ),
  ];
  const show = (game) => {
    const note = el("p.note", {}, words(game));
    node.replaceChildren(
      el(
        "header",
        {},
        el(
          "div",
          {},
          el(
            "div.cluster",
            {},
            el("h2", {}, STATES[game.state]),
            noFlags(game) ? el("span.chip", {}, "no flags") : null,
          ),
          note,
        ),
        el("button.button.quiet.icon", { type: "button", "aria-label": "Close", onclick: hide }, "✕"),
      ),
      ...(game.end ? ended(game) : choice()).filter(Boolean),
    );
    node.hidden = false;
    return note;
  };
  return {
    node,
    hide,
    show,
    /** Show a game that has just been won, and say whether it set a record. */
    praise: (game) => praise(game, show(game)).catch(() => {}),
  };
}

function words({ state, end, mode, ruling }) {
  if (!end) return "Take the move back and play on, unranked, or see where the mines are.";
  const cleared = `You had cleared ${end.solved} of ${end.bbbv} (3BV).`;
  const said = {
    won: "All safe cells are open.",
    lost: (mode === "fair" && ruling !== "punished" ? null : LOST[mode.split(":")[0]]) ?? cleared,
    "given up": cleared,
  }[state];
  // Only a win could have been a record.
  const reasons = isTeam({ mode }) ? NOT_TOGETHER : state === "won" ? NO_RECORD : [];
  const because = reasons.find(([name]) => end[name])?.[1];
  return because ? `${said} ${because}` : said;
}

/** Whether a game was won without a single flag; MineBot has its own. */
export function noFlags({ state, end }) {
  return state === "won" && end?.flags === 0 && end.guesses === null;
}

/** How people and MineBot do on this board. */
function everybody(game) {
  const node = el("p.together", { role: "status" });
  together(game)
    .then((said) => (node.textContent = said ?? ""))
    .catch(() => {});
  return node;
}

function facts({ seconds: time, bbbv, clicks, efficiency, solved, score, guesses }) {
  const fact = (name, value, title = null) =>
    el("div", { title }, el("dt", {}, name), el("dd", {}, value));
  const all = [
    fact("Time", `${seconds(time)} s`),
    fact("3BV", `${bbbv}`),
  ];
  if (score !== null) all.unshift(fact("Score", percent(score), "The chance that all your guesses were safe"));
  // MineBot made most of the moves, so the rest would not be about the player.
  if (guesses !== null) all.unshift(fact("Guesses", `${guesses}`, "The cells you opened for MineBot, the first one too"));
  else
    all.push(
      fact("Clicks", `${clicks}`),
      fact(
        "Efficiency",
        efficiency === null ? "–" : `${Math.round(100 * efficiency)}%`,
        "3BV cleared per click",
      ),
      // Below a second this would measure the server, not the player.
      fact("3BV/s", time >= 1 ? (solved / time).toFixed(2) : "–"),
    );
  return el("dl.facts", {}, all);
}

async function praise(game, note) {
  if (isTeam(game) || NO_RECORD.some(([name]) => game.end[name])) return;
  const me = await get("/api/me");
  const parts = ["mode", "board", "topology", "start"];
  const mine = me.boards.find((line) => parts.every((part) => line[part] === game[part]));
  if (!mine || mine.best === null) return;
  if (mine.best < game.end.seconds - 0.001) {
    note.textContent = `All safe cells are open. Your best time here is ${seconds(mine.best)} s.`;
  } else {
    note.textContent =
      mine.won > 1 ? "Your best time on this board!" : "Your first win on this board!";
  }
}
