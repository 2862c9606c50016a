// The help behind "?": how to use a page with mouse, touch and keys.

import { dialog, el } from "./element.js";

const GESTURES = [
  [
    "Mouse",
    [
      ["Click", "open a cell"],
      ["Right click", "flag a cell, or unflag it"],
      ["Click a number", "open the rest around it once all its flags are set (a chord)"],
      ["Both buttons", "the same"],
      ["Point at a number", "see which cells it touches"],
    ],
  ],
  [
    "Touch",
    [
      ["Tap", "open a cell, or flag it if the switch says Flag"],
      ["Long press", "the opposite"],
      ["Tap a number", "open the rest around it once all its flags are set"],
      ["Two fingers", "zoom a board; one finger pans it"],
    ],
  ],
];
const MOVES = [
  ["Arrows", "move around the board"],
  ["Enter, Space", "open a cell, or chord on a number"],
  ["F, M", "flag a cell, or unflag it"],
  ["C", "chord: open the rest around a number once all its flags are set"],
];

/** Make the dialog. `keys` are those of the page; `plays` tells whether a game is played there. */
export function helpDialog(keys, plays) {
  const lines = (title, rows, sign) => [
    el("h3", {}, title),
    el(
      "dl.keys",
      {},
      rows.flatMap(([what, does]) => [el("dt", {}, sign(what)), el("dd", {}, does)]),
    ),
  ];
  const key = (names) =>
    names.split(", ").flatMap((name, at) => [at ? " " : null, el("kbd", {}, name)]);
  const all = [...(plays ? MOVES : []), ...keys, ["?", "show this help"]];
  return dialog(
    "Help",
    plays
      ? el("p", {}, el("a.button", { href: "/#how-to-play", "data-close": true }, "How to play"))
      : null,
    ...(plays ? GESTURES : []).flatMap(([title, rows]) => lines(title, rows, (what) => what)),
    ...lines("Keys", all, key),
    el(
      "p.note",
      {},
      "Programs can do all of this too, through ",
      el("a", { href: "/api" }, "the API"),
      ".",
    ),
  );
}
