// A board on the page: cells of any topology, drawn and read aloud, for mouse, touch and keys.
//
//   const board = new Board(container, layout, {label, live, largest, room, edit, counts})
//     layout    the answer of GET /api/layout
//     label     what a screen reader calls the grid
//     live      whether cells look and act playable (default true)
//     largest   the largest size of a cell unless zoomed, in pixels at 16 per rem (default 52)
//     edit      whether a primary click on any cell is an "open" (default false: see the events)
//     counts    whether numbers show that they are done, or have too many flags (default false)
//     room      () => pixels: the height available (default: to the bottom of the window)
//   board.set(codes)          show these codes: 0..251 numbers, 252 mined, 253 safe, 254 marked, 255 covered
//   board.change(changes, from?)   [[cell, code]..]; opened cells ripple out from the cell `from`. Both return how
//                             many cells have opened.
//   board.tint({safe, mined, clues, clash, region, best, guess, played, exploded, chances, truth})
//                             lists of cells; chances {cell: p} or [p|null..]; truth [code..] shows the
//                             mines of a finished game and crosses out wrong flags. Replaces the last tint.
//   board.expect(cells, sure)      these cells are being opened: they look pressed, and those of them in `sure` open.
//                             Replaces those expected before. board.opens(cell) returns the cells that a move there
//                             opens first, board.around(cell) the covered cells that touch it.
//   board.focus(cell)         move the focus there
//   board.reveal(cells)       scroll a board larger than its frame to the first of these cells
//   board.zoom("in" | "out" | "whole" | "auto" | pixels);   zoomControl(board) returns buttons for it
//   board.celebrate(cell)     a wave from there, for a win
//   board.live = false        the game is over: nothing to play
//   board.taps = "mark"       taps flag and a long press opens (default "open": the other way round)
//   board.code(cell), board.describe(cell), board.at (the cell with the focus), board.close()
//
// Events, each with detail {cell}: "open", "mark", "chord", "hover" (cell may be null). For pages
// that edit: "wheel" {cell, by: 1|-1} and "key" {cell, key}; preventDefault() on them keeps the page from
// scrolling or typing. A primary click on an open number is a chord.
//
// Its parts: geometry.js (where cells are), faces.js (what they show and say), elements.js and canvas.js (how
// they are drawn), touch.js (which cells touch), margins.js (captions and rulers), tip.js, pointer.js, keyboard.js,
// motion.js, pinch.js.

import { Canvas } from "./canvas.js";
import { COVERED, MARKED, MINED, SAFE } from "./cells.js";
import { Elements } from "./elements.js";
import { Faces } from "./faces.js";
import { Geometry, rem } from "./geometry.js";
import { deed, destination } from "./keyboard.js";
import { captions, rulers } from "./margins.js";
import { calm, mayMove, ripple, wave } from "./motion.js";
import { pinching } from "./pinch.js";
import { Pointer } from "./pointer.js";
import { el } from "../shared/shell.js";
import { Tip } from "./tip.js";
import { Touch } from "./touch.js";

export { COVERED, MARKED, MINED, SAFE, names, percent } from "./cells.js";
export { zoomControl } from "./zoom.js";

const PADDING = 12;

/** The most cells that are elements. */
const ELEMENTS = 2500;

const coarse = matchMedia("(pointer: coarse), (any-pointer: coarse) and (max-width: 40rem)");

export class Board extends EventTarget {
  #container;
  #geometry;
  #faces;
  #drawing;
  #frame;
  #grid;
  #ring;
  #touch;
  #tip = new Tip();
  #options;
  #scale = "auto";
  #size = 32;
  #over = null;
  #pointer;
  #stop = new AbortController();
  #watcher;

  constructor(container, layout, options = {}) {
    super();
    this.layout = layout;
    this.at = 0;
    this.taps = "open";
    this.#container = container;
    this.#options = { label: "Minefield", live: true, largest: 52, ...options };
    this.#geometry = new Geometry(layout);
    this.#faces = new Faces(layout, this.#geometry, this.#options.counts);
    this.#build();
    this.live = this.#options.live;
    this.#listen();
    this.#watcher = new ResizeObserver(() => this.#fit());
    this.#watcher.observe(container);
    this.#fit();
  }

  // What is shown

  set(codes) {
    const { changed, opened } = this.#faces.setAll(codes);
    this.#drawing.show(changed.concat(this.#faces.affected(changed)));
    return opened;
  }

