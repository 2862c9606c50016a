// Sharing a game: whoever opens its link plays the same mines.

import { post } from "../shared/api.js";
import { share } from "../shared/copying.js";
import { report } from "../shared/shell.js";
import { address, size } from "../shared/words.js";
import { sure } from "./sure.js";

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
    // The mines of the day are for everybody.
    if (game.seed !== null || game.day) return send(game);
    asked = game.id;
    asking.showModal();
  };
}
