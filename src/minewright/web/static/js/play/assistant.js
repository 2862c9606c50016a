// The assistant beside the board: hints in three steps, questions, what it shows all the time, the Oz view.
//
// It asks the server and shows the answers; what it lights on the board it hands to the page as tints.

import { post, put } from "../shared/api.js";
import { MARKED, percent } from "../board/board.js";
import { setPref } from "../shared/prefs.js";
import { el, report } from "../shared/shell.js";
import { told } from "../shared/told.js";
import { capital, over } from "../shared/words.js";
import { bestMove, flagWrong, hintWords, mayGuess, noSteps, spared, stepView } from "./answers.js";
import { Levels } from "./levels.js";
import { OzView, found } from "./ozview.js";

const STEPS = ["Hint: where to look", "Hint: which numbers", "Hint: the answer"];
const REST = "Hints come in three steps. Games with hints don't count for best times.";

export class Assistant {
  #page;
  #levels = new Levels((wish) => this.#switch(wish));
  #oz = new OzView({
    changed: (wish) => this.#switch(wish),
    solve: (kind) => this.#solve(kind),
  });
  #answer;
  #readout = el("p.note.readout");
  #hintButton;
  #dots = [1, 2, 3].map(() => el("i"));
  #asks = [];
  #level = 0;
  #shown = null;
  #steps = null;

  /**
   * `page` has game(), board(), paint(), queue(ask), which calls ask(id) in its turn if the game is
   * still the same, apply(id, answer, more), which shows an answer and whatever else is new, and
   * fit(), called when the place for answers has opened or closed.
   */
  constructor(panel, page) {
    this.#page = page;
    this.#hintButton = this.#button(STEPS[0], () => this.hint(), "wide");
    this.#hintButton.append(el("span.dots", { "aria-hidden": "true" }, this.#dots));
    const close = { type: "button", "aria-label": "Close", onclick: () => this.#quiet() };
    this.#answer = el("div.words", { role: "status" });
    this.sheet = el("div.answer", {}, this.#answer, el("button.button.quiet.icon", close, "✕"));
    panel.append(
      el("h2", {}, "Assistant"),
      el(
        "div.stack",
        {},
        el(
          "div.asks",
          {},
          this.#hintButton,
          this.#button("May I guess?", () => this.#ask("may-guess", (said) => this.#say(mayGuess(said)))),
          this.#button("Is a flag wrong?", () =>
            this.#ask("mark-is-wrong", (said) => this.#say(flagWrong(said, this.#hasFlags()))),
          ),
          this.#button("Best move, and why", () => this.#ask("best", (said) => this.#best(said))),
          this.#button("Explain step by step", () =>
            this.#ask("steps", (said) => this.#explain(said)),
          ),
        ),
        this.sheet,
      ),
      el("div.stack", {}, this.#levels.node, this.#readout, this.#oz.node),
    );
    this.#rest();
  }

  /** A new game: nothing has been asked. */
  reset() {
    this.#forget();
    this.#rest();
  }

  /** A move was made: what was said about the position before may no longer hold. */
  moved() {
    if (!this.sheet.matches(".idle")) this.reset();
  }

  /** Show how the game stands. */
  paint() {
    const game = this.#page.game();
    this.#levels.paint(game.assistant);
    this.#oz.paint(game);
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
      this.#readout.textContent = `${this.#name(cell)}: ${percent(chance)} mine`;
    } else if (game.help.chances) {
      this.#readout.textContent = "Point at a cell to see its chance.";
    } else {
      const on = Object.values(game.assistant).some(Boolean);
      this.#readout.textContent = on ? "Games with the assistant don't count for best times." : "";
    }
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
      const said = await this.#patient(id, () => post(`/api/games/${id}/hint`, { level }));
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
      const guess = level === 3 && state === "playing" && !said.certain;
      this.#say(hintWords(said, level), guess && spared(this.#page.game()));
      this.#progress();
      this.#reveal();
    });
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
      const said = await this.#patient(id, () => post(`/api/games/${id}/${what}`, given), what);
      if (!said || this.#page.game().id !== id) return;
      this.#forget();
      show(said);
      this.#page.paint();
      this.#reveal();
    });
  }

  /** Wait for an answer. "Too hard" is an answer too, with an offer to approximate where possible. */
  async #patient(id, ask, what = null) {
    // Another game may be shown by then, and nothing of this is about that one.
    const shown = () => this.#page.game().id === id;
    const late = setTimeout(() => shown() && this.#say(el("p.note", {}, "Thinking…")), 250);
    try {
      return await ask();
    } catch (error) {
      if (!shown()) return null;
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

  #name(cell) {
    return this.#page.board().describe(cell).split(":")[0];
  }

  #hasFlags() {
    const { board, game } = this.#page;
    return game().cells.some((_, cell) => board().code(cell) === MARKED);
  }

  #best(said) {
    this.#shown = { best: [said.cell] };
    this.#say(...bestMove(said, this.#name(said.cell), this.#page.game()));
  }

  // The explained solution, step by step

  #explain(said) {
    if (said.steps.length) {
      this.#steps = { ...said, at: 0 };
      this.#step(0);
    } else {
      this.#shown = { mined: said.mines };
      this.#say(noSteps(said));
    }
  }

  #step(by) {
    const { steps } = this.#steps;
    const at = Math.max(0, Math.min(steps.length - 1, this.#steps.at + by));
    this.#steps.at = at;
    const past = steps.slice(0, at + 1);
    this.#shown = {
      clues: steps[at].clues,
      safe: past.flatMap(({ safe }) => safe),
      mined: past.flatMap(({ mined }) => mined),
    };
    this.#say(...stepView(this.#steps, (way) => this.#turn(way)));
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

  #switch(more) {
    const game = this.#page.game();
    const wish = { ...game.assistant, ...more };
    // The next switch adds to this one, though the server may not have answered yet.
    game.assistant = wish;
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

  #solve(kind) {
    this.#page.queue(async (id) => {
      const asked = { kind, known: this.#page.game().moves };
      const said = await this.#patient(id, () => post(`/api/games/${id}/solve`, asked));
      if (!said || this.#page.game().id !== id) return;
      this.#page.apply(id, said, {});
      this.#say(found(said, kind));
    });
  }

  // What is said

  #say(...children) {
    const nodes = children.filter(Boolean);
    this.sheet.classList.remove("idle");
    this.#answer.replaceChildren(
      ...nodes.map((node) => (typeof node === "string" ? told(node) : node)),
    );
    this.#page.fit();
  }

  #rest() {
    this.sheet.classList.add("idle");
    this.#answer.replaceChildren(el("p.note", {}, REST));
    this.#page.fit();
  }

  /** The player has read the answer. */
  #quiet() {
    this.reset();
    this.#page.board().focus(this.#page.board().at);
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
