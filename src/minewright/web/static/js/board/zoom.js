// Buttons that zoom a board.

import { el } from "../shared/shell.js";

const STEPS = [
  ["out", "−", "Smaller cells"],
  ["auto", "Fit", "Comfortable size"],
  ["whole", "Whole", "Show the whole board"],
  ["in", "+", "Larger cells"],
];

/** @param {() => {zoom: (to: string) => void}} board returns the current board */
export function zoomControl(board) {
  return el(
    "div.zoom.segmented",
    { role: "group", "aria-label": "Board size" },
    STEPS.map(([to, text, label]) =>
      el(
        "button",
        { type: "button", title: label, "aria-label": label, onclick: () => board().zoom(to) },
        text,
      ),
    ),
  );
}
