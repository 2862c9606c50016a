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

export function facts({ bullets, around, seed }) {
  return [
    fact("Bullets", bullets),
    fact("Clues", Object.keys(around).length),
    ...(seed === null ? [] : [fact("Seed", seed)]),
  ];
}

/** What its solution takes, and how good a puzzle it is. */
export function takes({ grade: { single, several, total, energy } }) {
  const steps = `${counted(single, "step")} with one clue, ${several.toLocaleString("en")} with several`;
  const rest = total ? `; ${counted(total, "bullet")} ${total === 1 ? "follows" : "follow"} only from the total` : "";
  const score = energy.toLocaleString("en").replace("-", "−");
  return `The solution takes ${steps}${rest}. Energy ${score}: Neller and Tran's score for a puzzle; lower is better.`;
}

function sides(shape) {
  return shape.join(" × ");
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, String(value)));
}

/** Difficulty as dots, as in the book. */
function meter(difficulty) {
  return el("span.dots", { "aria-hidden": "true" }, [1, 2, 3].map((dot) =>
    el(dot <= LEVELS[difficulty] ? "i.on" : "i"),
  ));
}