  change(changes, from = null) {
    const changed = changes.filter(([cell, code]) => this.#faces.set(cell, code)).map(([cell]) => cell);
    this.#drawing.show(changed.concat(this.#faces.affected(changed)));
    const opened = changed.filter((cell) => this.code(cell) < MARKED);
    if (from !== null && opened.length > 1 && mayMove(opened.length)) {
      // On a canvas, cells that move are elements for that time.
      this.#drawing.wear("moving", opened);
      ripple(this.#around(from, opened)).then(() => this.#drawing.wear("moving", []));
    }
    return opened.length;
  }

  tint(tints = {}) {
    const changed = this.#faces.tint(tints);
    this.#grid.classList.toggle("spot", Boolean(tints.region?.length));
    this.#drawing.show(changed);
    this.#hint(this.#over);
  }

  expect(cells, sure) {
    this.#drawing.show(this.#faces.expect(cells, sure));
  }

  opens(cell) {
    return this.#touch.opens(cell);
  }

  around(cell) {
    return this.#touch.around(cell);
  }

  code(cell) {
    return this.#faces.code(cell);
  }

  describe(cell) {
    return this.#faces.words(cell);
  }

  get live() {
    return this.#grid.classList.contains("live");
  }

  set live(live) {
    this.#grid.classList.toggle("live", live);
    this.#grid.classList.toggle("over", !live);
  }

  focus(cell) {
    this.#move(cell);
    this.#drawing.node(cell).focus();
  }

  /** Scroll the board, not the page, until the first of these cells is visible. */
  reveal(cells) {
    if (!cells.length) return;
    const frame = this.#frame.getBoundingClientRect();
    const cell = this.#box(cells[0]);
    const margin = 2 * this.#size;
    const beyond = (low, high, least, most) =>
      low - margin < least ? low - margin - least : Math.max(0, high + margin - most);
    this.#frame.scrollBy({
      left: beyond(cell.left, cell.right, frame.left, frame.right),
      top: beyond(cell.top, cell.bottom, frame.top, frame.bottom),
      behavior: calm() ? "instant" : "smooth",
    });
  }

  zoom(to) {
    if (to === "in" || to === "out") {
      const next = this.#size * (to === "in" ? 1.25 : 0.8);
      this.#scale = Math.min(72, Math.max(8, to === "in" ? Math.ceil(next) : Math.floor(next)));
    } else {
      this.#scale = to;
    }
    this.#fit();
    // Not scrollIntoView, which would also move the point that Tab starts from.
    this.reveal([this.at]);
  }

  /** Zoom with the cell at a place of the window staying there. */
  #zoomAt(size, x, y) {
    this.#pointer.cancel();
    const before = this.#size;
    const frame = this.#frame;
    const { left, top } = frame.getBoundingClientRect();
    const across = (x - left + frame.scrollLeft) / before;
    const down = (y - top + frame.scrollTop) / before;
    this.#scale = Math.min(72, Math.max(12, size));
    this.#fit();
    frame.scrollTo(across * this.#size - (x - left), down * this.#size - (y - top));
  }

  celebrate(from) {
    // They start one after the other, so few move at a time.
    if (!mayMove(this.layout.size / 3)) return;
    wave(this.#around(from, [...Array(this.layout.size).keys()]));
  }

  close() {
    this.#watcher.disconnect();
    this.#stop.abort();
    this.#pointer.cancel();
    this.#drawing.close();
    this.#frame.remove();
    this.#tip.node.remove();
  }

  #build() {
    const Drawing = this.layout.size > ELEMENTS ? Canvas : Elements;
    this.#drawing = new Drawing(this.layout, this.#geometry, this.#faces, this.#options.label);
    this.#grid = this.#drawing.grid;
    this.#ring = el("div.ring", { "aria-hidden": "true" });
    this.#frame = el("div.board-frame");
    this.#grid.append(this.#ring, ...captions(this.layout));
    this.#grid.style.marginTop = `${this.#geometry.head}em`;
    this.#frame.append(...rulers(this.layout), this.#grid);
    this.#touch = new Touch(this.#drawing, this.#faces, this.#geometry);
    this.#container.replaceChildren(this.#frame, this.#tip.node);
    this.#place();
  }

  /** Show the rulers, or remove them. */
  #rule() {
    for (const ruler of this.#frame.querySelectorAll(".ruler")) ruler.remove();
    this.#frame.prepend(...rulers(this.layout));
    this.#fit();
  }

  /** The nodes of cells, each with its distance from one cell. */
  #around(from, cells) {
    return cells.map((cell) => [this.#drawing.node(cell), this.#geometry.distance(from, cell)]);
  }

  /** Where a cell is in the window. */
  #box(cell) {
    const { left, top } = this.#grid.getBoundingClientRect();
    const [x, y] = this.#geometry.corner(cell);
    const { wide, tall } = this.#geometry;
    const size = this.#size;
    return new DOMRect(left + x * size, top + y * size, wide * size, tall * size);
  }

