// The best move and why, and what the covered cell under the cursor could be.
//
//   const move = new MoveCard({question, name})   question(): the position, as asked of the server;
//                                                 name(cell): what a cell is called
//   move.node                                     the panel
//   move.tell(answer)                             show the server's answer about the position
//   move.wait()                                   another position is shown, and nothing is known about it yet
//   move.look(cell)                               the cursor is on this cell; null: on none, so show the best move

import { post } from "../shared/api.js";
import { percent } from "../board/board.js";
import { numberBars } from "../shared/numbers.js";
import { panel } from "../shared/parts.js";
import { el } from "../shared/shell.js";
import { capital } from "../shared/words.js";

const BEFORE_LOOKING = 150;

export class MoveCard {
  #question;
  #name;
  #sentence = el("p");
  #next = el("p.note");
  #where = el("strong");
  #risk = el("span.chip");
  #says = el("p.note");
  #bars = el("div.stack");
  #answer = null;
  /** The server's answers about cells of this position. */
  #known = new Map();
  #looking = null;
  #timer = 0;

  constructor({ question, name }) {
    this.#question = question;
    this.#name = name;
    this.node = panel(
      "Best move",
      el("h2", {}, "Best move"),
      this.#sentence,
      this.#next,
      el("hr"),
      el(
        "div.stack.of-cell",
        {},
        el("div.spread", {}, this.#where, this.#risk),
        this.#says,
        this.#bars,
      ),
    );
    this.node.classList.add("move");
    this.node.hidden = true;
  }

  /** Forget the position; what is shown stays until there is something new. */
  wait() {
    clearTimeout(this.#timer);
    this.#answer = null;
    this.#known = new Map();
  }

  tell(answer) {
    this.wait();
    this.#answer = answer;
    this.node.hidden = !answer.best;
    this.#sentence.textContent = answer.best?.sentence ?? "";
    this.#next.textContent = answer.best?.next ?? "";
    this.#next.hidden = !answer.best?.next;
    this.look(null);
  }

  look(cell) {
    clearTimeout(this.#timer);
    const { best, chances, errors, approximate } = this.#answer ?? {};
    if (!best) return;
    const before = this.#looking;
    // There is nothing to say about open cells.
    this.#looking = cell !== null && typeof chances[cell] === "number" ? cell : best.cell;
    const chance = chances[this.#looking];
    const error = errors?.[this.#looking];
    this.#where.textContent = capital(this.#name(this.#looking));
    this.#risk.textContent = chance === 0 ? "safe" : `${percent(chance)} mine`;
    this.#says.textContent = error ? `sampled, ±${percent(error)}` : "";
    const said = this.#known.get(this.#looking);
    if (said) this.#show(said);
    else if (approximate) this.#bars.replaceChildren();
    else this.#wait(this.#looking, before);
  }

  /** Ask after a moment: a cursor that only passes by is not worth a request. */
  #wait(cell, before) {
    if (cell !== before) this.#bars.replaceChildren();
    const known = this.#known;
    const { best } = this.#answer;
    const leads = cell === best.cell;
    this.#timer = setTimeout(async () => {
      try {
        const said = await post("/api/analyse/cell", { ...this.#question(), cell, leads });
        if (known !== this.#known) return;
        known.set(cell, said);
        if (cell === this.#looking) this.#show(said);
      } catch {
        // The chance is shown all the same.
      }
    }, cell === best.cell ? 0 : BEFORE_LOOKING);
  }

  #show(said) {
    const { fraction } = said;
    const short = fraction?.includes("/") && fraction.length <= 15;
    this.#says.textContent = short ? `exactly ${fraction}` : "";
    this.#bars.replaceChildren(...numberBars(said));
  }
}
