// What each cell of a board shows and tells a screen reader: its code, its tints, its chance.

import { COVERED, MARKED, MINED, SAFE, names, percent } from "./cells.js";

/** The tints of a cell: name, CSS class, and words for a screen reader. */
const LOOKS = [
  ["safe", "safe", "safe"],
  ["mined", "mined", "mine"],
  ["clues", "clue", "clue"],
  ["clash", "clash", "contradiction"],
  ["region", "region", "look here"],
  ["best", "best", "best move"],
  ["guess", "guess", "guess"],
  ["played", "played", "this move"],
  ["exploded", "exploded", "exploded"],
];

/** How a number can stand: its flags fit and nothing is left to open; it has too many flags. */
const STANDINGS = ["", "done", "crowded"];

/** The classes of an open cell. */
const opened = (code) => (code === 0 ? "cell open" : `cell open number n${Math.min(code, 9)}`);

/** A cell that is being opened looks pressed, or open if it is certainly safe. */
const AWAITED = 1;
const SURE = 2;
const COVERS = ["cell covered", "cell covered awaited", "cell open awaited"];

/** No level. */
const NONE = 255;

/** The faces that an opening needs, each with its classes: for those who draw them beforehand. */
export const OPENING = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((code) => [code + (NONE << 8), opened(code)]),
  ...[AWAITED, SURE].map((how) => [COVERED + (NONE << 8) + (how << 28), COVERS[how]]),
];

export class Faces {
  #names;
  #codes;
  #looks;
  #chances = new Map();
  #truth = null;
  /** Whether there are no tints. */
  #bare = true;
  #geometry;
  #counts;
  /** How cells that are being opened are drawn: AWAITED, or SURE. */
  #expected = new Map();
  /** How many cells are flagged, and whether one was since numbers were last counted. */
  #flags = 0;
  #unflagged = false;

  /** @param {boolean} counts whether numbers show that they are done, or have too many flags */
  constructor(layout, geometry, counts = false) {
    this.#geometry = geometry;
    this.#counts = counts;
    this.#names = names(layout);
    this.#codes = new Uint8Array(layout.size).fill(COVERED);
    this.#looks = new Uint16Array(layout.size);
  }

  code(cell) {
    return this.#codes[cell];
  }

  /** Set a cell's code; return whether it changed. */
  set(cell, code) {
    const before = this.#codes[cell];
    if (before === code) return false;
    this.#codes[cell] = code;
    if (code === MARKED) this.#flags++;
    if (before === MARKED) {
      this.#flags--;
      this.#unflagged = true;
    }
    return true;
  }

  /** Set the codes of all cells; return those that changed, and how many opened.
   *
   *  Thousands may change while this code is still cold: hence one plain loop. */
  setAll(codes) {
    const mine = this.#codes;
    const changed = [];
    let opened = 0;
    let flags = 0;
    for (let cell = 0; cell < mine.length; cell++) {
      const code = codes[cell];
      if (code === MARKED) flags++;
      if (code === mine[cell]) continue;
      if (mine[cell] === MARKED) this.#unflagged = true;
      if (code < MARKED) opened++;
      mine[cell] = code;
      changed.push(cell);
    }
    this.#flags = flags;
    return { changed, opened };
  }

