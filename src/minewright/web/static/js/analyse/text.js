// The position as text, and what is wrong with that text.
//
//   const text = new TextPanel(typed, help)   typed(): the text was changed by hand; help(): asked for formats
//   text.node, text.value
//   text.complain(error | null)            show the problem, with a button that selects its place

import { copy } from "../shared/copying.js";
import { button, panel } from "../shared/parts.js";
import { el } from "../shared/shell.js";
import { capital } from "../shared/words.js";

export class TextPanel {
  #area;
  #wrong = el("p.wrong-text", { role: "alert", hidden: true });

  constructor(typed, help) {
    this.#area = el("textarea", {
      "aria-label": "Position as text",
      autocapitalize: "off",
      autocomplete: "off",
      spellcheck: "false",
      wrap: "off",
      rows: 7,
      oninput: typed,
    });
    this.node = panel(
      "As text",
      el(
        "div.spread",
        {},
        el("h2", {}, "As text"),
        el(
          "div.cluster",
          {},
          button("Supported formats", help, ".quiet.small"),
          button("Copy", () => copy(this.value, "Text copied."), ".small"),
        ),
      ),
      this.#area,
      this.#wrong,
    );
    this.node.classList.add("as-text");
  }

  get value() {
    return this.#area.value;
  }

  set value(text) {
    this.#area.value = text;
  }

  complain(error) {
    this.#wrong.hidden = !error;
    this.#area.setAttribute("aria-invalid", Boolean(error));
    if (!error) return;
    const { line, column } = error.body;
    const where = line ? `Line ${line}${column ? `, column ${column}` : ""}: ` : "";
    const words = where ? error.message : capital(error.message);
    const show = line ? button("Show", () => this.#point(line, column), ".quiet.small") : "";
    this.#wrong.replaceChildren(`${where}${words}. `, show);
    this.#wrong.scrollIntoView({ block: "nearest" });
  }

  /** Select the place that is wrong. */
  #point(line, column) {
    const before = this.value.split("\n").slice(0, line - 1);
    const from = before.reduce((sum, { length }) => sum + length + 1, 0) + (column ?? 1) - 1;
    this.#area.focus();
    this.#area.setSelectionRange(from, Math.min(from + 1, this.value.length));
  }
}
