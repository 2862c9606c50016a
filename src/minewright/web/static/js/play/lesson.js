// How to play: the rules in three sentences, and a guided game on a board of 5x5.
//
//   const lesson = lessonDialog(ended)     ended() is called when the dialog is closed
//   await lesson.open()

import { Board, COVERED, MARKED } from "../board/board.js";
import { Geometry } from "../board/geometry.js";
import { layout } from "../shared/api.js";
import { dialog, el } from "../shared/shell.js";

const SIDES = [5, 5];
const MINES = [4, 7, 9, 12];
/** What to do: the words, the number they are about, the move, and the cells where it may be made. */
const STEPS = [
  {
    say: "Open the cell in the lower left corner. It has no mines around it, so its neighbours open too.",
    clue: [],
    kind: "open",
    cells: [20],
  },
  {
    say: "Every number says how many mines touch it. This 1 touches a single covered cell: that must be its mine. Flag it.",
    clue: [16],
    kind: "mark",
    cells: [12],
  },
  {
    say: "This 2 has one flag already, and one covered cell left for its other mine. Flag that too.",
    clue: [11],
    kind: "mark",
    cells: [7],
  },
  {
    say: "This 1 has its mine now, so the other covered cell beside it is safe. Open it.",
    clue: [1],
    kind: "open",
    cells: [2],
  },
  {
    say: "The new 1 has its flag. Press the number itself, and the rest around it opens at once: a chord.",
    clue: [2],
    kind: "chord",
    cells: [2],
  },
];
const WON =
  "Cleared! You win when every safe cell is open; the last two mines need no flag. " +
  "When you're stuck in a game, ask for a hint.";
const HOW = {
  open: "To open: click, tap, or press Enter.",
  mark: "To flag: right-click, hold a finger on the cell, or press F.",
  chord: "To chord: click or tap the number, or press C.",
};

export function lessonDialog(ended) {
  const place = el("div.place");
  const words = el("p", { role: "status" });
  const how = el("p.note");
  const close = el("button.button.primary", { type: "button", "data-close": true, hidden: true }, "Play");
  const sheet = dialog(
    "How to play",
    el(
      "p",
      {},
      "Some cells hide mines. Open all the others. A number tells you how many mines touch its cell, ",
      "diagonals included.",
    ),
    el("div.lesson", {}, place, el("div.stack", {}, words, how, close)),
  );
  let board = null;
  let at = 0;

  /** Show a step; with `slip`, the player did something else. */
  const tell = (slip = false) => {
    const step = STEPS[at];
    close.hidden = Boolean(step);
    how.textContent = step ? HOW[step.kind] : "";
    words.textContent = step ? `${slip ? "Not quite. " : ""}${step.say}` : WON;
    board.tint({ clues: step?.clue ?? [], best: step && step.kind !== "chord" ? step.cells : [] });
    if (!step) {
      board.live = false;
      close.focus();
    }
  };
  const act = (kind, cell) => {
    const step = STEPS[at];
    if (!step) return;
    if (kind !== step.kind || !step.cells.includes(cell)) {
      tell(true);
      return;
    }
    if (kind === "mark") board.change([[cell, MARKED]]);
    else board.change(opened(board, kind, cell), cell);
    at++;
    tell();
  };
  const open = async () => {
    const drawing = await layout("moore", SIDES);
    sheet.showModal();
    board?.close();
    board = new Board(place, drawing, { label: "Practice board", counts: true, room: () => 320 });
    for (const kind of ["open", "mark", "chord"]) {
      board.addEventListener(kind, ({ detail }) => act(kind, detail.cell));
    }
    at = 0;
    tell();
  };
  sheet.addEventListener("close", ended);
  return { open };
}

/** The cells that a move opens, each with its number. */
function opened(board, kind, cell) {
  const geometry = new Geometry(board.layout);
  const isCovered = (near) => board.code(near) === COVERED;
  const open = kind === "chord" ? geometry.neighbours(cell).filter(isCovered) : [cell];
  const found = new Map();
  while (open.length) {
    const next = open.pop();
    if (found.has(next)) continue;
    const around = geometry.neighbours(next);
    const number = around.filter((near) => MINES.includes(near)).length;
    found.set(next, number);
    if (number === 0) open.push(...around);
  }
  return [...found];
}
