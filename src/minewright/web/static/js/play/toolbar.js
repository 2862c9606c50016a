// The bar below the board: zoom, undo, giving up, sharing, statistics.
//
//   const bar = toolbar({board, undo, giveUp, share, statistics})   board(): the current board, or null;
//                                                                   the others are called when pressed
//   bar.node, bar.paint(game)

import { zoomControl } from "../board/board.js";
import { button } from "../shared/parts.js";
import { el } from "../shared/shell.js";
import { over } from "../shared/words.js";

export function toolbar({ board, undo, giveUp, share, statistics }) {
  const tool = (words, act) => button(words, act, ".quiet.small");
  const undoButton = tool("Undo", undo);
  const giveUpButton = tool("Give up", giveUp);
  const tools = [
    undoButton,
    giveUpButton,
    tool("Share", share),
    tool("Statistics", statistics),
  ];

  return {
    node: el("div.under", {}, zoomControl(board), el("div.cluster", {}, tools)),
    paint(game) {
      undoButton.hidden = !game.undo;
      undoButton.disabled = game.moves === 0 || Boolean(game.end);
      giveUpButton.disabled = over(game) || game.state === "ready";
    },
  };
}
