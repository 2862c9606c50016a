// The editor of a position: board, pens, size, topology, mines, undo and redo.
//
//   const editor = new Editor(meta, place)     meta: the answer of GET /api/meta; place(): where in a replay
//                                       the position is, kept for undo (null: not in a replay)
//   editor.setup, editor.pens, editor.place, editor.undo, editor.redo    its parts, to be placed on the page
//   await editor.show(position)         {topology, shape, mines, cells}; this is no edit and cannot be undone
//   editor.remember()                   let undo return to what is shown now
//   editor.position, editor.text, editor.name(cell), editor.board, editor.cells, editor.mines
//   editor.clash(total)                 whether the mine total is part of the contradiction
//
// Events: "edited" after every change by hand, with detail {place} (where undo or redo returned to, or null);
// "hover" with detail {cell} (null: none).

import { Problem, layout as askLayout } from "../shared/api.js";
import { Board, COVERED, MARKED, MINED, SAFE, names } from "../board/board.js";
import { button } from "../shared/parts.js";
import { writeText } from "../shared/position.js";
import { el, report } from "../shared/shell.js";
import { topologyName } from "../shared/words.js";

const MOST_UNDO = 200;
const MOST_MINES = 1_000_000;
/** The largest number of a topology; 8 in all others. */
const LARGEST = { neumann: 4, hex: 6, box: 26 };
const KEYS = { "#": COVERED, Delete: COVERED, Backspace: COVERED, "-": SAFE, "!": MINED };
/** Pixels of the window's height that the rest of the page takes. */
const BESIDE = 240;

export class Editor extends EventTarget {
  #layout = null;
  #names = [];
  #past = [];
  #future = [];
  #where;
  /** What a click draws; null: one more than is there. */
  #pen = null;
  #drag = false;
  #topology;
  #sides;
  #total;

