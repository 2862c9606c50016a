// Buttons that zoom a board.

import { el } from "../shared/shell.js";

const STEPS = [
  ["out", "−", "Smaller cells"],
  ["auto", "Fit", "Fit: cells of a handy size"],
  ["whole", "Whole", "Whole board at once"],
  ["in", "+", "Larger cells"],
];

/** @param {() => {zoom: (to: string) => void}} board gives the board of the moment */
export function zoomControl(board) {
  return el(
    "div.zoom.segmented",
    { role: "group", "aria-label": "Size of the board" },
    STEPS.map(([to, text, label]) =>
      el(
        "button",
        { type: "button", title: label, "aria-label": label, onclick: () => board().zoom(to) },
        text,
      ),
    ),
  );
}
