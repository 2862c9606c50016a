// What is said of a puzzle: its name, how large and how hard it is, what its solution takes.

import { el } from "../shared/shell.js";
import { longDay } from "./days.js";

const LEVELS = { easy: 1, medium: 2, hard: 3 };

/** Its size, its board if that is not the usual one, and its difficulty. */
export function about({ shape, topology, grade }) {
  return [
    `${sides(shape)}${topology === "moore" ? "" : `, ${topology}`} · `,
    el("span.level", {}, grade.difficulty, " ", meter(grade.difficulty)),
  ];
}

export function heading({ date }) {
  return date ? longDay(date) : "Bullets";
}

export function pageTitle({ date, shape }) {
  return `${date ? `Bullets of ${date}` : `Bullets ${sides(shape)}`} · Minewright`;
}

export function facts({ bullets, around, grade, seed }) {
  return [
    fact("Bullets", bullets),
    fact("Clues", Object.keys(around).length),
    fact("By one clue", plural(grade.single, "step")),
    fact("By several", plural(grade.several, "step")),
    fact("By the total", plural(grade.total, "bullet")),
    fact("Energy", grade.energy.toLocaleString("en-GB").replace("-", "−"), "Of Neller and Tran: the lower, the better"),
    ...(seed === null ? [] : [fact("Seed", seed)]),
  ];
}

function sides(shape) {
  return shape.join(" × ");
}

function fact(name, value, title = null) {
  return el("div", { title }, el("dt", {}, name), el("dd", {}, String(value)));
}

function plural(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Difficulty as dots, as in the book. */
function meter(difficulty) {
  return el("span.dots", { "aria-hidden": "true" }, [1, 2, 3].map((dot) =>
    el(dot <= LEVELS[difficulty] ? "i.on" : "i"),
  ));
}