  constructor(meta, place) {
    super();
    this.#where = place;
    this.board = null;
    this.cells = [];
    this.mines = null;
    this.#topology = el("select", { onchange: () => this.#reshape() });
    for (const { name, summary, sides } of meta.topologies) {
      const given = { value: name, title: summary, "data-sides": sides[1] };
      this.#topology.append(el("option", given, topologyName(name)));
    }
    const plain = { autocomplete: "off", spellcheck: "false" };
    this.#sides = el("input", { ...plain, onchange: () => this.#reshape() });
    this.#total = el("input", {
      ...plain,
      inputmode: "numeric",
      placeholder: "unknown",
      oninput: () => this.#retotal(),
    });
    const field = (name, control) => el("label.field", {}, el("span", {}, name), control);
    this.setup = [
      field("Topology", this.#topology),
      field("Size", this.#sides),
      field("Mines", this.#total),
    ];
    this.pens = el("div.pens", {
      role: "radiogroup",
      "aria-label": "Pen",
      onkeydown: (event) => this.#turnPens(event),
    });
    this.place = el("div.place");
    this.undo = button("Undo", () => this.travel("back"), ".quiet.small");
    this.redo = button("Redo", () => this.travel("on"), ".quiet.small");
    this.#enable();
    this.place.addEventListener("mousedown", ({ button }) => {
      this.#drag = button === 0 ? this.board.at : false;
    });
    addEventListener("mouseup", () => (this.#drag = false));
  }

  get position() {
    const { topology, shape } = this.#layout;
    return { topology, shape, mines: this.mines, cells: [...this.cells] };
  }

  get text() {
    return writeText(this.#layout, this.cells, this.mines);
  }

  name(cell) {
    return this.#names[cell];
  }

  /** Show a position; another layout gets a new board. */
  async show({ topology, shape, mines, cells }) {
    const layout = await askLayout(topology, shape);
    if (layout !== this.#layout) this.#build(layout);
    this.cells = [...cells];
    this.mines = mines;
    this.board.set(cells);
    this.#topology.value = topology;
    this.#sides.value = shape.join("x");
    if (document.activeElement !== this.#total) this.#total.value = mines ?? "";
  }

  clash(total) {
    this.#total.classList.toggle("clashing", total);
  }

  // Undo

  remember() {
    if (!this.#layout) return;
    this.#past.push(this.#moment);
    if (this.#past.length > MOST_UNDO) this.#past.shift();
    this.#future.length = 0;
    this.#enable();
  }

  async travel(where) {
    const [from, to] = where === "back" ? [this.#past, this.#future] : [this.#future, this.#past];
    if (!from.length) return;
    to.push(this.#moment);
    const { position, place } = from.pop();
    this.#enable();
    await this.show(position).catch(report);
    this.#edited(place);
  }

  get #moment() {
    return { position: this.position, place: this.#where() };
  }

  #enable() {
    this.undo.disabled = !this.#past.length;
    this.redo.disabled = !this.#future.length;
  }

  // Drawing

  #edited(place = null) {
    this.dispatchEvent(new CustomEvent("edited", { detail: { place } }));
  }

  put(cell, code) {
    if (this.cells[cell] === code) return;
    this.remember();
    this.cells[cell] = code;
    this.board.change([[cell, code]]);
    this.#edited();
  }

  coverAll() {
    this.remember();
    this.cells.fill(COVERED);
    this.board.set(this.cells);
    this.#edited();
  }

  get #largest() {
    return LARGEST[this.#layout.topology] ?? 8;
  }

  /** The next code, or the one before, in the order flagged, covered, 0, 1, 2 … */
  #next(cell, by = 1) {
    const order = [MARKED, COVERED, ...Array(this.#largest + 1).keys()];
    const now = Math.max(0, order.indexOf(this.cells[cell]));
    return order[(now + by + order.length) % order.length];
  }

  #build(layout) {
    this.#layout = layout;
    this.#names = names(layout);
    this.board?.close();
    const room = () => innerHeight - BESIDE;
    this.board = new Board(this.place, layout, { label: "Position", edit: true, room });
    this.#listen(this.board);
    this.#fillPens();
  }

  #listen(board) {
    const on = (name, act) => board.addEventListener(name, (event) => act(event.detail, event));
    on("open", ({ cell }) => this.put(cell, this.#pen ?? this.#next(cell)));
    on("mark", ({ cell }) => this.put(cell, this.cells[cell] === MARKED ? COVERED : MARKED));
    on("chord", ({ cell }) => this.put(cell, COVERED));
    on("wheel", ({ cell, by }, event) => {
      // On a board larger than its frame, the wheel scrolls.
      const frame = this.place.firstElementChild;
      if (frame.scrollHeight > frame.clientHeight + 2) return;
      event.preventDefault();
      this.put(cell, this.#next(cell, by));
    });
    on("key", ({ cell, key }, event) => {
      const code = /^[0-9]$/.test(key) ? Number(key) : key === "+" ? this.#next(cell) : KEYS[key];
      if (code === undefined) return;
      event.preventDefault();
      this.put(cell, code);
    });
    on("hover", ({ cell }) => {
      if (cell !== null) this.#dragTo(cell);
      this.dispatchEvent(new CustomEvent("hover", { detail: { cell } }));
    });
  }

  /** While the button is held, the pen draws every cell from where it was put down. */
  #dragTo(cell) {
    if (this.#drag === false || this.#pen === null) return;
    this.put(this.#drag, this.#pen);
    this.put(cell, this.#pen);
    this.#drag = cell;
  }

  // Pens

  #fillPens() {
    const most = this.#largest;
    const numbers = Array.from({ length: Math.min(most, 8) + 1 }, (_, number) => [
      number,
      `${number}`,
      number ? `open.number.n${number}` : "open",
    ]);
    const kinds = [
      [null, "Count up: each click adds one", null],
      [COVERED, "Covered", "covered"],
      [MARKED, "Flagged", "covered.marked"],
      ...numbers,
      [SAFE, "Known to be safe", "open.number.unread"],
      [MINED, "Known to be a mine", "mine"],
    ];
    this.pens.replaceChildren(
      ...kinds.map(([code, name, look]) =>
        el(
          "button.pen",
          {
            type: "button",
            role: "radio",
            "aria-label": name,
            title: name,
            "data-code": code ?? "up",
            onclick: () => this.#choosePen(code),
          },
          look ? el(`i.cell.${look}`) : "+1",
        ),
      ),
    );
    const stays = kinds.some(([code]) => code === this.#pen);
    this.#choosePen(stays ? this.#pen : null);
  }

  #choosePen(code) {
    this.#pen = code;
    for (const pen of this.pens.children) {
      const chosen = pen.dataset.code === `${code ?? "up"}`;
      pen.setAttribute("aria-checked", chosen);
      pen.tabIndex = chosen ? 0 : -1;
    }
  }

  #turnPens(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...this.pens.children];
    const to = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
    to.click();
    to.focus();
  }

  // Size and mines

  /** Change the size or the topology; what was drawn stays where it still fits. */
  async #reshape() {
    const topology = this.#topology.value;
    try {
      const shape = this.#readSides();
      const layout = await askLayout(topology, shape);
      // A flat board is the first layer of a box.
      const name = (place) => [...Array(4 - place.length).fill(0), ...place].join();
      const old = new Map(this.#layout.coordinates.map((place, cell) => [name(place), this.cells[cell]]));
      const cells = layout.coordinates.map((place) => old.get(name(place)) ?? COVERED);
      this.remember();
      await this.show({ topology, shape, mines: this.mines, cells });
      this.#edited();
    } catch (error) {
      this.#topology.value = this.#layout.topology;
      this.#sides.value = this.#layout.shape.join("x");
      report(error);
    }
  }

  #readSides() {
    const shape = this.#sides.value.trim().toLowerCase().split(/\s*[x×*]\s*/).map(Number);
    if (shape.length < 2 || !shape.every((side) => Number.isInteger(side) && side > 0)) {
      throw new Problem("Write a size as width x height, such as 9x9");
    }
    // Another topology may have fewer sides; a size that was typed is taken as it is.
    const most = this.#topology.selectedOptions[0].dataset.sides;
    return this.#topology.value === this.#layout.topology ? shape : shape.slice(0, most);
  }

  #retotal() {
    const given = this.#total.value.trim();
    const mines = given === "" || given === "?" ? null : Number(given);
    const good = mines === null || (Number.isInteger(mines) && mines >= 0 && mines <= MOST_MINES);
    this.#total.setAttribute("aria-invalid", !good);
    if (!good || mines === this.mines) return;
    this.remember();
    this.mines = mines;
    this.#edited();
  }
}