  /** The numbers around changed cells, whose count may be another now. */
  affected(cells) {
    // Without flags no number has come to anything, as in the first opening, where most cells change at once.
    if (!this.#counts || !(this.#flags || this.#unflagged)) return [];
    this.#unflagged = false;
    const found = [];
    const seen = new Uint8Array(this.#codes.length);
    for (const cell of cells) seen[cell] = 1;
    for (const cell of cells) {
      for (const step of this.#geometry.steps(cell)) {
        const near = cell + step;
        if (seen[near] || !this.#isNumber(near)) continue;
        seen[near] = 1;
        found.push(near);
      }
    }
    return found;
  }

  /** The chance of a mine; undefined for open cells, and where it is not known. */
  chance(cell) {
    return this.#codes[cell] >= MARKED ? this.#chances.get(cell) : undefined;
  }

  /** Replace all tints; return the cells that look or read differently now. */
  tint(tints) {
    const bare = Object.values(tints).every((tint) => !tint || Object.keys(tint).length === 0);
    if (bare && this.#bare) return [];
    this.#bare = bare;
    const before = { looks: this.#looks, chances: this.#chances, truth: this.#truth };
    this.#looks = new Uint16Array(before.looks.length);
    LOOKS.forEach(([name], bit) => {
      for (const cell of tints[name] ?? []) this.#looks[cell] |= 1 << bit;
    });
    this.#chances = new Map();
    const given = tints.chances ?? {};
    for (const cell of Object.keys(given)) {
      if (given[cell] !== null) this.#chances.set(Number(cell), given[cell]);
    }
    this.#truth = tints.truth ?? null;
    const all = before.truth !== this.#truth;
    const changed = [];
    this.#looks.forEach((look, cell) => {
      const other = this.#chances.get(cell) !== before.chances.get(cell);
      if (all || other || look !== before.looks[cell]) changed.push(cell);
    });
    return changed;
  }

  /** These cells are being opened; return those that look different now. */
  expect(cells, sure) {
    const before = this.#expected;
    this.#expected = new Map(cells.map((cell) => [cell, AWAITED]));
    for (const cell of sure) this.#expected.set(cell, SURE);
    const all = [...new Set([...before.keys(), ...cells])];
    return all.filter((cell) => before.get(cell) !== this.#expected.get(cell));
  }

  /** How a covered cell is drawn that is being opened; 0 for all others. */
  #opening(cell) {
    return (this.#codes[cell] === COVERED && this.#expected.get(cell)) || 0;
  }

  /** A number for what a cell looks like: cells with the same number have the same classes and level. */
  face(cell) {
    const code = this.#codes[cell];
    const level = code < MARKED ? undefined : this.level(cell);
    const truth = this.#isMine(cell) || (code === MARKED && this.#isWrong(cell)) ? 1 : 0;
    const standing = STANDINGS.indexOf(this.#standing(cell));
    // Levels are multiples of a two-hundredth.
    const full = level === undefined ? NONE : Math.round(200 * level);
    const look = code + (full << 8) + (standing << 16) + (truth << 18) + (this.#looks[cell] << 19);
    return look + (this.#opening(cell) << 28);
  }

  classes(cell) {
    const code = this.#codes[cell];
    let classes;
    if (code < MINED) classes = opened(code);
    else if (this.#isMine(cell)) classes = "cell mine";
    else if (code === SAFE) classes = "cell open number unread";
    else if (code === COVERED) classes = COVERS[this.#opening(cell)];
    else classes = this.#isWrong(cell) ? "cell covered marked wrong" : "cell covered marked";
    const stands = this.#standing(cell);
    if (stands) classes += ` ${stands}`;
    // A chance of 0 must not look like a chance that is not known.
    if (code === COVERED && this.#chances.get(cell) === 0) classes += " never";
    const look = this.#looks[cell];
    if (look) LOOKS.forEach(([, name], bit) => look & (1 << bit) && (classes += ` ${name}`));
    return classes;
  }

  /** How full a cell is drawn, in steps too small to see. */
  level(cell) {
    const chance = this.#chances.get(cell);
    if (chance === undefined) return undefined;
    const level = this.#geometry.level(chance);
    // Only what is certain may look certain.
    if (chance === 0 || chance === 1) return level;
    return Math.min(0.96, Math.max(0.04, Math.round(level * 200) / 200));
  }

  /** What a screen reader says about a cell. */
  words(cell) {
    const code = this.#codes[cell];
    let words;
    if (code < MINED) words = `${code}`;
    else if (this.#isMine(cell)) words = "mine";
    else if (code === SAFE) words = "safe, number unknown";
    else if (code === COVERED) words = "covered";
    else words = this.#isWrong(cell) ? "wrong flag" : "flagged";
    const stands = this.#standing(cell);
    if (stands) words += stands === "done" ? ", complete" : ", too many flags";
    const look = this.#looks[cell];
    if (look) LOOKS.forEach(([, , word], bit) => look & (1 << bit) && (words += `, ${word}`));
    const chance = this.chance(cell);
    if (chance !== undefined) words += `, ${percent(chance)} mine`;
    return `${this.#names[cell]}: ${words}`;
  }

  #isNumber(cell) {
    return this.#codes[cell] > 0 && this.#codes[cell] < MINED;
  }

  /** How a number stands: one of STANDINGS. */
  #standing(cell) {
    if (!this.#counts || !this.#flags || this.#truth || !this.#isNumber(cell)) return "";
    let flags = 0;
    let covered = 0;
    for (const step of this.#geometry.steps(cell)) {
      const code = this.#codes[cell + step];
      if (code === MARKED) flags++;
      else if (code === COVERED) covered++;
    }
    if (flags > this.#codes[cell]) return "crowded";
    return flags === this.#codes[cell] && covered === 0 ? "done" : "";
  }

  #isMine(cell) {
    const code = this.#codes[cell];
    return code === MINED || (code === COVERED && this.#truth?.[cell] === MINED);
  }

  #isWrong(cell) {
    return this.#truth !== null && this.#truth[cell] !== MINED;
  }
}
