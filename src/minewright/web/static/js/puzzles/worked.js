// The worked solution as a strip: the board after each step, with the reason.
//
//   const worked = new Worked(shown);  worked.node;  worked.of(puzzle, layout)
//     shown()   called when the solution is looked at

import { get } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { el, report } from "../shared/shell.js";
import { draw } from "./picture.js";
import { save } from "./sheet.js";

const TYPES = ["one clue", "several clues", "bullet total"];

export class Worked {
  #puzzle = null;
  #layout = null;
  #shown;
  #body = el("div.worked");

  constructor(shown) {
    this.#shown = shown;
    this.node = el(
      "details.panel.solution",
      { ontoggle: () => this.node.open && this.#fill().catch(report) },
      el("summary", {}, el("h2", {}, "Worked solution"), el("span.note", {}, "every step, with its reason")),
      this.#body,
    );
  }

  of(puzzle, layout) {
    this.#puzzle = puzzle;
    this.#layout = layout;
    this.node.open = false;
    this.#body.replaceChildren();
  }

  async #fill() {
    if (this.#body.childElementCount) return;
    const puzzle = this.#puzzle;
    const { steps } = await get(`/api/bullets/solution?code=${encodeURIComponent(puzzle.code)}`);
    if (puzzle !== this.#puzzle) return;
    this.#shown();
    const marks = new Array(this.#layout.size).fill(".");
    const items = steps.map((step, at) => {
      for (const cell of step.empty) marks[cell] = "/";
      for (const cell of step.bullets) marks[cell] = "o";
      return this.#item(step, at, steps.length, [...marks]);
    });
    this.#body.replaceChildren(
      el("ol.strip", { "aria-label": "Steps", onkeydown: move, onfocusin: reach }, items),
      button("Download as SVG", () => save(puzzle, "svg", { what: "solution" }), ".small"),
    );
  }

  #item({ type, clues, empty, bullets, sentence }, at, count, marks) {
    const label = `Board after step ${at + 1} of ${count}`;
    return el(
      "li",
      { tabindex: at ? -1 : 0 },
      el("header", {}, el("b", {}, `${at + 1}`), el("span.chip", {}, TYPES[type])),
      draw(this.#puzzle, this.#layout, { marks, clues, fresh: [...empty, ...bullets], label }),
      el("p", {}, sentence),
    );
  }
}

/** Arrows, Home and End go from step to step. */
function move(event) {
  const items = [...event.currentTarget.children];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  items[to]?.focus({ preventScroll: true });
  items[to]?.scrollIntoView({ block: "nearest", inline: "start" });
}

/** Tab returns to the step that had the focus last. */
function reach({ currentTarget, target }) {
  for (const item of currentTarget.children) item.tabIndex = item === target ? 0 : -1;
}
