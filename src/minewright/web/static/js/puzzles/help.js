// Check and hint: what is said beside the board, and what is shown on it.
//
//   const help = new Help({changed, won});  help.node;  help.of(solving)
//     changed()     more help was taken; won()   the marks are the solution
//     help.forget()             the marks are others: what was said is no longer about them
//     help.check(), help.hint(), help.finish(), help.say(text, ...buttons)
//     help.accept()             press what the answer offers

import { post } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { el, report } from "../shared/shell.js";

const RULE =
  "A clue says how many of the cells around it hold a bullet; point at it or tap it to see which they are. No guess is needed.";

export class Help {
  #solving = null;
  #level = 0;
  #told;
  #said = el("p", {});
  #offer = el("div.cluster");
  #dots = el("span.dots", { "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  #checkButton = button("Check", () => this.check());
  #hintButton = el("button.button", { type: "button", onclick: () => this.hint() }, "Hint", this.#dots);

  constructor(told) {
    this.#told = told;
    this.node = el(
      "section.panel.ask",
      { "aria-label": "Help" },
      el("div.asks", {}, this.#checkButton, this.#hintButton),
      el("div.answer", { role: "status" }, this.#said, this.#offer),
    );
  }

  of(solving) {
    this.#solving = solving;
    this.forget();
  }

  forget() {
    this.#show(0);
    this.#solving.pencil.tint();
    this.#checkButton.disabled = this.#hintButton.disabled = this.#solving.solved;
    this.say(RULE);
  }

  say(text, ...buttons) {
    // Who pressed a button that goes away is back at the board.
    if (this.#offer.contains(document.activeElement)) this.#solving.pencil.focus(this.#solving.pencil.at);
    this.#said.replaceChildren(text);
    this.#offer.replaceChildren(...buttons);
  }

  accept() {
    this.#offer.querySelector("button")?.click();
  }

  async check(where = false) {
    const solving = this.#solving;
    const told = await this.#ask("check", { where });
    if (!told) return;
    if (told.solved) this.#told.won();
    else if (told.right) this.say(solving.begun ? "Nothing is wrong so far." : "Nothing is drawn yet.");
    else if (!where) this.#wrong("Something is wrong.");
    else this.#showWrong(told.wrong);
    if (solving.begun && !told.solved) this.#helped();
  }

  /** All bullets are drawn: see whether they are right. */
  async finish() {
    const told = await this.#ask("check", {});
    if (told?.solved) this.#told.won();
    else if (told) this.#wrong("All bullets are drawn, but something is wrong.");
  }

  async hint() {
    if (this.#solving.solved) return;
    const level = Math.min(3, this.#level + 1);
    const told = await this.#ask("hint", { level });
    if (!told) return;
    if (told.right) {
      this.#show(level);
      this.#tell(told);
    } else {
      this.#wrong("A mark is wrong: mend that first.");
    }
    this.#helped();
  }

  /** Ask about the marks as they are; null if they or the puzzle were others when the answer came. */
  async #ask(what, asked) {
    const solving = this.#solving;
    const { marks } = solving;
    try {
      const told = await post(`/api/bullets/${what}`, { code: solving.puzzle.code, marks, ...asked });
      return solving === this.#solving && marks === solving.marks ? told : null;
    } catch (error) {
      report(error);
      return null;
    }
  }

  #helped() {
    this.#solving.helped = true;
    this.#told.changed();
  }

  #show(level) {
    this.#level = level;
    [...this.#dots.children].forEach((dot, at) => dot.classList.toggle("on", at < level));
  }

  #wrong(text) {
    this.say(text, button("Show where", () => this.check(true), ".small"));
  }

  #showWrong(cells) {
    const solving = this.#solving;
    solving.pencil.tint({ wrong: cells });
    const these = cells.length === 1 ? "This mark is" : `These ${cells.length} marks are`;
    const rub = () => solving.draw(cells.map((cell) => [cell, "."]));
    this.say(`${these} wrong.`, button("Rub out", rub, ".small"));
  }

  #tell({ level, region, clues, total, empty, bullets, sentence }) {
    const { pencil, left } = this.#solving;
    if (level === 1) {
      pencil.tint({ region });
      this.say("Look where the board is lit.");
    } else if (level === 2) {
      pencil.tint({ region, clues });
      const number = `the number of bullets: ${left} ${left === 1 ? "is" : "are"} left`;
      const these = clues.length === 1 ? "One clue is enough: the framed one" : `${clues.length} clues together: the framed ones`;
      this.say(`${clues.length ? these : `Only ${number}`}${total && clues.length ? `, and ${number}` : ""}.`);
    } else {
      const news = [...empty.map((cell) => [cell, "/"]), ...bullets.map((cell) => [cell, "o"])];
      pencil.tint({ clues, fresh: [...empty, ...bullets], ghosts: news });
      this.say(sentence, button("Draw it", () => this.#solving.draw(news), ".small"));
    }
  }
}
