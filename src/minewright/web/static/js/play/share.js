// Share a game: whoever opens its link plays the same mines.

import { post } from "../api.js";
import { share } from "../copying.js";
import { dialog, el, report } from "../shell.js";
import { address, size } from "../words.js";

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
  const sure = dialog(
    "Share before the end?",
    el(
      "p",
      {},
      "The link tells the seed, and who knows the seed can find the mines: this game counts for no ",
      "best time then. After the end it can be shared freely.",
    ),
    el(
      "form.cluster",
      {
        method: "dialog",
        onsubmit: ({ submitter }) => submitter?.value === "yes" && yes().catch(report),
      },
      el("button.button.primary", { value: "yes" }, "Share now"),
      el("button.button", { value: "no", autofocus: true }, "Play on"),
    ),
  );
  return async (game) => {
    if (game.seed !== null) return send(game);
    asked = game.id;
    sure.showModal();
  };
}
