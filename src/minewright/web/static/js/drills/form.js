// A form as a little board: the clues show the mines they still need, and the rest is plain.
//
//   const form = new FormBoard(position, { onchange });   cells can be marked safe or mined
//   const form = new FormBoard(position);                 only to look at
//   form.node, form.safe, form.mined, form.show(step), form.focus()

import { el } from "../shared/shell.js";
import { COVERED, MINED, SAFE } from "../board/cells.js";

const NEXT = { "": "safe", safe: "mined", mined: "" };
const SAID = { "": "unknown", safe: "safe", mined: "mine" };
const SIGN = { "": "", safe: "✓", mined: "⚑" };

export class FormBoard {
  constructor(position, { onchange = null } = {}) {
    [this.width, this.height] = position.shape;
    this.marks = new Map();
    this.onchange = onchange;
    this.cells = position.cells.map((code, cell) => this.#cell(code, cell));
    this.node = el(
      "div.form",
      { role: "group", "aria-label": "Position", style: { "--columns": this.width } },
      this.cells,
    );
    if (onchange) this.node.addEventListener("keydown", (event) => this.#key(event));
  }

  get safe() {
    return this.#marked("safe");
  }

  get mined() {
    return this.#marked("mined");
  }

  /** Show what follows; cells can no longer be marked. */
  show({ clues, safe, mined }) {
    for (const cell of clues) this.cells[cell].classList.add("clue");
    const kinds = new Map();
    // A mark is also wrong where nothing follows.
    for (const [cell, mark] of this.marks) if (mark) kinds.set(cell, "");
    for (const cell of safe) kinds.set(cell, "safe");
    for (const cell of mined) kinds.set(cell, "mined");
    for (const [cell, kind] of kinds) {
      this.#paint(cell, kind);
      if (this.onchange) this.#judge(cell, kind);
    }
    for (const node of this.cells) if (node.tagName === "BUTTON") node.disabled = true;
  }

  /** Focus the first cell that can be marked. */
  focus() {
    this.node.querySelector("button")?.focus();
  }

  #marked(kind) {
    return [...this.marks].filter(([, mark]) => mark === kind).map(([cell]) => cell);
  }

  #cell(code, cell) {
    if (code === COVERED && this.onchange)
      return el("button.cell.covered", {
        type: "button",
        "aria-label": this.#name(cell, ""),
        onclick: () => this.#turn(cell),
        oncontextmenu: (event) => {
          event.preventDefault();
          this.#set(cell, this.marks.get(cell) === "mined" ? "" : "mined");
        },
      });
    if (code === COVERED) return el("span.cell.covered");
    if (code === MINED) return el("span.cell.known", { "aria-label": "known mine" }, "⚑");
    if (code === SAFE) return el("span.cell.blank", { "aria-hidden": "true" });
    return el(`span.cell.open.n${Math.min(code, 8)}`, {}, String(code));
  }

  #name(cell, mark) {
    const row = Math.floor(cell / this.width) + 1;
    return `row ${row}, column ${(cell % this.width) + 1}: ${SAID[mark]}`;
  }

  #turn(cell) {
    this.#set(cell, NEXT[this.marks.get(cell) ?? ""]);
  }

  #set(cell, mark) {
    this.marks.set(cell, mark);
    this.#paint(cell, mark);
    this.cells[cell].setAttribute("aria-label", this.#name(cell, mark));
    this.onchange();
  }

  /** Show whether a cell is marked as it should be, to the eye and to a screen reader. */
  #judge(cell, kind) {
    const mark = this.marks.get(cell) ?? "";
    const wrong = mark !== kind;
    const said = mark ? `you said ${SAID[mark]}` : "you left it unmarked";
    const name = this.#name(cell, kind);
    this.cells[cell].classList.toggle("wrong", wrong);
    this.cells[cell].setAttribute("aria-label", wrong ? `${name}; ${said}` : name);
  }

  #paint(cell, kind) {
    const node = this.cells[cell];
    node.classList.toggle("safe", kind === "safe");
    node.classList.toggle("mined", kind === "mined");
    node.textContent = SIGN[kind];
  }

  #key(event) {
    const at = this.cells.indexOf(document.activeElement);
    if (at < 0) return;
    if (["f", "m", "F", "M"].includes(event.key)) {
      this.#set(at, this.marks.get(at) === "mined" ? "" : "mined");
      event.preventDefault();
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.width, ArrowDown: this.width }[event.key];
    if (!step) return;
    // Skip what cannot be marked, but stay in the row when moving sideways.
    const sideways = Math.abs(step) === 1 && this.width > 1;
    const row = Math.floor(at / this.width);
    for (let to = at + step; to >= 0 && to < this.cells.length; to += step) {
      if (sideways && Math.floor(to / this.width) !== row) break;
      if (this.cells[to].tagName !== "BUTTON") continue;
      this.cells[to].focus();
      break;
    }
    event.preventDefault();
  }
}
