// The assistant beside the board: what it watches for, hints in three steps, and questions.
//
// It asks the server and shows the answers; what it lights on the board it hands to the page as tints.

import { post, put } from "../shared/api.js";
import { MARKED, percent } from "../board/board.js";
import { numberBars } from "../shared/numbers.js";
import { setPref } from "../shared/prefs.js";
import { el, report } from "../shared/shell.js";
import { capital, over } from "../shared/words.js";

export const switchesOff = {
  zero: false,
  simple: false,
  set: false,
  solvers: false,
  probabilities: false,
  autoplay: false,
  approximate: false,
};

/** The parts of the assistant: the server's name, ours, what it does, and Collet's name for it. */
const SWITCHES = [
  ["zero", "Obvious", "everything around a 0 is safe", "zero propagator"],
  ["simple", "One number", "what a single number settles", "simple propagators"],
  ["set", "Numbers together", "what numbers settle by sharing cells", "set propagators"],
  ["solvers", "Everything provable", "every cell that is safe or a mine for sure", "solvers"],
  ["probabilities", "Chances", "cells fill up with their chance of a mine", "probabilities"],
  ["autoplay", "Autoplay", "opens the safe cells found by the others", "autoplayer"],
];
const STEPS = ["Hint: where to look", "Hint: which numbers", "Hint: the answer"];
const REST =
  "Hints come in three steps. Games with hints don't count for best times.";
const OFF = "Assistant is off.";

export class Assistant {
  #page;
  #boxes = {};
  #answer;
  #readout;
  #hintButton;
  #dots;
  #asks = [];
  #level = 0;
  #shown = null;
  #steps = null;

