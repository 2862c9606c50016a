// The bar below the board: zoom, what a tap does, undo, giving up, sharing, statistics.
//
//   const bar = toolbar({board, undo, giveUp, share, statistics})   board(): the current board, or null;
//                                                                   the others are called when pressed
//   bar.node, bar.paint(game)

import { zoomControl } from "../board/board.js";
import { button } from "../shared/parts.js";
import { pref, setPref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";
import { over } from "../shared/words.js";

const coarse = matchMedia("(any-pointer: coarse)");

export function toolbar({ board, undo, giveUp, share, statistics }) {
  const tool = (words, act) => button(words, act, ".quiet.small");
  const taps = tool("", () => setPref("taps", board()?.taps === "mark" ? "open" : "mark"));
  const undoButton = tool("Undo", undo);
  const giveUpButton = tool("Give up", giveUp);
  const tools = [
    taps,
    undoButton,
    giveUpButton,
    tool("Share", share),
    tool("Statistics", statistics),
  ];

  /** Apply the preference: what a tap does, on the button and on the board. */
  const tapsAre = (mode) => {
    if (board()) board().taps = mode;
    taps.textContent = mode === "mark" ? "Tap flags" : "Tap opens";
    taps.setAttribute("aria-pressed", String(mode === "mark"));
    taps.hidden = !coarse.matches;
  };
  addEventListener("minewright:prefs", ({ detail }) => {
    if (detail.name === "taps") tapsAre(detail.value);
  });
  tapsAre(pref("taps", "open"));

  return {
    node: el("div.under", {}, zoomControl(board), el("div.cluster", {}, tools)),
    paint(game) {
      tapsAre(pref("taps", "open"));
      undoButton.hidden = !game.undo;
      undoButton.disabled = game.moves === 0 || Boolean(game.end);
      giveUpButton.disabled = over(game) || game.state === "ready";
    },
  };
}
