// A game with MineBot: what the mode is about, and how all people do in it.
//
//   const line = teamLine()               one sentence above the board, while such a game is shown
//   line.node, line.paint(game)
//   together(game)                        how people and MineBot do on the board of a game, in words; null
//                                         if nobody has finished one
//   togetherList()                        the same for all boards, as a list; null if there is none

import { percent } from "../board/board.js";
import { get } from "../shared/api.js";
import { el } from "../shared/shell.js";
import { STARTS, counted, size } from "../shared/words.js";

const TEAM = "minebot";

export const isTeam = ({ mode }) => mode === TEAM;

export function teamLine() {
  const node = el(
    "p.note.team",
    { hidden: true },
    "MineBot opens every cell it can prove safe. Where it is stuck, you open one: that is your guess.",
  );
  return {
    node,
    paint(game) {
      if (node.hidden !== isTeam(game)) return;
      node.hidden = !isTeam(game);
      // The board has more room now, or less.
      dispatchEvent(new Event("resize"));
    },
  };
}

export async function together(game) {
  const all = await get("/api/teams");
  const mine = all.find(({ board, start }) => board === game.board && start === game.start);
  return mine ? `${people(mine, " on this board")} ${alone(mine)}`.trim() : null;
}

export async function togetherList() {
  const all = await get("/api/teams");
  if (!all.length) return null;
  const line = (team) =>
    el(
      "li",
      {},
      el(
        "div.title",
        {},
        el("span", {}, size(team), el("small.note", {}, ` ${STARTS[team.start].toLowerCase()} start`)),
        el("span.share", {}, `${percent(team.together.won / team.together.games)} won`),
      ),
      el("p.note", {}, `${people(team)} ${average(team)} ${alone(team)}`),
    );
  return el("ul.records.pooled", {}, all.map(line));
}

function people({ together: { won, games, low, high } }, where = "") {
  const share = `${percent(won / games)} (${percent(low)} to ${percent(high)})`;
  return `People and MineBot won ${won} of ${counted(games, "game")}${where}: ${share}.`;
}

function average({ guesses, together: { games } }) {
  return `They made ${(guesses / games).toFixed(1)} guesses per game.`;
}

function alone({ alone: share }) {
  return share ? `MineBot alone wins ${percent(share.won / share.games)}.` : "";
}