  /**
   * `page` has game(), board(), paint(), queue(ask), which calls ask(id) in its turn if the game is
   * still the same, and apply(id, answer, more), which shows an answer and whatever else is new.
   */
  constructor(panel, page) {
    this.#page = page;
    const rows = SWITCHES.map(([name, title, summary, collet]) => {
      const box = el("input", {
        type: "checkbox",
        role: "switch",
        name,
        onchange: () => this.#switch(),
      });
      this.#boxes[name] = box;
      const words = el("span", {}, title, el("small", {}, summary));
      return el("label.switch", { title: `Collet's ${collet}` }, words, box);
    });
    this.#readout = el("p.note.readout", {}, OFF);
    this.#dots = [1, 2, 3].map(() => el("i"));
    this.#hintButton = this.#button(STEPS[0], () => this.hint(), "wide");
    this.#hintButton.append(el("span.dots", { "aria-hidden": "true" }, this.#dots));
    this.#answer = el("div.answer", { role: "status" }, el("p.note", {}, REST));
    panel.append(
      el("h2", {}, "Assistant"),
      el("div.stack", {}, el("div.switches", {}, rows), this.#readout),
      el(
        "div.stack",
        {},
        el(
          "div.asks",
          {},
          this.#hintButton,
          this.#button("May I guess?", () =>
            this.#ask("may-guess", (said) => this.#mayGuess(said)),
          ),
          this.#button("Is a flag wrong?", () =>
            this.#ask("mark-is-wrong", (said) => this.#markWrong(said)),
          ),
          this.#button("Best move, and why", () => this.#ask("best", (said) => this.#best(said))),
          this.#button("Explain step by step", () =>
            this.#ask("steps", (said) => this.#explain(said)),
          ),
        ),
        this.#answer,
      ),
    );
  }

  /** A new game: nothing has been asked. */
  reset() {
    this.#forget();
    this.#say(el("p.note", {}, REST));
  }

  /** A move was made: what was said about the position before may no longer hold. */
  moved() {
    if (this.#level || this.#shown || this.#steps) this.reset();
  }

  /** Show how the game stands. */
  paint() {
    const game = this.#page.game();
    for (const [name, box] of Object.entries(this.#boxes)) box.checked = game.assistant[name];
    for (const button of this.#asks) button.disabled = over(game);
    const { too_hard: hard, approximate } = game.help;
    if (hard) {
      const sample = el(
        "button.button.small",
        { type: "button", onclick: () => this.#switch({ approximate: true }) },
        "Approximate",
      );
      this.#readout.replaceChildren(`${capital(hard)} `, game.assistant.approximate ? "" : sample);
    } else if (approximate) {
      this.#readout.textContent = "Chances are sampled: accurate to about a percent.";
    } else {
      this.read(null);
    }
  }

  /** Show the chance of the cell under the cursor or the focus. */
  read(cell) {
    const game = this.#page.game();
    if (!game || game.help.too_hard || game.help.approximate) return;
    const chance = cell === null ? undefined : game.help.chances?.[cell];
    if (chance !== undefined) {
      const name = this.#page.board().describe(cell).split(":")[0];
      this.#readout.textContent = `${name}: ${percent(chance)} mine`;
    } else {
      this.#readout.textContent = game.help.chances
        ? "Point at a cell to see its chance."
        : this.#idle(game);
    }
  }

  #idle(game) {
    if (Object.values(game.assistant).some(Boolean))
      return "Games with the assistant don't count for best times.";
    return OFF;
  }

  /** What to show on the board. */
  tints() {
    const { help } = this.#page.game();
    const both = (name) => [...help[name], ...(this.#shown?.[name] ?? [])];
    return {
      ...this.#shown,
      safe: both("safe"),
      mined: both("mined"),
      chances: help.chances ?? {},
    };
  }

  /** Give the next step of the hint. */
  hint() {
    if (this.#hintButton.disabled) return;
    this.#page.queue(async (id) => {
      const { state } = this.#page.game();
      // Before anything is open there is no clue to look at first.
      const level = state === "ready" ? 3 : Math.min(this.#level + 1, 3);
      const said = await this.#patient(() => post(`/api/games/${id}/hint`, { level }));
      if (!said || this.#page.game().id !== id) return;
      this.#steps = null;
      this.#level = level;
      this.#shown = {
        region: level === 1 ? said.region : [],
        clues: said.clues ?? [],
        safe: said.safe ?? [],
        mined: said.mined ?? [],
        best: said.cell === null || said.cell === undefined ? [] : [said.cell],
      };
      this.#say(el("p", {}, this.#words(said, level)));
      this.#progress();
      this.#reveal();
    });
  }

  #words(said, level) {
    if (level === 3) return said.sentence;
    if (level === 1) {
      return said.certain
        ? "There is a safe deduction: look at the lit cells."
        : "No safe move. The safest guess is among the lit cells.";
    }
    const count = said.clues.length;
    if (!said.certain) {
      if (!count) return "No safe move: you'll have to guess.";
      return count === 1
        ? "No safe move. The framed number touches the safest guess."
        : `No safe move. The ${count} framed numbers touch the safest guess.`;
    }
    if (!count) return "The numbers alone don't help: count the mines that are left.";
    return count === 1
      ? "One number is enough: the framed one."
      : `Look at the ${count} framed numbers together.`;
  }

  // Questions

  #button(text, act, kind = "") {
    const button = el(
      `button.button${kind && `.${kind}`}`,
      { type: "button", onclick: act },
      el("span", {}, text),
    );
    this.#asks.push(button);
    return button;
  }

  #ask(what, show, given = {}) {
    this.#page.queue(async (id) => {
      const said = await this.#patient(() => post(`/api/games/${id}/${what}`, given), what);
      if (!said || this.#page.game().id !== id) return;
      this.#forget();
      show(said);
      this.#page.paint();
      this.#reveal();
    });
  }

  /** Wait for an answer. "Too hard" is an answer too, with an offer to approximate where possible. */
  async #patient(ask, what = null) {
    const late = setTimeout(() => this.#say(el("p.note", {}, "Thinking…")), 250);
    try {
      return await ask();
    } catch (error) {
      if (!error.body?.too_hard) {
        this.#say(el("p.note", {}, capital(error.message)));
        if (error.status !== 409) report(error);
        return null;
      }
      const offer =
        what === "best" &&
        el(
          "button.button.small",
          {
            type: "button",
            onclick: () => this.#ask("best", (said) => this.#best(said), { approximate: true }),
          },
          "Approximate",
        );
      this.#say(el("p", {}, "This position is too hard to solve exactly in time."), offer);
      return null;
    } finally {
      clearTimeout(late);
    }
  }

  #mayGuess({ answer }) {
    this.#say(
      el(
        "p",
        {},
        answer
          ? "Yes: no cell is certainly safe, so you'll have to guess."
          : "No need: at least one cell is certainly safe.",
      ),
    );
  }

  #markWrong({ answer }) {
    const { board, game } = this.#page;
    const flagged = game().cells.some((_, cell) => board().code(cell) === MARKED);
    const right = flagged ? "No: none of your flags is provably wrong." : "You have no flags yet.";
    this.#say(el("p", {}, answer ? "Yes: at least one flag can't be right." : right));
  }

  #best(said) {
    this.#shown = { best: [said.cell] };
    const name = this.#page.board().describe(said.cell).split(":")[0];
    const risk = said.risk === 0 ? "safe" : `risk ${percent(said.risk)}`;
    this.#say(
      el("div.title", {}, el("strong", {}, capital(name)), el("span.chip", {}, risk)),
      el("p", {}, said.sentence),
      ...numberBars(said),
      said.approximate &&
        el("p.note", {}, "Chances are sampled, so what the cell could show isn't worked out."),
    );
  }

  // The explained solution, step by step

  #explain({ steps, complete }) {
    if (!steps.length) {
      this.#say(
        el(
          "p",
          {},
          complete
            ? "Nothing is certain here, so there is nothing to explain: you'll have to guess."
            : "No step was found in time.",
        ),
      );
      return;
    }
    this.#steps = { steps, complete, at: 0 };
    this.#step(0);
  }

  #step(by) {
    const { steps, complete } = this.#steps;
    const at = Math.max(0, Math.min(steps.length - 1, this.#steps.at + by));
    this.#steps.at = at;
    const past = steps.slice(0, at + 1);
    const step = steps[at];
    this.#shown = {
      clues: step.clues,
      safe: past.flatMap(({ safe }) => safe),
      mined: past.flatMap(({ mined }) => mined),
    };
    const go = (text, way, off) =>
      el(
        "button.button.small",
        { type: "button", disabled: off, onclick: () => this.#turn(way) },
        text,
      );
    const last = at === steps.length - 1;
    this.#say(
      el(
        "div.title",
        {},
        el("strong", {}, `Step ${at + 1} of ${steps.length}`),
        step.pattern ? el("span.chip", {}, step.pattern) : null,
      ),
      el("p", {}, step.sentence),
      last
        ? el(
            "p.note",
            {},
            complete ? "That's everything certain for now." : "Time ran out: there may be more.",
          )
        : null,
      el("div.cluster", {}, go("Back", -1, at === 0), go("Next", 1, last)),
    );
  }

  #turn(by) {
    this.#step(by);
    this.#page.paint();
    this.#reveal();
    const [back, next] = this.#answer.querySelectorAll(".cluster button");
    const button = by < 0 ? back : next;
    (button.disabled ? (by < 0 ? next : back) : button).focus();
  }

  // Switches

  #switch(more = {}) {
    const { approximate } = this.#page.game().assistant;
    const wish = { ...switchesOff, approximate, ...more };
    for (const [name, box] of Object.entries(this.#boxes)) wish[name] = box.checked;
    // Approximation is for this game only: the next one may be easy.
    setPref("assistant", JSON.stringify({ ...wish, approximate: false }));
    this.#page.queue(async (id) => {
      try {
        const asked = { ...wish, known: this.#page.game().moves };
        const answer = await put(`/api/games/${id}/assistant`, asked);
        this.#page.apply(id, answer, { assistant: wish });
      } finally {
        this.paint();
      }
    });
  }

  #say(...children) {
    this.#answer.replaceChildren(...children.filter(Boolean));
  }

  /** Scroll the board to what is lit. */
  #reveal() {
    const { best = [], safe = [], mined = [], clues = [], region = [] } = this.#shown ?? {};
    this.#page
      .board()
      .reveal([best, clues, safe, mined, region].find(({ length }) => length) ?? []);
  }

  #forget() {
    this.#level = 0;
    this.#shown = null;
    this.#steps = null;
    this.#progress();
  }

  #progress() {
    this.#dots.forEach((dot, at) => dot.classList.toggle("on", at < this.#level));
    this.#hintButton.firstElementChild.textContent = STEPS[Math.min(this.#level, 2)];
    if (this.#page.game()) this.#page.paint();
  }
}