  #fit() {
    const box = this.#container;
    const margin = this.#frame.querySelector(".ruler.corner")?.offsetWidth ?? 0;
    const wide = box.clientWidth - PADDING - margin;
    const below = innerHeight - (box.getBoundingClientRect().top + scrollY) - 20;
    if (wide <= 0) return;
    const size = this.#geometry.fit({
      wide,
      tall: Math.max(240, this.#options.room?.() ?? below) - PADDING - margin,
      scale: this.#scale,
      largest: rem(this.#options.largest / 16),
      finger: coarse.matches,
    });
    this.#size = size;
    this.#frame.style.setProperty("--cell", `${size}px`);
    this.#frame.classList.toggle("sparse", size < 18);
    this.#grid.style.setProperty("--gap", size >= 16 ? "2px" : "1px");
    this.#drawing.fit(size);
    this.dispatchEvent(new CustomEvent("fit", { detail: { size } }));
  }

  // What is done

  #listen() {
    const grid = this.#grid;
    const on = (target, name, act, options = {}) =>
      target.addEventListener(name, act, { signal: this.#stop.signal, ...options });
    this.#pointer = new Pointer(grid, on, {
      find: (event) => this.#drawing.find(event),
      primary: (cell) => this.#primary(cell),
      mark: (cell) => this.code(cell) >= MARKED && this.#say("mark", cell),
      chord: (cell) => this.#say("chord", cell),
      tap: (cell) => this.#tap(cell),
      long: (cell) => this.#long(cell),
      hover: (cell) => this.#look(cell),
      wheel: (cell, by) => this.#say("wheel", cell, { by }),
      press: (cell) => this.#touch.press(cell),
      hold: (cell, long) => this.#hold(cell, long),
      focus: (cell) => this.#drawing.node(cell).focus({ preventScroll: true }),
      move: (cell) => {
        grid.classList.remove("keyed");
        this.#move(cell);
      },
    });
    pinching(this.#frame, on, {
      size: () => this.#size,
      zoom: (size, x, y) => this.#zoomAt(size, x, y),
    });
    on(grid, "focusin", ({ target }) => {
      if (!target.matches(".cell")) return;
      const cell = Number(target.dataset.cell);
      this.#move(cell);
      // Not every browser calls the focus visible after a key moved it from cell to cell.
      if (grid.matches(".keyed") || target.matches(":focus-visible")) {
        grid.classList.add("keyed");
        this.#look(cell);
      }
    });
    on(grid, "focusout", ({ relatedTarget }) => {
      if (grid.contains(relatedTarget)) return;
      grid.classList.remove("keyed");
      this.#hint(null);
      this.#touch.light(null);
    });
    on(grid, "keydown", (event) => this.#key(event));
    on(window, "resize", () => this.#fit());
    on(window, "minewright:prefs", ({ detail }) => detail.name === "rulers" && this.#rule());
    on(window, "scroll", () => this.#tip.hide(), { capture: true, passive: true });
  }

  #key(event) {
    if (event.altKey || event.metaKey) return;
    const cell = this.at;
    if (!this.#say("key", cell, { key: event.key })) {
      event.preventDefault();
      return;
    }
    const to = destination(event, cell, this.layout, this.#geometry);
    const act = deed(event);
    if (to === null && !act) return;
    event.preventDefault();
    this.#grid.classList.add("keyed");
    if (to !== null) this.focus(to);
    else if (event.repeat) return;
    else if (act === "primary") this.#primary(cell);
    else this.#say(act, cell);
  }

  #primary(cell) {
    const code = this.code(cell);
    if (this.#options.edit || code === COVERED || code === SAFE) this.#say("open", cell);
    else if (code < MINED) this.#say("chord", cell);
  }

  #tap(cell) {
    if (this.taps === "mark" && this.code(cell) >= MARKED) this.#say("mark", cell);
    else this.#primary(cell);
  }

  #long(cell) {
    if (this.code(cell) < MINED) this.#say("chord", cell);
    else this.#say(this.taps === "mark" ? "open" : "mark", cell);
  }

  #look(cell) {
    this.#hint(cell);
    this.#drawing.wear("looked", cell === null ? [] : [cell]);
    this.#touch.light(cell);
    this.#say("hover", cell);
  }

  /** Dispatch an event; return false if a listener prevented the default. */
  #say(name, cell, more = {}) {
    return this.dispatchEvent(
      new CustomEvent(name, { detail: { cell, ...more }, cancelable: true }),
    );
  }

  /** Show a ring that grows around a cell during a long press. */
  #hold(cell, long) {
    this.#grid.querySelector(".hold")?.remove();
    if (cell === null) return;
    const ring = document.createElement("div");
    ring.className = "hold";
    ring.setAttribute("aria-hidden", "true");
    const [left, top] = this.#geometry.corner(cell);
    ring.style.translate = `${left}em ${top}em`;
    ring.style.setProperty("--hold", `${long}ms`);
    this.#grid.append(ring);
  }

  #move(cell) {
    if (cell === this.at) return;
    this.#drawing.hold(cell);
    this.at = cell;
    this.#place();
  }

  #place() {
    const [left, top] = this.#geometry.corner(this.at);
    this.#ring.style.translate = `${left}em ${top}em`;
  }

  /** Show the chance of the cell under the cursor or the focus. */
  #hint(cell) {
    this.#over = cell;
    const chance = cell === null ? undefined : this.#faces.chance(cell);
    if (chance === undefined) this.#tip.hide();
    else this.#tip.show(chance, cell, this.#box(cell));
  }
}
