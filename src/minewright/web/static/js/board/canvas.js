// Draws a large board on one canvas, where elements would take a browser a quarter of a second: only what is in
// sight, and of that only what has changed. It has the methods of Elements (elements.js). A few cells are elements
// here as well: see lens.js.

import { dress } from "./dress.js";
import { OPENING } from "./faces.js";
import { gridElement } from "./grid.js";
import { Lens } from "./lens.js";
import { Stamps } from "./stamps.js";

/** Pixels that are drawn beyond what is in sight, so that scrolling need not wait. */
const BEYOND = 100;

/** The most pixels across or down when the whole board is drawn, for a printer. */
const PRINTED = 4096;

/** More cells than this are not looked at one by one. */
const MANY = 1000;

/** Do something when the page is idle. */
const later = (act) => (window.requestIdleCallback ? requestIdleCallback(act) : setTimeout(act, 10));

const NOWHERE = { left: 0, top: 0, right: -1, bottom: -1 };

const forced = matchMedia("(forced-colors: active)");

export class Canvas {
  #layout;
  #geometry;
  #faces;
  #lens;
  #canvas = document.createElement("canvas");
  #pen = this.#canvas.getContext("2d");
  #size = 0;
  #stamps = null;
  #look = "";
  /** Where each cell begins on the board, in screen pixels. */
  #lefts = [];
  #tops = [];
  /** What the canvas covers of the board, in screen pixels, and its pixels. */
  #view = NOWHERE;
  #picture = null;
  #pixels = null;
  /** Cells to draw in the next frame; all of them if null. */
  #dirty = null;
  #held = 0;
  #frame = 0;
  #printing = false;
  #stop = new AbortController();
  #watcher = new MutationObserver(() => this.#ask());

