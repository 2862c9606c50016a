// The bar at the thumb, on touch screens and small ones: what a tap does, hint, new game.
//
//   const bar = thumbBar({hint, again, taps})   hint() and again() are called when pressed, taps(mode) when
//                                               the switch is turned and once at the beginning
//   bar.node, bar.paint(game)

import { button } from "../shared/parts.js";
import { pref, setPref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";
import { over } from "../shared/words.js";

const MODES = [
  ["open", "Dig", "i.cell.covered"],
  ["mark", "Flag", "i.cell.covered.marked"],
];

export function thumbBar({ hint, again, taps }) {
  const modes = MODES.map(([mode, name, sign]) =>
    el(
      "button",
      { type: "button", "data-mode": mode, onclick: () => setPref("taps", mode) },
      el(sign, { "aria-hidden": "true" }),
      name,
    ),
  );
  const hintButton = button("Hint", hint);
  const set = (mode) => {
    for (const one of modes) one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
    taps(mode);
  };
  addEventListener("minewright:prefs", ({ detail }) => {
    if (detail.name === "taps") set(detail.value);
  });
  return {
    node: el(
      "div.thumb",
      {},
      el("div.segmented.taps", { role: "group", "aria-label": "A tap will" }, modes),
      hintButton,
      button("New", again, ".primary", { "aria-label": "New game" }),
    ),
    paint(game) {
      hintButton.disabled = over(game);
      set(pref("taps", "open"));
    },
  };
}
