// How much the assistant shows on the board, as one control with levels, and the autoplayer.
//
//   const levels = new Levels(changed)     changed(switches) is called when the player chooses
//   levels.node, levels.paint(switches)    switches as the server knows them

import { el } from "../shared/shell.js";

/** The server's switches, all off. */
export const switchesOff = {
  obvious: false,
  zero: false,
  simple: false,
  set: false,
  solvers: false,
  probabilities: false,
  autoplay: false,
  approximate: false,
};

/** Each level: its name, what it shows, and the switches that are on. */
const LEVELS = [
  ["Off", "You're on your own.", []],
  ["Obvious", "What one glance at a number tells you.", ["obvious"]],
  ["One number", "What single numbers settle, one after the other.", ["simple"]],
  ["Numbers together", "What numbers settle by sharing cells.", ["simple", "set"]],
  ["Everything provable", "Every cell that is safe or a mine for sure.", ["solvers"]],
  ["Chances", "Also how likely a mine is everywhere else.", ["solvers", "probabilities"]],
];
/** The switches that make the levels. */
const PARTS = ["obvious", "zero", "simple", "set", "solvers", "probabilities"];

export class Levels {
  #inputs;
  #summary = el("p.note");
  #autoplay;
  #changed;

  constructor(changed) {
    this.#changed = changed;
    this.#inputs = LEVELS.map((_, at) =>
      el("input", { type: "radio", name: "level", value: at, onchange: () => this.#choose() }),
    );
    this.#autoplay = el("input", {
      type: "checkbox",
      role: "switch",
      name: "autoplay",
      onchange: () => this.#choose(),
    });
    this.node = el(
      "fieldset.levels",
      {},
      el("legend", {}, "Show on the board"),
      LEVELS.map(([name], at) => el("label", {}, this.#inputs[at], el("span", {}, name))),
      this.#summary,
      el(
        "label.switch",
        {},
        el("span", {}, "Autoplay", el("small", {}, "opens the safe cells it finds")),
        this.#autoplay,
      ),
    );
  }

  paint(switches) {
    const at = LEVELS.findIndex(([, , on]) =>
      PARTS.every((part) => Boolean(switches[part]) === on.includes(part)),
    );
    this.#inputs.forEach((input, level) => (input.checked = level === at));
    this.#summary.textContent = at < 0 ? "As chosen in the Oz view." : LEVELS[at][1];
    this.#autoplay.checked = switches.autoplay;
    this.#autoplay.disabled = at === 0 && !switches.autoplay;
  }

  #choose() {
    const at = this.#inputs.findIndex(({ checked }) => checked);
    const wish = { autoplay: this.#autoplay.checked && at !== 0 };
    // Without a level the switches are those of the Oz view, and stay.
    if (at >= 0) for (const part of PARTS) wish[part] = LEVELS[at][2].includes(part);
    this.#changed(wish);
  }
}
