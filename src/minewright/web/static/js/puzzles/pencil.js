// A board to draw on with a pencil.
//
//   const pencil = new Pencil(container, puzzle, layout)
//     pencil.marks              an array of ".", "o" (bullet) and "/" (slash), one per cell
//     pencil.set(marks)         show these marks
//     pencil.tint({region, clues, fresh, wrong, ghosts})   lists of cells; ghosts are [[cell, mark]..] that
//                               could be drawn; replaces the last tint
//     pencil.tool = "/"         what a click or tap draws first (default "o"); the other button draws the other
//     pencil.counts = false     do not show which clues are done or impossible
//     pencil.live = false       drawing is over
//     pencil.cheer()            the puzzle is solved: a wave goes through the bullets
//     pencil.focus(cell), pencil.at, pencil.describe(cell), pencil.close()
// Event "draw" with detail {before}: the marks as they were before a stroke, a tap or a key.

import { names } from "../board/board.js";
import { shape } from "../shared/element.js";
import { longPress } from "../shared/prefs.js";
import { BULLET, NONE, SLASH, isClue, paper, sign, tile } from "./picture.js";

/** Milliseconds per cell of the wave through a solved puzzle. */
const WAVE = 70;
const WORDS = { [BULLET]: "bullet", [SLASH]: "slash", [NONE]: "hidden" };

export class Pencil extends EventTarget {
  #svg;
  #spots = [];
  #names;
  #tints = {};
  #stroke = null;
  #touch = null;
  #counts = true;
  #live = true;
  #stop = new AbortController();

  constructor(container, puzzle, layout) {
    super();
    this.puzzle = puzzle;
    this.layout = layout;
    this.marks = new Array(layout.size).fill(NONE);
    this.tool = BULLET;
    this.at = 0;
    this.#names = names(layout);
    this.#build(container);
    this.#listen();
  }

  // What is shown

  set(marks) {
    this.marks = [...marks];
    for (let cell = 0; cell < this.layout.size; cell++) this.#redraw(cell);
    this.#count();
  }

