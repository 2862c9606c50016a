// One line for somebody who has never played, gone after the first moves.
//
//   const line = newcomer(howToPlay)      howToPlay() opens the lesson
//   line.node, line.moved()               the player has made a move

import { button } from "../shared/parts.js";
import { pref, setPref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";

/** The moves after which a player knows. */
const ENOUGH = 6;

const coarse = matchMedia("(pointer: coarse)");

export function newcomer(howToPlay) {
  const ways = coarse.matches
    ? "Tap to open, hold to flag."
    : "Click to open, right-click to flag.";
  const node = el(
    "p.newcomer",
    {},
    el("span", {}, "Numbers count the mines that touch them. ", ways),
    button("How to play", howToPlay, ".quiet.small"),
    button("✕", () => done(), ".quiet.small.icon", { "aria-label": "Close this tip" }),
  );
  const done = () => {
    setPref("newcomer", "done");
    node.hidden = true;
    dispatchEvent(new Event("resize"));
  };
  let moves = Number(pref("newcomer", "0"));
  node.hidden = !(moves < ENOUGH);
  return {
    node,
    moved() {
      if (node.hidden) return;
      moves++;
      if (moves >= ENOUGH) done();
      else setPref("newcomer", String(moves));
    },
  };
}
