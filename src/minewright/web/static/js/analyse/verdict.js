// What follows from a position, in short: how many minefields fit, a contradiction, or that it is too hard.
//
//   const verdict = new Verdict(sample)     sample(): asked for an approximate answer
//   verdict.node                            the panel
//   verdict.busy()                          an answer is on its way
//   verdict.fail(error)                     there is none
//   verdict.tell(answer, {covered, mines, sampling, trusting})

import { percent } from "../board/board.js";
import { button, panel } from "../shared/parts.js";
import { el } from "../shared/shell.js";
import { capital } from "../shared/words.js";

export class Verdict {
  #headline = el("h2");
  #reason = el("p");
  #digits = el("p");
  #count = el("details.count", { hidden: true }, el("summary", {}, "All digits"), this.#digits);
  #facts = el("dl.facts");
  #sample;

  constructor(sample) {
    this.#sample = button("Approximate", sample, ".primary", { hidden: true });
    this.node = panel(
      "Result",
      this.#headline,
      this.#reason,
      this.#sample,
      this.#count,
      this.#facts,
    );
    this.node.classList.add("verdict");
    this.node.setAttribute("role", "status");
  }

  busy() {
    this.node.classList.add("busy");
  }

  fail(error) {
    this.node.classList.remove("busy");
    this.node.dataset.state = "hard";
    this.#count.hidden = this.#sample.hidden = this.#facts.hidden = true;
    this.#headline.textContent = "No answer";
    this.#reason.textContent = `${capital(error.message)}.`;
  }

  tell(answer, { covered, mines, sampling, trusting }) {
    const { clash, too_hard: hard, approximate } = answer;
    this.node.classList.remove("busy");
    this.node.dataset.state = clash ? "clash" : hard ? "hard" : approximate ? "sampled" : "good";
    this.#count.hidden = true;
    this.#sample.hidden = !hard || sampling;
    this.#facts.hidden = Boolean(clash || hard);
    if (clash) this.#clash(clash, trusting);
    else if (hard) this.#hard(hard, sampling);
    else if (approximate) this.#sampled(answer.errors);
    else this.#counted(answer.solutions, mines);
    const rows = [
      ["Safe", answer.safe.length, "Cells that are certainly safe"],
      ["Mines", answer.mined.length, "Cells that are certainly mines"],
      ["Covered", covered, "All covered cells"],
      ["Total", mines ?? "?", "All mines on the board"],
    ];
    this.#facts.replaceChildren(
      ...rows.map(([name, value, title]) =>
        el("div", { title }, el("dt", {}, name), el("dd", {}, `${value}`)),
      ),
    );
  }

  #clash({ sentence }, trusting) {
    this.#headline.textContent = "No minefield fits";
    this.#reason.textContent = `${sentence}${trusting ? " (Flags are trusted.)" : ""}`;
  }

  #hard(hard, sampling) {
    const words = `${capital(hard)}.`;
    this.#headline.textContent = sampling ? "Too hard, even to sample" : "Too hard to solve exactly";
    this.#reason.textContent = sampling
      ? words
      : `${words} Sampling still gives every chance, with its error.`;
  }

  #sampled(errors) {
    const most = Math.max(0, ...errors.filter((error) => error !== null));
    this.#headline.textContent = "Sampled";
    this.#reason.textContent =
      `Chances are within about ±${percent(2 * most)} (two standard errors, at worst). ` +
      "Cells called safe or mines are proved.";
  }

  /** Say how many minefields fit: with all digits while they are readable, then as a power of ten. */
  #counted(solutions, mines) {
    const unknown = "Mine count unknown: every count is considered.";
    this.#reason.textContent = mines === null ? unknown : "";
    if (solutions === null) {
      this.#headline.textContent = "Too many minefields to count in time";
    } else if (solutions === "1") {
      this.#headline.textContent = "Exactly one minefield fits";
    } else if (solutions.length <= 12) {
      this.#headline.textContent = `${Number(solutions).toLocaleString("en")} minefields fit`;
    } else {
      const head = Number(`${solutions[0]}.${solutions.slice(1, 6)}`).toPrecision(4);
      const power = el("sup", {}, `${solutions.length - 1}`);
      this.#headline.replaceChildren(`${head} × 10`, power, " minefields fit");
      // Thin spaces between thousands, where the line may also break.
      this.#digits.textContent = solutions.replace(/\B(?=(\d{3})+$)/g, "\u202f\u200b");
      this.#count.hidden = false;
    }
  }
}
