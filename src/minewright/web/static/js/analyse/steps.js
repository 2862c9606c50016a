// The explained steps of a position, one at a time, with their clues and conclusions lit on the board.
//
//   const steps = new Steps({question, board, opened, closed})
//     question(): the position, as asked of the server; board(): the board to scroll
//     opened(), closed(): called when the steps open, change and close: paint again
//   steps.node, steps.tints()      the panel; what to show on the board, null while closed
//   steps.explain(), steps.step(by), steps.close()

import { post } from "../shared/api.js";
import { MINED, SAFE } from "../board/board.js";
import { button, panel, refocus } from "../shared/parts.js";
import { el, report } from "../shared/shell.js";

const KINDS = ["one clue", "several clues", "with the mine total"];

export class Steps {
  #page;
  #begin = button("Explain step by step", () => this.explain().catch(report), ".primary");
  #back = button("‹ Back", () => this.step(-1), ".small", { "aria-label": "Previous step" });
  #on = button("Next ›", () => this.step(1), ".small", { "aria-label": "Next step" });
  #shut = button("Close", () => this.close(), ".quiet.small");
  #of = el("span.note");
  #kind = el("div.cluster");
  #says = el("p.sentence", { role: "status" });
  #more = button("Continue from here", () => this.#goOn().catch(report), ".small", { hidden: true });
  #bar = el(
    "div.spread",
    { hidden: true },
    el("div.cluster", {}, this.#back, this.#on, this.#of),
    this.#shut,
  );
  /** {steps, complete, then}, and the question that it answers. */
  #solution = null;
  #asked = null;
  #at = 0;

  constructor(page) {
    this.#page = page;
    this.node = panel(
      "Explanation",
      el("h2", {}, "Why"),
      this.#begin,
      this.#bar,
      this.#kind,
      this.#says,
      this.#more,
    );
    this.node.classList.add("why");
  }

  get open() {
    return this.#solution !== null;
  }

  async explain() {
    const asked = this.#page.question();
    const found = await this.#ask(asked);
    if (!found) return;
    this.#solution = found;
    this.#at = 0;
    this.#begin.hidden = true;
    this.#bar.hidden = false;
    this.#paint();
    this.#page.opened();
    this.#focus(this.#on);
  }

  /** Time ran out: draw in what is known so far, and ask about that. */
  async #goOn() {
    const { steps } = this.#solution;
    const cells = [...this.#asked.drawn.cells];
    for (const { safe, mined } of steps) {
      for (const cell of safe) cells[cell] = SAFE;
      for (const cell of mined) cells[cell] = MINED;
    }
    const first = this.#asked;
    const found = await this.#ask({ ...first, drawn: { ...first.drawn, cells } });
    if (!found) return;
    this.#asked = first;
    this.#solution = { ...found, steps: [...steps, ...found.steps] };
    this.#at = steps.length;
    this.#paint();
    this.#page.opened();
    this.#focus(this.#on);
  }

  /** Ask; return null if the position has changed by the time of the answer. */
  async #ask(asked) {
    this.#asked = asked;
    const { activeElement: focused } = document;
    this.#begin.disabled = this.#more.disabled = true;
    try {
      const found = await post("/api/analyse/steps", asked);
      return this.#asked === asked ? found : null;
    } finally {
      this.#begin.disabled = this.#more.disabled = false;
      refocus(focused);
    }
  }

  step(by) {
    if (!this.open) return;
    // Chromium takes the focus from a button as soon as it is disabled: look while it is still there.
    const { activeElement: focused } = document;
    this.#at = Math.min(this.#solution.steps.length, Math.max(0, this.#at + by));
    this.#paint();
    this.#page.opened();
    if (focused?.disabled) this.#focus(this.#on, this.#back);
  }

  /** Focus the first of these buttons that can be pressed: the one that had the focus cannot any more. */
  #focus(...buttons) {
    [...buttons, this.#shut].find(({ disabled }) => !disabled).focus({ preventScroll: true });
  }

  close() {
    const inside = this.#bar.contains(document.activeElement);
    this.#solution = this.#asked = null;
    this.#begin.hidden = false;
    if (inside) this.#begin.focus({ preventScroll: true });
    this.#bar.hidden = this.#more.hidden = true;
    this.#kind.replaceChildren();
    this.#says.textContent = "";
    this.#page.closed();
  }

  /** The tints of a step: its clues, its conclusions and those before; after the last step, all of them. */
  tints() {
    if (!this.open) return null;
    const now = this.#solution.steps[this.#at];
    const told = this.#solution.steps.slice(0, this.#at + 1);
    return {
      clues: now?.clues,
      region: now ? [...now.clues, ...now.safe, ...now.mined] : [],
      safe: told.flatMap(({ safe }) => safe),
      mined: told.flatMap(({ mined }) => mined),
    };
  }

  #paint() {
    const { steps, then, complete } = this.#solution;
    const now = steps[this.#at];
    const count = `${steps.length}${complete ? "" : " or more"}`;
    this.#of.textContent = now ? `${this.#at + 1} of ${count}` : complete ? "end" : "so far";
    this.#back.disabled = this.#at === 0;
    this.#on.disabled = this.#at === steps.length;
    this.#says.textContent = now ? now.sentence : then;
    this.#more.hidden = complete || Boolean(now);
    const chips = now ? [KINDS[now.kind], now.pattern].filter(Boolean) : [];
    this.#kind.replaceChildren(...chips.map((words) => el("span.chip", {}, words)));
    if (now) this.#page.board().reveal([...now.safe, ...now.mined]);
  }
}
