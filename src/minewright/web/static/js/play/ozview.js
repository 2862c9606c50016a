// The Oz view: Collet's assistant as his text has it, with propagators to switch and a button that solves.
//
//   const oz = new OzView({changed, solve})   changed(switches) when a propagator is switched;
//                                             solve(kind) when the button is pressed
//   oz.node, oz.paint(game)
//   found(said, before)                       what a solver said, in words

import { el } from "../shared/shell.js";
import { counted, over } from "../shared/words.js";

const PROPAGATORS = [
  ["zero", "Zero propagator", "no effect here: the game opens all cells around a 0 itself"],
  ["simple", "Simple propagators", "one per number"],
  ["set", "Set propagators", "numbers that share sets of cells"],
];
const SOLVERS = [
  ["sets", "Set", "one variable per set of cells"],
  ["binary", "Binary", "one variable per cell"],
];

export class OzView {
  #boxes = {};
  #solvers;
  #solve;

  constructor({ changed, solve }) {
    const rows = PROPAGATORS.map(([name, title, summary]) => {
      const box = el("input", {
        type: "checkbox",
        role: "switch",
        name,
        // His solver waits for the button.
        onchange: () => changed({ ...this.#read(), obvious: false, solvers: false, probabilities: false }),
      });
      this.#boxes[name] = box;
      return el("label.switch", {}, el("span", {}, title, el("small", {}, summary)), box);
    });
    this.#solvers = SOLVERS.map(([value, , title]) =>
      el("input", { type: "radio", name: "solver", value, title, checked: value === "sets" }),
    );
    this.#solve = el(
      "button.button",
      {
        type: "button",
        onclick: () => solve(this.#solvers.find(({ checked }) => checked).value),
      },
      "Solve",
    );
    this.node = el(
      "details.oz",
      {},
      el("summary", {}, "Oz view"),
      el(
        "p.note",
        {},
        "Collet's assistant of 2004. Propagators work by themselves; a solver works when you press ",
        "the button, and shows chances only if it finds nothing new.",
      ),
      rows,
      el(
        "div.cluster",
        {},
        el(
          "div.segmented",
          { role: "radiogroup", "aria-label": "Solver" },
          SOLVERS.map(([, name], at) => el("label", {}, this.#solvers[at], name)),
        ),
        this.#solve,
      ),
    );
  }

  paint(game) {
    for (const [name, box] of Object.entries(this.#boxes)) box.checked = game.assistant[name];
    this.#solve.disabled = over(game) || game.state === "ready";
  }

  #read() {
    return Object.fromEntries(Object.entries(this.#boxes).map(([name, box]) => [name, box.checked]));
  }
}

/** Say what a solver found: how many solutions, and what is new. */
export function found({ solutions, news, help }, kind) {
  const other = kind === "sets" ? "binary" : "sets";
  const count = (number) => (number === null ? "too many" : number.toLocaleString("en"));
  const words = `${counted(solutions[kind] ?? 0, "solution")}, ${count(solutions[other])} in ${
    other === "sets" ? "sets" : "binary"
  }.`;
  if (!news) return `${words} Nothing new, so here are the chances.`;
  return `${words} Now known: ${help.safe.length} safe, ${counted(help.mined.length, "mine")}.`;
}
