// A move of a finished game in words.

import { COVERED, MINED } from "../board/board.js";
import { inSentences } from "./ledger.js";

/** Why a guess was survived where luck had no part in it. */
const SPARED = {
  fair: "No cell was provably safe, so the guess could not fail.",
  "safe-bet": "It cost that much of your score.",
};

/** What a move was, what it risked, and what it did to the chance to win. */
export function inWords(review, move, cellNames) {
  const where = move.cell === null ? "" : cellNames[move.cell];
  const off = move.kind === "mark" && move.changes[0]?.[1] === COVERED;
  const did = {
    open: `opened ${where}`,
    chord: `chorded on ${where}`,
    mark: off ? `unflagged ${where}` : `flagged ${where}`,
    "give up": "gave up",
  }[move.kind];
  const title = `Move ${move.number}: ${did}`;
  const partner = review.mode === "minebot" ? "MineBot" : "autoplay";
  const who = move.auto ? `Made by ${partner}. ` : "";
  const chance = inSentences(move, (cell) => cellNames[cell]);
  return { title, says: `${who}${inRisk(review, move)}`.trim(), chance };
}

function inRisk(review, move) {
  if (move.kind === "give up") return "";
  if (move.kind === "mark") {
    const wrong = move.changes[0]?.[1] !== COVERED && review.truth[move.cell] < MINED;
    return wrong ? "There was no mine there." : "";
  }
  if (move.too_hard) return "The risk was too hard to work out.";
  if (move.risk === null) return "The risk isn't worked out yet.";
  const free = move.number === 1 && review.start !== "any";
  if (move.risk === 0) return free ? "The first move is never a mine." : "Certainly safe.";
  const blew = review.state === "lost" && move.number === review.moves.length;
  const went = blew ? "It exploded." : (SPARED[review.mode] ?? "It paid off.");
  if (move.missed === 1) return `An avoidable risk: one cell was certainly safe. ${went}`;
  if (move.missed) return `An avoidable risk: ${move.missed} cells were certainly safe. ${went}`;
  if (move.risk > move.least + 1e-9) return `No cell was safe, but there was a smaller risk. ${went}`;
  return `No cell was safer. ${went}`;
}

/** The step of a no-guess game's proof that was missed. */
export function inProof(step) {
  return step ? `You didn't have to guess: step ${step.number} of ${step.steps} was possible. ` : "";
}
