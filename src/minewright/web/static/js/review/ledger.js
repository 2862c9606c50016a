// The chance to win, in words: what a move gave away, what luck did, and both over the whole game.

import { percent } from "../board/board.js";
import { capital } from "../shared/words.js";

const FAULTS = { "missed proof": "a missed proof", "bad guess": "a bad guess" };
/** Less than this is told as nothing. */
const SLIGHT = 0.0005;

/** Part of a chance, as percentage points. */
export function points(share) {
  const text = (100 * Math.abs(share)).toFixed(1);
  return `${text} point${text === "1.0" ? "" : "s"}`;
}

const signed = (share) => {
  if (Math.abs(share) < SLIGHT) return "0";
  return `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`;
};

/** What a move did to the chance to win, in short: for the line under the curve. */
export function inShort({ judged }) {
  if (!judged) return "";
  const { before, after, given, luck, fault } = judged;
  if (before === null || after === null) return "chance to win too hard to estimate";
  const parts = [before === after ? `chance to win ${percent(before)}` : `chance to win ${percent(before)} → ${percent(after)}`];
  if (given > SLIGHT) parts.push(`${fault} −${(100 * given).toFixed(1)}`);
  if (luck !== null && Math.abs(luck) > SLIGHT) parts.push(`luck ${signed(luck)}`);
  return parts.join(" · ");
}

/** The same in sentences; name(cell) is what a cell is called. */
export function inSentences({ judged }, name) {
  if (!judged) return "";
  const { before, after, given, luck, fault, best } = judged;
  if (before === null || given === null) return "The chance to win was too hard to estimate here.";
  if (given <= SLIGHT && Math.abs(luck) <= SLIGHT) return "";
  const said = [`The chance to win was ${percent(before)}.`];
  if (given > SLIGHT) said.push(`The move gave away ${points(given)}: ${FAULTS[fault]}.`);
  // The proof below may be of another safe cell.
  const was = fault === "missed proof" ? "was safe" : "had a better chance to win";
  if (given > SLIGHT && best !== null) said.push(`${capital(name(best))} ${was}.`);
  if (given <= SLIGHT) said.push("The move gave nothing away.");
  if (luck > SLIGHT) said.push(`Luck added ${points(luck)}, raising it to ${percent(after)}.`);
  if (luck < -SLIGHT) said.push(`Luck took ${points(luck)}, leaving ${percent(after)}.`);
  return said.join(" ");
}

/** The sums of a game, as rows: a term, its value and an explanation. */
export function sums({ missed_proofs, bad_guesses, luck }) {
  return [
    ["Missed proofs", signed(-missed_proofs), "Given away by risks that a proof would have spared"],
    ["Bad guesses", signed(-bad_guesses), "Given away by guesses that win less often than the best one"],
    ["Luck", signed(luck), "What explosions, and the numbers that were shown, gave or took"],
  ];
}
