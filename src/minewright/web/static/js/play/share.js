// Sharing a game: whoever opens its link plays the same mines.

import { post } from "../shared/api.js";
import { copy, share } from "../shared/copying.js";
import { report, seconds } from "../shared/shell.js";
import { address, size } from "../shared/words.js";
import { noFlags } from "./ending.js";
import { sure } from "./sure.js";

/** A line about the board of the day that gives nothing away: ten squares show how much was cleared. */
export function dayLine({ day, state, end }) {
  const share = end.bbbv ? end.solved / end.bbbv : 1;
  const full = state === "won" ? 10 : Math.min(9, Math.floor(10 * share));
  const bar = "🟩".repeat(full) + (state === "won" ? "" : "💥") + "⬜".repeat(Math.max(0, 9 - full));
  const facts = [
    state === "won" ? `${seconds(end.seconds)} s` : `${Math.floor(100 * share)}%`,
    noFlags({ state, end }) ? "no flags" : null,
    end.helped ? "with help" : null,
    // Whoever knows the seed has seen the mines of the day before.
    end.seeded ? "played again" : null,
  ];
  return `Minewright daily ${day}\n${bar} ${facts.filter(Boolean).join(", ")}\n${location.origin}/`;
}

/** Return a function that shares a game. told(game) is called if sharing revealed its seed. */
export function sharing(told) {
  const send = (game) =>
    share(
      new URL(address(game), location.href).href,
      `Minesweeper, ${size(game)}: play the same mines`,
      "Link copied. Whoever opens it plays the same mines.",
    );
  let asked = null;
  const yes = async () => {
    const game = await post(`/api/games/${asked}/share`);
    told(game);
    await send(game);
  };
  const asking = sure(
    "Share an unfinished game?",
    "The link gives away the seed, and so the mines: sharing now makes this game unranked. " +
      "Once it is over you can share it freely.",
    "Share now",
    () => yes().catch(report),
  );
  return async (game) => {
    if (game.day && game.end) return copy(dayLine(game), "Result copied. It gives nothing away.");
    // The mines of the day are for everybody.
    if (game.seed !== null || game.day) return send(game);
    asked = game.id;
    asking.showModal();
  };
}
