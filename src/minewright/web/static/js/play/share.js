// Share a game: whoever opens its link plays the same mines.

import { post } from "../shared/api.js";
import { share } from "../shared/copying.js";
import { report } from "../shared/shell.js";
import { address, size } from "../shared/words.js";
import { sure } from "./sure.js";

/** Make what shares a game. `told(game)` hears of its seed, where sharing is the first to tell it. */
export function sharing(told) {
  const send = (game) =>
    share(
      new URL(address(game), location.href).href,
      `Minesweeper, ${size(game)}: the same mines for you`,
      "The link is copied: whoever opens it plays the same mines.",
    );
  let asked = null;
  const yes = async () => {
    const game = await post(`/api/games/${asked}/share`);
    told(game);
    await send(game);
  };
  const asking = sure(
    "Share before the end?",
    "The link tells the seed, and who knows the seed can find the mines: this game counts for no " +
      "best time then. After the end it can be shared freely.",
    "Share now",
    () => yes().catch(report),
  );
  return async (game) => {
    if (game.seed !== null) return send(game);
    asked = game.id;
    asking.showModal();
  };
}
