// A watched game as a film: frame 0 is the covered board with what the first turn will do, the last
// frame is the end. Frames can be shown in any order.

import { COVERED } from "../board/board.js";

export class Film {
  #codes;
  #before = [];
  #at = 0;

  /** @param {object} game the answer of POST /api/watch */
  constructor(game) {
    this.game = game;
    this.turns = game.turns;
    this.#codes = new Uint8Array(game.shape.reduce((all, side) => all * side, 1)).fill(COVERED);
  }

  /** How many turns there are; frame `length` is the end. */
  get length() {
    return this.turns.length;
  }

  /** The codes of all cells before turn `at`, or at the end. */
  codes(at) {
    const to = Math.min(Math.max(0, at), this.length);
    while (this.#at < to) this.#forward();
    while (this.#at > to) this.#back();
    return this.#codes;
  }

  /** The position before turn `at`, as a question to the server: the player trusts its own flags. */
  position(at) {
    const { topology, shape, mines } = this.game;
    const drawn = { topology, shape, mines, cells: [...this.codes(at)] };
    return { drawn, trust_marks: true };
  }

  #forward() {
    const { changes } = this.turns[this.#at];
    this.#before[this.#at] ??= changes.map(([cell]) => [cell, this.#codes[cell]]);
    for (const [cell, code] of changes) this.#codes[cell] = code;
    this.#at++;
  }

  #back() {
    this.#at--;
    for (const [cell, code] of this.#before[this.#at]) this.#codes[cell] = code;
  }
}

/** What a turn found, one entry per reason: {reason, safe, mined, chain}. */
export function findings(turn) {
  const found = new Map();
  for (const { reason, safe, mined, chain } of turn.findings) {
    if (!found.has(reason)) found.set(reason, { reason, safe: new Set(), mined: new Set(), chain });
    const entry = found.get(reason);
    for (const cell of safe) entry.safe.add(cell);
    for (const cell of mined) entry.mined.add(cell);
  }
  return [...found.values()].map(({ reason, safe, mined, chain }) => ({
    reason,
    chain,
    safe: [...safe],
    mined: [...mined],
  }));
}