  constructor(layout, geometry, faces, label) {
    this.#layout = layout;
    this.#geometry = geometry;
    this.#faces = faces;
    this.#canvas.className = "picture";
    this.#canvas.setAttribute("aria-hidden", "true");
    this.grid = gridElement(layout, geometry, label);
    this.grid.classList.add("drawn");
    this.grid.prepend(this.#canvas);
    this.#lens = new Lens(this.grid, layout, geometry, (node, cell) => {
      dress(node, faces, cell);
      node.setAttribute("aria-label", faces.words(cell));
    });
    this.hold(0);
    this.#listen();
  }

  show(cells) {
    this.#lens.update(cells);
    if (cells.length > MANY) {
      // It is quicker to draw all that is in sight than to look for what has changed. And it takes a while: begin
      // as soon as the page has shown the rest, so that the next frame need not wait for it.
      this.#dirty = null;
      queueMicrotask(() => this.#draw());
      return;
    }
    for (const cell of cells) this.#dirty?.add(cell);
    this.#ask();
  }

  fit(size) {
    this.#size = size;
    this.#ask();
  }

  wear(name, cells) {
    const changed = this.#lens.wear(name, cells);
    if (name !== "moving" && !this.#isDim()) return;
    for (const cell of changed) this.#dirty?.add(cell);
    this.#ask();
  }

  node(cell) {
    return this.#lens.node(cell);
  }

  hold(cell) {
    const before = this.node(this.#held);
    // An element that has the focus must not go before another has got it.
    const stays = before !== undefined && before === document.activeElement;
    if (before) before.tabIndex = -1;
    this.wear("held", stays ? [this.#held, cell] : [cell]);
    this.node(cell).tabIndex = 0;
    this.#held = cell;
  }

  find(event) {
    const { left, top } = this.grid.getBoundingClientRect();
    return this.#geometry.at((event.clientX - left) / this.#size, (event.clientY - top) / this.#size);
  }

  close() {
    this.#stop.abort();
    this.#watcher.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #listen() {
    const { signal } = this.#stop;
    const root = document.documentElement;
    this.grid.addEventListener("focusin", () => this.wear("held", [this.#held]));
    // Scrolling does not bubble.
    addEventListener("scroll", () => this.#ask(), { capture: true, passive: true, signal });
    for (const name of ["beforeprint", "afterprint"]) {
      addEventListener(name, () => {
        this.#printing = name === "beforeprint";
        this.#draw();
      }, { signal });
    }
    forced.addEventListener("change", () => this.#ask(), { signal });
    this.#watcher.observe(root, { attributeFilter: ["data-theme", "data-contrast", "data-skin"] });
    this.#watcher.observe(this.grid, { attributeFilter: ["class"] });
  }

  /** Draw in the next frame what has changed by then. */
  #ask() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    // A hidden board has no size; it is drawn when it is shown.
    if (!this.#size || !this.grid.parentElement?.clientWidth) return;
    this.#renew();
    if (!this.#isCovered()) this.#cover();
    const cells = this.#dirty ? [...this.#dirty] : null;
    this.#dirty = new Set();
    if (cells?.length === 0) return;
    const count = cells ? cells.length : this.#layout.size;
    const { wide, tall } = this.#stamps;
    const { left, top } = this.#view;
    const { width, height } = this.#canvas;
    let [west, north, east, south] = [width, height, 0, 0];
    const dim = this.#isDim();
    // This runs cold, thousands of times at once: hence a plain loop.
    for (let index = 0; index < count; index++) {
      const cell = cells ? cells[index] : index;
      const x = this.#lefts[cell] - left;
      const y = this.#tops[cell] - top;
      if (x < 0 || y < 0 || x + wide > width || y + tall > height) continue;
      this.#stamp(cell, y * width + x, width, dim);
      if (x < west) west = x;
      if (y < north) north = y;
      if (x + wide > east) east = x + wide;
      if (y + tall > south) south = y + tall;
    }
    this.#stamps.done();
    if (east) this.#pen.putImageData(this.#picture, 0, 0, west, north, east - west, south - north);
  }

  /** Copy the face of a cell, row by row. */
  #stamp(cell, start, width, dim) {
    const faces = this.#faces;
    const rows = this.#isFree(cell, dim)
      ? this.#stamps.blank
      : this.#stamps.get(faces.face(cell), (node) => dress(node, faces, cell));
    const pixels = this.#pixels;
    for (let y = 0; y < rows.length; y++) {
      const { from, row } = rows[y];
      let at = start + y * width + from;
      // Rows are short: a call takes longer than a loop.
      for (let x = 0; x < row.length; x++) pixels[at++] = row[x];
    }
  }

  /** Whether the place of a cell is left free: there is an element, through which it would be seen. */
  #isFree(cell, dim) {
    return this.#lens.wears("moving", cell) || (dim && this.#lens.node(cell) !== undefined);
  }

  /** Screen pixels per pixel of the page. */
  get #dense() {
    const { width, height } = this.#layout;
    const whole = Math.max(width, height) * this.#size;
    return this.#printing ? Math.min(devicePixelRatio, PRINTED / whole) : devicePixelRatio;
  }

  #isDim() {
    return this.grid.classList.contains("spot");
  }

  /** Make the stamps anew if cells look different now. */
  #renew() {
    const { theme, contrast, skin } = document.documentElement.dataset;
    const { classList } = this.grid;
    const moods = ["live", "spot"].map((name) => classList.contains(name));
    const look = [this.#size, this.#dense, theme, contrast, skin, forced.matches, moods].join();
    if (look === this.#look) return;
    this.#look = look;
    this.#stamps = new Stamps(this.grid, this.#geometry, this.#size, this.#dense);
    this.#view = NOWHERE;
    later(() => this.#prepare());
    const scale = this.#size * this.#dense;
    const { size } = this.#layout;
    this.#lefts = new Int32Array(size);
    this.#tops = new Int32Array(size);
    for (let cell = 0; cell < size; cell++) {
      const [x, y] = this.#geometry.corner(cell);
      this.#lefts[cell] = Math.round(x * scale);
      this.#tops[cell] = Math.round(y * scale);
    }
  }

  /** Do what the first opening would have to wait for. */
  #prepare() {
    if (!this.grid.isConnected) return;
    this.#geometry.at(0, 0);
    for (const [face, classes] of OPENING) {
      this.#stamps.get(face, (node) => (node.className = classes));
    }
    this.#stamps.done();
    // The same once more: a browser compiles only what has run often enough.
    this.#dirty = null;
    this.#draw();
  }

  /** What is in sight, and some pixels more, in screen pixels of the board. */
  #sight(beyond) {
    const dense = this.#dense;
    const frame = this.grid.parentElement.getBoundingClientRect();
    const { left, top } = this.grid.getBoundingClientRect();
    const more = this.#printing ? Infinity : beyond;
    const within = (at, whole) => Math.round(Math.max(0, Math.min(at, whole * this.#size)) * dense);
    return {
      left: within(frame.left - left - more, this.#layout.width),
      top: within(frame.top - top - more, this.#layout.height),
      right: within(frame.right - left + more, this.#layout.width),
      bottom: within(frame.bottom - top + more, this.#layout.height),
    };
  }

  #isCovered() {
    const view = this.#view;
    const { left, top, right, bottom } = this.#sight(0);
    return view.left <= left && view.top <= top && view.right >= right && view.bottom >= bottom;
  }

  /** Lay the canvas over what is in sight. */
  #cover() {
    const { left, top, right, bottom } = (this.#view = this.#sight(BEYOND));
    const canvas = this.#canvas;
    // Rounding may move the last cells by a pixel.
    const [width, height] = [right - left + 2, bottom - top + 2];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      this.#picture = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#picture.data.buffer);
    } else {
      this.#pen.clearRect(0, 0, width, height);
      this.#pixels.fill(0);
    }
    const dense = this.#dense;
    canvas.style.width = `${width / dense}px`;
    canvas.style.height = `${height / dense}px`;
    canvas.style.translate = `${left / dense}px ${top / dense}px`;
    this.#dirty = null;
  }
}