  tint(tints = {}) {
    this.#tints = tints;
    this.#svg.classList.toggle("lit", Boolean(tints.region?.length));
    const sets = [["region", "region"], ["clues", "used"], ["fresh", "fresh"], ["wrong", "wrong"]].map(
      ([name, look]) => [new Set(tints[name] ?? []), look],
    );
    this.#spots.forEach((spot, cell) => {
      for (const [cells, look] of sets) spot.classList.toggle(look, cells.has(cell));
      spot.querySelector(".ghost")?.remove();
      this.#label(cell);
    });
    for (const [cell, mark] of tints.ghosts ?? []) {
      const [ghost] = sign(mark);
      ghost.setAttribute("class", `ghost ${mark === BULLET ? "ring" : "slash"}`);
      this.#spots[cell].querySelector(".frame").before(ghost);
    }
  }

  set counts(counts) {
    this.#counts = counts;
    this.#count();
  }

  get live() {
    return this.#live;
  }

  set live(live) {
    this.#live = live;
    if (live) this.#svg.classList.remove("won");
    this.#svg.classList.toggle("live", live);
  }

  describe(cell) {
    return this.#spots[cell].getAttribute("aria-label");
  }

  focus(cell) {
    this.#move(cell);
    this.#spots[cell].focus();
  }

  cheer() {
    const [x, y] = this.layout.centres[this.at];
    this.#spots.forEach((spot, cell) => {
      const [cx, cy] = this.layout.centres[cell];
      spot.style.setProperty("--wait", `${Math.round(WAVE * Math.hypot(cx - x, cy - y))}ms`);
    });
    this.#svg.classList.add("won");
  }

  close() {
    this.#stop.abort();
    clearTimeout(this.#touch?.timer);
    this.#svg.remove();
  }

  #build(container) {
    const { layout, puzzle } = this;
    this.#svg = paper(layout);
    this.#svg.classList.add("live");
    this.#svg.setAttribute("role", "grid");
    this.#svg.setAttribute("aria-label", `Puzzle with ${puzzle.bullets} bullets`);
    this.#svg.setAttribute("aria-rowcount", layout.rows.length);
    this.#svg.setAttribute("aria-colcount", Math.max(...layout.rows.map((row) => row.length)));
    layout.rows.forEach((row, y) => {
      const line = shape("g", { role: "row", "aria-rowindex": y + 1 });
      row.forEach((cell, x) => {
        const spot = tile(puzzle, layout, cell, NONE);
        spot.setAttribute("role", "gridcell");
        spot.setAttribute("tabindex", cell === this.at ? 0 : -1);
        spot.setAttribute("aria-colindex", x + 1);
        spot.dataset.cell = cell;
        this.#spots[cell] = spot;
        line.append(spot);
      });
      this.#svg.append(line);
    });
    this.#spots.forEach((_, cell) => this.#label(cell));
    container.replaceChildren(this.#svg);
  }

  #redraw(cell) {
    if (isClue(this.puzzle, cell)) return;
    const spot = this.#spots[cell];
    for (const drawn of spot.querySelectorAll(".bullet, .slash, .ghost")) drawn.remove();
    spot.querySelector(".frame").before(...sign(this.marks[cell]));
    this.#label(cell);
  }

  #label(cell) {
    const clue = isClue(this.puzzle, cell);
    let words = clue ? `clue ${this.puzzle.cells[cell]}` : WORDS[this.marks[cell]];
    const has = (name) => this.#tints[name]?.includes(cell);
    if (this.#spots[cell].matches(".done")) words += ", done";
    if (this.#spots[cell].matches(".over")) words += ", impossible";
    if (has("wrong")) words += ", wrong";
    if (has("fresh")) words += ", new";
    if (has("clues")) words += ", look at this clue";
    else if (has("region")) words += ", look here";
    this.#spots[cell].setAttribute("aria-label", `${this.#names[cell]}: ${words}`);
  }

  /** Show which clues are done and which are impossible. */
  #count() {
    for (const [clue, around] of Object.entries(this.puzzle.around)) {
      const hidden = around.filter((cell) => !isClue(this.puzzle, cell));
      const bullets = hidden.filter((cell) => this.marks[cell] === BULLET).length;
      const free = hidden.filter((cell) => this.marks[cell] === NONE).length;
      const number = this.puzzle.cells[clue];
      const spot = this.#spots[clue];
      spot.classList.toggle("done", this.#counts && bullets === number && free === 0);
      spot.classList.toggle("over", this.#counts && (bullets > number || bullets + free < number));
      this.#label(Number(clue));
    }
  }

  // Drawing

  #draw(cell, mark, before = this.marks.join("")) {
    if (!this.#live || isClue(this.puzzle, cell) || this.marks[cell] === mark) return;
    this.marks[cell] = mark;
    this.#redraw(cell);
    this.#count();
    if (!this.#stroke) this.#say(before);
  }

  #say(before) {
    this.dispatchEvent(new CustomEvent("draw", { detail: { before } }));
  }

  /** The mark after a click: first the tool's, then the other, then none. */
  #next(cell) {
    const other = this.#other;
    return { [NONE]: this.tool, [this.tool]: other, [other]: NONE }[this.marks[cell]];
  }

  #toggle(cell, mark) {
    return this.marks[cell] === mark ? NONE : mark;
  }

  get #other() {
    return this.tool === BULLET ? SLASH : BULLET;
  }

  #listen() {
    const svg = this.#svg;
    const on = (target, name, act) => target.addEventListener(name, act, { signal: this.#stop.signal });
    const cellOf = (event) => {
      const spot = event.target.closest?.(".spot");
      return spot && svg.contains(spot) ? Number(spot.dataset.cell) : null;
    };

    on(svg, "contextmenu", (event) => event.preventDefault());
    on(svg, "pointerdown", (event) => {
      const cell = cellOf(event);
      if (cell === null) return;
      svg.classList.remove("keyed");
      this.#move(cell);
      if (event.pointerType === "touch") this.#press(event, cell);
      else if (event.button === 0 || event.button === 2) this.#begin(cell, event.button === 2);
    });
    // A stroke continues over free cells, or erases the kind of mark that it started on.
    on(svg, "pointerover", (event) => {
      const cell = cellOf(event);
      this.#near(cell);
      const stroke = this.#stroke;
      if (!stroke || cell === null || this.marks[cell] !== stroke.over) return;
      this.#draw(cell, stroke.mark);
    });
    // After a tap the cells around a clue stay lit until the next touch, so that they can be seen.
    on(svg, "pointerleave", (event) => event.pointerType === "touch" || this.#near(null));
    on(window, "pointerup", (event) => {
      this.#lift(event);
      this.#end();
    });
    on(window, "blur", () => this.#end());
    on(svg, "pointermove", (event) => {
      const touch = this.#touch;
      if (touch && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > 12) this.#cancel();
    });
    on(svg, "pointercancel", () => this.#cancel());
    on(svg, "keydown", (event) => this.#key(event));
    on(svg, "focusin", (event) => {
      const cell = cellOf(event);
      if (cell === null) return;
      this.#move(cell);
      if (event.target.matches(":focus-visible")) this.#near(cell);
    });
    on(svg, "focusout", (event) => svg.contains(event.relatedTarget) || this.#near(null));
  }

  #begin(cell, other) {
    if (!this.#live || isClue(this.puzzle, cell)) return;
    const mark = other ? this.#toggle(cell, this.#other) : this.#next(cell);
    this.#stroke = { mark, over: mark === NONE ? this.marks[cell] : NONE, before: this.marks.join("") };
    this.#draw(cell, mark);
  }

  #end() {
    const stroke = this.#stroke;
    this.#stroke = null;
    if (stroke && stroke.before !== this.marks.join("")) this.#say(stroke.before);
  }

  // A finger: a tap draws, a long press draws the other mark, a swipe scrolls the page.

  #press(event, cell) {
    this.#cancel();
    if (!event.isPrimary) return;
    const timer = setTimeout(() => {
      this.#touch = null;
      navigator.vibrate?.(25);
      this.#draw(cell, this.#toggle(cell, this.#other));
    }, longPress());
    this.#touch = { cell, x: event.clientX, y: event.clientY, timer };
  }

  #lift(event) {
    const touch = this.#touch;
    if (!touch || event.pointerType !== "touch") return;
    this.#cancel();
    this.#draw(touch.cell, this.#next(touch.cell));
  }

  #cancel() {
    clearTimeout(this.#touch?.timer);
    this.#touch = null;
  }

  // Keys

  #key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const cell = this.at;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const row = this.layout.rows.find((line) => line.includes(cell));
    const move = {
      ArrowUp: () => this.#towards(0, -1),
      ArrowDown: () => this.#towards(0, 1),
      ArrowLeft: () => this.#towards(-1, 0),
      ArrowRight: () => this.#towards(1, 0),
      Home: () => row[0],
      End: () => row.at(-1),
    }[key];
    const mark = {
      " ": () => this.#next(cell),
      Enter: () => this.#next(cell),
      b: () => this.#toggle(cell, BULLET),
      s: () => this.#toggle(cell, SLASH),
      x: () => this.#toggle(cell, SLASH),
      Delete: () => NONE,
      Backspace: () => NONE,
    }[key];
    if (!move && !mark) return;
    event.preventDefault();
    this.#svg.classList.add("keyed");
    if (move) this.focus(move());
    else if (!event.repeat) this.#draw(cell, mark());
  }

  /** The nearest cell in a direction. */
  #towards(dx, dy) {
    const [x, y] = this.layout.centres[this.at];
    let best = this.at;
    let least = Infinity;
    this.layout.centres.forEach(([cx, cy], cell) => {
      const along = (cx - x) * dx + (cy - y) * dy;
      const beside = Math.abs(dx ? cy - y : cx - x);
      const far = along + 2 * beside;
      if (along > 0.25 && beside <= along * 1.05 && far < least - 1e-6) [best, least] = [cell, far];
    });
    return best;
  }

  #move(cell) {
    this.#spots[this.at].setAttribute("tabindex", -1);
    this.#spots[cell].setAttribute("tabindex", 0);
    this.at = cell;
  }

  /** Light the cells that a clue counts. */
  #near(cell) {
    for (const spot of this.#svg.querySelectorAll(".near")) spot.classList.remove("near");
    if (cell === null || !isClue(this.puzzle, cell)) return;
    for (const other of this.puzzle.around[cell]) this.#spots[other].classList.add("near");
  }
}
