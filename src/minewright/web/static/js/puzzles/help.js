// Check and hint: the words beside the board, and what they light on it.
//
//   const help = new Help({changed, won});  help.node;  help.of(solving)
//     changed()     called when help was used; won()   called when the marks are the solution
//     help.forget()             the marks have changed: drop what was said about them
//     help.check(), help.hint(), help.finish(), help.say(text, ...buttons)
//     help.accept()             press the button that the answer offers

import { post } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { el, report } from "../shared/shell.js";
import { told } from "../shared/told.js";
import { counted } from "../shared/words.js";

const RULE =
  "Each clue says how many of the cells around it hold a bullet. Point at a clue or tap it to see which cells it counts. You never need to guess.";

export class Help {
  #solving = null;
  #level = 0;
  #told;
  #said = el("div", {});
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
    // If the button pressed goes away, the focus returns to the board.
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
    else if (told.right) this.say(solving.begun ? "All correct so far." : "You haven't drawn anything yet.");
    else if (!where) this.#wrong("Something is wrong.");
    else this.#showWrong(told.wrong);
    if (solving.begun && !told.solved) this.#helped();
  }

  /** All bullets are drawn: check whether they are right. */
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
      this.#wrong("One of your marks is wrong: fix that first.");
    }
    this.#helped();
  }

  /** Ask about the marks; return null if they or the puzzle have changed when the answer comes. */
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
    this.say(`${these} wrong.`, button(cells.length === 1 ? "Erase it" : "Erase them", rub, ".small"));
  }

  #tell({ level, region, clues, total, empty, bullets, sentence }) {
    const { pencil, left } = this.#solving;
    if (level === 1) {
      pencil.tint({ region });
      this.say("Look at the lit cells.");
    } else if (level === 2) {
      pencil.tint({ region, clues });
      const number = `there ${left === 1 ? "is" : "are"} ${counted(left, "bullet")} left`;
      const these = clues.length === 1 ? "Look at the framed clue" : `Look at the ${clues.length} framed clues together`;
      this.say(`${clues.length ? these : `Count the bullets: ${number}`}${total && clues.length ? `, and note that ${number}` : ""}.`);
    } else {
      const news = [...empty.map((cell) => [cell, "/"]), ...bullets.map((cell) => [cell, "o"])];
      pencil.tint({ clues, fresh: [...empty, ...bullets], ghosts: news });
      this.say(told(sentence), button("Draw it in", () => this.#solving.draw(news), ".small"));
    }
  }
}
