// The assistant's answers, as what to show in words.

import { percent } from "../board/board.js";
import { numberBars } from "../shared/numbers.js";
import { el } from "../shared/shell.js";
import { told } from "../shared/told.js";
import { capital, counted } from "../shared/words.js";

/** What a guess means where the mode is kinder than the figures, which are those of an ordinary game. */
const SPARED = {
  fair: "This is a fair game, so the guess is safe. The figures are for an ordinary game.",
  kind: "This is a kind game: a forced guess is forgiven. The figures are for an ordinary game.",
  "safe-bet": "In this game the guess can't explode. The figures are for an ordinary game.",
};

/** A note for whoever has to guess, or null if the figures say it all. */
export function spared({ mode }) {
  return SPARED[mode] ? el("p.note", {}, SPARED[mode]) : null;
}

/** A hint, up to the level it was asked at. */
export function hintWords(said, level) {
  if (level === 3) return said.sentence;
  if (level === 1) {
    return said.certain
      ? "You can deduce something here: look at the lit cells."
      : "No safe move. The safest guess is among the lit cells.";
  }
  const count = said.clues.length;
  if (!said.certain) {
    if (!count) return "No safe move: you'll have to guess.";
    return count === 1
      ? "No safe move. The framed number touches the safest guess."
      : `No safe move. The ${count} framed numbers touch the safest guess.`;
  }
  if (!count) return "The numbers alone don't help: count the mines that are left.";
  return count === 1
    ? "One number is enough: the framed one."
    : `Look at the ${count} framed numbers together.`;
}

export function mayGuess({ answer }) {
  return answer
    ? "Yes: no cell is certainly safe, so you'll have to guess."
    : "No need: at least one cell is certainly safe.";
}

/** @param {boolean} flagged whether there are any flags */
export function flagWrong({ answer }, flagged) {
  if (answer) return "Yes: at least one flag can't be right.";
  return flagged ? "No: none of your flags is provably wrong." : "You have no flags yet.";
}

/** @param {string} name of the cell */
export function bestMove(said, name, game) {
  const risk = said.risk === 0 ? "safe" : `risk ${percent(said.risk)}`;
  return [
    el("div.title", {}, el("strong", {}, capital(name)), el("span.chip", {}, risk)),
    told(said.sentence),
    said.risk > 0 && spared(game),
    said.next && el("p.note", {}, said.next),
    ...numberBars(said),
    said.approximate &&
      el("p.note", {}, "Chances are sampled, so what the cell could show isn't worked out."),
  ];
}

/** What to say where there is no step to explain. */
export function noSteps({ complete, mines }) {
  if (!complete) return "No step was found in time.";
  if (!mines.length)
    return "Nothing is certain here, so there is nothing to explain: you'll have to guess.";
  const lit = mines.length === 1 ? "the lit cell is a mine" : `the ${mines.length} lit cells are mines`;
  return `No cell is certainly safe: you'll have to guess. All that is certain is that ${lit}.`;
}

/** One step of the explained solution. @param {(by: number) => void} turn goes on or back */
export function stepView({ steps, complete, mines, at }, turn) {
  const step = steps[at];
  const last = at === steps.length - 1;
  const go = (text, way, off) =>
    el("button.button.small", { type: "button", disabled: off, onclick: () => turn(way) }, text);
  const more = mines.length ? ` ${counted(mines.length, "more mine")} can be proved.` : "";
  const end = complete ? `That's everything that is safe for now.${more}` : "Time ran out: there may be more.";
  return [
    el(
      "div.title",
      {},
      el("strong", {}, `Step ${at + 1} of ${steps.length}`),
      step.pattern ? el("span.chip", {}, step.pattern) : null,
    ),
    told(step.sentence),
    last ? el("p.note", {}, end) : null,
    el("div.cluster", {}, go("Back", -1, at === 0), go("Next", 1, last)),
  ];
}
