// A puzzle in words: its name, its size and difficulty, what its solution takes.

import { el } from "../shared/shell.js";
import { counted, longDay, small, topologyName } from "../shared/words.js";

const LEVELS = { easy: 1, medium: 2, hard: 3 };

/** Its size, its topology if unusual, and its difficulty. */
export function about({ shape, topology, grade }) {
  return [
    `${sides(shape)}${topology === "moore" ? "" : `, ${small(topologyName(topology))}`} · `,
    el("span.level", {}, grade.difficulty, " ", meter(grade.difficulty)),
  ];
}

export function heading({ date }) {
  return date ? longDay(date) : "Bullets";
}

export function pageTitle({ date, shape }) {
  return `${date ? `Bullets for ${date}` : `Bullets ${sides(shape)}`} · Minewright`;
}

export function facts({ bullets, around, grade, seed }) {
  return [
    fact("Bullets", bullets),
    fact("Clues", Object.keys(around).length),
    fact("With one clue", counted(grade.single, "step")),
    fact("With several", counted(grade.several, "step")),
    fact("With the total", counted(grade.total, "bullet")),
    fact("Energy", grade.energy.toLocaleString("en-GB").replace("-", "−"), "Neller and Tran's measure: lower is better"),
    ...(seed === null ? [] : [fact("Seed", seed)]),
  ];
}

function sides(shape) {
  return shape.join(" × ");
}

function fact(name, value, title = null) {
  return el("div", { title }, el("dt", {}, name), el("dd", {}, String(value)));
}

/** Difficulty as dots, as in the book. */
function meter(difficulty) {
  return el("span.dots", { "aria-hidden": "true" }, [1, 2, 3].map((dot) =>
    el(dot <= LEVELS[difficulty] ? "i.on" : "i"),
  ));
}
