// Paper: the printed sheet, files to save, and the puzzle's address.

import { copy } from "../shared/copying.js";
import { el, toast } from "../shared/shell.js";
import { longDay } from "../shared/words.js";
import { draw } from "./picture.js";

/** The printed sheet: the rules, the puzzle without marks, and circles to keep count. */
export function sheet(puzzle, layout) {
  const { date, grade, rules, bullets, shape } = puzzle;
  return [
    el("header", {}, el("p.heading", {}, "Bullets"), el("p", {}, grade.difficulty)),
    el("p.day", {}, date ? longDay(date, true) : shape.join(" by ")),
    el("p.rules", {}, rules.flatMap((line, at) => (at ? [el("br"), line] : [line]))),
    draw(puzzle, layout, { numbered: false }),
    el("div.tally", {}, Array.from({ length: bullets }, () => el("i"))),
    el("footer", {}, `Minewright · ${address(puzzle)}`),
  ];
}

/** The address of a puzzle. */
export function address(puzzle) {
  return `${location.origin}/bullets?${puzzle.date ? `day=${puzzle.date}` : `p=${puzzle.code}`}`;
}

export async function copyLink(puzzle) {
  await copy(address(puzzle), "Link copied. It leads to this puzzle.");
}

/** Fetch a file before saving it, so that an error is shown and not saved. */
export async function save({ code, date, shape }, kind, options) {
  const asked = new URLSearchParams({ code, ...options });
  if (kind === "pdf" && date) asked.set("date", date);
  const name = ["bullets", date ?? shape.join("x"), options.what === "solution" && "solution"].filter(Boolean);
  try {
    const response = await fetch(`/api/bullets/${kind}?${asked}`);
    if (!response.ok) throw new Error((await response.json()).problem);
    const link = el("a", { href: URL.createObjectURL(await response.blob()), download: `${name.join("-")}.${kind}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    toast(error.message);
  }
}
