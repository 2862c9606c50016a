// A board on the page: cells of any topology, drawn, read aloud, clicked, tapped and typed at.
//
//   const board = new Board(container, layout, {label, live, largest, room, edit})
//     layout    the answer of GET /api/layout
//     label     what a screen reader calls the grid
//     live      whether cells look and act as if they could be played (default true)
//     largest   the most pixels a cell takes unless zoomed (default 44)
//     edit      whether a primary click on any cell is an "open" (default false: see the events)
//     room      () => pixels: how high the board may be (default: to the bottom of the window)
//   board.set(codes)          show these codes: 0..251 numbers, 252 mined, 253 safe, 254 marked, 255 covered
//   board.change(changes, from?)   [[cell, code]..]; the new ones ripple out from the cell `from`
//   board.tint({safe, mined, clues, region, best, exploded, chances, truth})
//                             lists of cells; chances {cell: p} or [p|null..]; truth [code..] shows the
//                             mines of a finished game and crosses out wrong marks. Replaces the last tint.
//   board.focus(cell)         move the keyboard's place there
//   board.reveal(cells)       scroll a board that is larger than its frame to the first of them
//   board.zoom("in" | "out" | "whole" | "auto" | pixels);   zoomControl(board) gives buttons for it
//   board.celebrate(cell)     a wave from there, for a game that was won
//   board.live = false        a finished game: nothing to play
//   board.taps = "mark"       taps mark and a long press opens (default "open": the other way round)
//   board.code(cell), board.describe(cell), board.at (the keyboard's place), board.close()
//
// Events, each with detail {cell}: "open", "mark", "chord", "hover" (cell may be null). For pages
// that edit: "wheel" {cell, by: 1|-1} and "key" {cell, key}; preventDefault() on them keeps the page from
// scrolling or typing. A primary click on an open number is a chord.

export const MINED = 252;
export const SAFE = 253;
export const MARKED = 254;
export const COVERED = 255;

const LONG_PRESS = 400;
const RIPPLE_MOST = 400;
const LABELS_AT_ONCE = 500;
const PADDING = 12;

const LOOK = { safe: 1, mined: 2, clues: 4, region: 8, best: 16, exploded: 32 };
const CLASSES = [
  [1, "safe"],
  [2, "mined"],
  [4, "clue"],
  [8, "region"],
  [16, "best"],
  [32, "exploded"],
];
const WORDS = [
  [1, "safe"],
  [2, "mined"],
  [4, "clue"],
  [8, "look here"],
  [16, "best move"],
  [32, "exploded"],
];
const AXES = ["block", "layer", "row", "column"];

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const coarse = matchMedia("(pointer: coarse), (any-pointer: coarse) and (max-width: 40rem)");

const later = (act) =>
  window.requestIdleCallback ? requestIdleCallback(act, { timeout: 100 }) : setTimeout(act, 10);

/** How high a hexagon that stands on a corner is filled if a share of its area is. */
function hexagonLevel(share) {
  if (share > 1 / 2) return 1 - hexagonLevel(1 - share);
  return share < 1 / 6 ? Math.sqrt(6 * share) / 4 : 1 / 4 + (share - 1 / 6) * 0.75;
}

/** A probability in words: exact enough to compare, short enough to read. */
export function percent(p, digits = 4) {
  if (p === 0 || p === 1) return `${100 * p}%`;
  const places = Math.max(0, digits - 2);
  const text = (100 * p).toFixed(places);
  // Only what is certain may look certain.
  if (Number(text) === 0) return `<${(10 ** -places).toFixed(places)}%`;
  if (Number(text) === 100) return `>${(100 - 10 ** -places).toFixed(places)}%`;
  return `${text}%`;
}

/** The names of a layout's cells, as sentences of the library name them: from 1. */
export function names(layout) {
  const places = layout.coordinates;
  if (places) {
    return places.map((at) => {
      const axes = AXES.slice(-at.length);
      return at.map((value, axis) => `${axes[axis]} ${value + 1}`).join(", ");
    });
  }
  const found = new Array(layout.size);
  layout.rows.forEach((row, y) =>
    row.forEach((cell, x) => (found[cell] = `row ${y + 1}, column ${x + 1}`)),
  );
  return found;
}

export class Board extends EventTarget {
  #frame;
  #grid;
  #ring;
  #tip;
  #nodes = [];
  #names;
  #codes;
  #looks;
  #chances = new Map();
  #levels = new Map();
  #unread = new Set();
  #truth = null;
  #options;
  #scale = "auto";
  #size = 32;
  #lane = null;
  #press = null;
  #touch = null;
  #touched = -Infinity;
  #over = null;
  #stop = new AbortController();
  #watcher;

  constructor(container, layout, options = {}) {
    super();
    this.layout = layout;
    this.at = 0;
    this.taps = "open";
    this.#options = { label: "Minefield", live: true, largest: 44, ...options };
    this.#names = names(layout);
    this.#codes = new Uint8Array(layout.size).fill(COVERED);
    this.#looks = new Uint8Array(layout.size);
    this.#build(container);
    this.live = this.#options.live;
    this.#listen();
    this.#watcher = new ResizeObserver(() => this.#fit());
    this.#watcher.observe(container);
    this.container = container;
    this.#fit();
  }

  // What is shown

  set(codes) {
    const changed = [];
    for (let cell = 0; cell < codes.length; cell++) {
      if (this.#codes[cell] !== codes[cell]) {
        this.#codes[cell] = codes[cell];
        this.#paint(cell);
        changed.push(cell);
      }
    }
    this.#label(changed);
  }

  change(changes, from = null) {
    for (const [cell, code] of changes) {
      this.#codes[cell] = code;
      this.#paint(cell);
    }
    this.#label(changes.map(([cell]) => cell));
    if (from !== null && changes.length > 1 && changes.length <= RIPPLE_MOST && !calm.matches) {
      this.#ripple(changes, from);
    }
  }

  tint(tints = {}) {
    const looks = new Uint8Array(this.#looks.length);
    for (const [name, bit] of Object.entries(LOOK)) {
      for (const cell of tints[name] ?? []) looks[cell] |= bit;
    }
    const chances = new Map();
    const given = tints.chances ?? {};
    for (const cell of Object.keys(given)) {
      if (given[cell] !== null) chances.set(Number(cell), given[cell]);
    }
    const before = { looks: this.#looks, chances: this.#chances, truth: this.#truth };
    this.#looks = looks;
    this.#chances = chances;
    this.#truth = tints.truth ?? null;
    this.#grid.classList.toggle("spot", Boolean(tints.region?.length));
    const all = before.truth !== this.#truth;
    const changed = [];
    for (let cell = 0; cell < looks.length; cell++) {
      const shown = all || looks[cell] !== before.looks[cell];
      const level = this.#codes[cell] >= MARKED && this.#level(cell) !== this.#levels.get(cell);
      if (shown || level) this.#paint(cell);
      if (shown || chances.get(cell) !== before.chances.get(cell)) changed.push(cell);
    }
    this.#label(changed);
    this.#hint(this.#over);
  }

  code(cell) {
    return this.#codes[cell];
  }

  describe(cell) {
    return this.#words(cell);
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
    this.#nodes[cell].focus();
  }

  /** Scroll the board, not the page, so that the first of these cells is in sight. */
  reveal(cells) {
    if (!cells.length) return;
    const frame = this.#frame.getBoundingClientRect();
    const cell = this.#nodes[cells[0]].getBoundingClientRect();
    const margin = 2 * this.#size;
    const beyond = (low, high, least, most) =>
      low - margin < least ? low - margin - least : Math.max(0, high + margin - most);
    this.#frame.scrollBy({
      left: beyond(cell.left, cell.right, frame.left, frame.right),
      top: beyond(cell.top, cell.bottom, frame.top, frame.bottom),
      behavior: calm.matches ? "instant" : "smooth",
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
    this.#nodes[this.at].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  close() {
    this.#watcher.disconnect();
    this.#stop.abort();
    clearTimeout(this.#touch?.timer);
    this.#unread.clear();
    this.#frame.remove();
    this.#tip.remove();
  }

  // Building: one string for all cells, then a place for each. Styles are set one by one since
  // the page's policy allows no style attributes in HTML.

  #build(container) {
    const { layout } = this;
    const across = layout.outline.map(([x]) => x);
    const down = layout.outline.map(([, y]) => y);
    const left = Math.min(...across);
    const top = Math.min(...down);
    const wide = Math.max(...across) - left;
    const tall = Math.max(...down) - top;

    this.#grid = document.createElement("div");
    this.#grid.className = "board";
    this.#grid.setAttribute("role", "grid");
    this.#grid.setAttribute("aria-label", this.#options.label);
    this.#grid.setAttribute("aria-rowcount", layout.rows.length);
    this.#grid.setAttribute("aria-colcount", Math.max(...layout.rows.map((row) => row.length)));
    const cell = (at, column) =>
      `<div class="cell covered" role="gridcell" tabindex="-1" aria-colindex="${column + 1}" ` +
      `data-cell="${at}" aria-label="${this.#names[at]}: covered"></div>`;
    this.#grid.innerHTML =
      layout.rows
        .map((row, y) => `<div role="row" aria-rowindex="${y + 1}">${row.map(cell).join("")}</div>`)
        .join("") + '<div class="ring" aria-hidden="true"></div>';
    this.#ring = this.#grid.lastElementChild;

    const style = this.#grid.style;
    style.width = `${layout.width}em`;
    style.height = `${layout.height}em`;
    style.setProperty("--tall", `${tall}em`);
    const square = layout.outline.length === 4;
    if (!square) {
      this.#grid.classList.add("shaped");
      const points = (scale) =>
        layout.outline.map(
          ([x, y]) => `${50 + (scale * 100 * x) / wide}% ${50 + (scale * 100 * y) / tall}%`,
        );
      const closed = (scale) => {
        const found = points(scale);
        return [...found, found[0]];
      };
      style.setProperty("--shape", `polygon(${points(0.95)})`);
      style.setProperty("--edge", `polygon(evenodd, ${closed(0.97)}, ${closed(0.8)})`);
    }

    layout.rows.forEach((row, y) => {
      const line = this.#grid.children[y];
      const level = Math.min(...row.map((at) => layout.centres[at][1]));
      const reach = Math.max(...row.map((at) => layout.centres[at][1])) - level;
      line.style.top = `${level + top}em`;
      line.style.height = `${tall + reach}em`;
      row.forEach((at, x) => {
        const node = line.children[x];
        const [centre, height] = layout.centres[at];
        node.style.left = `${centre + left}em`;
        if (height !== level) node.style.top = `${height - level}em`;
        this.#nodes[at] = node;
      });
    });
    this.#nodes[0].tabIndex = 0;

    this.#frame = document.createElement("div");
    this.#frame.className = "board-frame";
    this.#frame.append(this.#grid);
    this.#tip = document.createElement("div");
    this.#tip.className = "tip";
    this.#tip.hidden = true;
    this.#tip.setAttribute("aria-hidden", "true");
    container.replaceChildren(this.#frame, this.#tip);
    this.#place();
  }

  /** Show a cell as it is now: by its class, and its level by a property. */
  #paint(cell) {
    const node = this.#nodes[cell];
    const code = this.#codes[cell];
    const look = this.#looks[cell];
    let classes;
    if (code < MINED) {
      classes = code === 0 ? "cell open" : `cell open number n${Math.min(code, 9)}`;
      if (code > 8) node.dataset.number = code;
    } else if (code === MINED || (this.#truth && code === COVERED && this.#truth[cell] === MINED)) {
      classes = "cell mine";
    } else if (code === SAFE) {
      classes = "cell open number unread";
    } else if (code === COVERED) {
      classes = "cell covered";
    } else {
      classes =
        this.#truth && this.#truth[cell] !== MINED
          ? "cell covered marked wrong"
          : "cell covered marked";
    }
    // A cell that is never mined is not one of which nothing is known.
    if (code === COVERED && this.#chances.get(cell) === 0) classes += " never";
    if (look) {
      for (const [bit, name] of CLASSES) if (look & bit) classes += ` ${name}`;
    }
    node.className = classes;
    // An open cell shows no level: what it had as a covered one may stay.
    const level = this.#level(cell);
    if (code >= MARKED && level !== this.#levels.get(cell)) {
      if (level === undefined) {
        node.style.removeProperty("--p");
        this.#levels.delete(cell);
      } else {
        node.style.setProperty("--p", level);
        this.#levels.set(cell, level);
      }
    }
  }

  /** How full a cell is drawn: a step is too small to see. */
  #level(cell) {
    const chance = this.#chances.get(cell);
    if (chance === undefined) return undefined;
    const level = this.layout.outline.length === 6 ? hexagonLevel(chance) : chance;
    // Only what is certain may look certain.
    if (chance === 0 || chance === 1) return level;
    return Math.min(0.96, Math.max(0.04, Math.round(level * 200) / 200));
  }

  /** What a screen reader says of a cell. */
  #words(cell) {
    const code = this.#codes[cell];
    let words;
    if (code < MINED) words = `${code}`;
    else if (code === MINED || (this.#truth && code === COVERED && this.#truth[cell] === MINED))
      words = "mine";
    else if (code === SAFE) words = "safe, number not known";
    else if (code === COVERED) words = "covered";
    else words = this.#truth && this.#truth[cell] !== MINED ? "wrong mark" : "marked";
    const look = this.#looks[cell];
    if (look) {
      for (const [bit, word] of WORDS) if (look & bit) words += `, ${word}`;
    }
    const chance = code >= MARKED ? this.#chances.get(cell) : undefined;
    if (chance !== undefined) words += `, mined with ${percent(chance)}`;
    return `${this.#names[cell]}: ${words}`;
  }

  /** Put the words on cells: at once if they are few, else as soon as the page has nothing to do. */
  #label(cells) {
    if (cells.length <= LABELS_AT_ONCE) {
      for (const cell of cells) this.#nodes[cell].setAttribute("aria-label", this.#words(cell));
      return;
    }
    const idle = this.#unread.size === 0;
    for (const cell of cells) this.#unread.add(cell);
    if (idle) later(() => this.#read());
  }

  #read() {
    let count = 0;
    for (const cell of this.#unread) {
      this.#unread.delete(cell);
      this.#nodes[cell].setAttribute("aria-label", this.#words(cell));
      if (++count === LABELS_AT_ONCE) break;
    }
    if (this.#unread.size) later(() => this.#read());
  }

  #ripple(changes, from) {
    const { centres } = this.layout;
    const [x, y] = centres[from];
    for (const [cell, code] of changes) {
      if (code >= MARKED) continue;
      const away = Math.hypot(centres[cell][0] - x, centres[cell][1] - y);
      this.#nodes[cell].animate(
        [
          { opacity: 0.15, transform: "scale(0.86)" },
          { opacity: 1, transform: "none" },
        ],
        {
          duration: 130,
          delay: Math.min(220, away * 14),
          fill: "backwards",
          easing: "ease-out",
        },
      );
    }
  }

  /** A wave over the board, for a game that was won. */
  celebrate(from) {
    const { centres } = this.layout;
    if (calm.matches || centres.length > 3 * RIPPLE_MOST) return;
    const [x, y] = centres[from];
    this.#nodes.forEach((node, cell) => {
      const away = Math.hypot(centres[cell][0] - x, centres[cell][1] - y);
      node.animate([{}, { transform: "translateY(-0.16em)" }, {}], {
        duration: 260,
        delay: away * 28,
        easing: "ease-in-out",
      });
    });
  }

  // Size

  #fit() {
    const { width, height } = this.layout;
    const box = this.container ?? this.#frame.parentElement;
    const wide = box.clientWidth - PADDING;
    const below = innerHeight - (box.getBoundingClientRect().top + scrollY) - 20;
    const tall = Math.max(240, this.#options.room?.() ?? below) - PADDING;
    if (wide <= 0) return;
    const whole = Math.min(wide / width, tall / height, this.#options.largest);
    let size = this.#scale;
    if (size === "whole") size = Math.max(4, whole);
    if (size === "auto") {
      // A finger needs larger cells than a mouse; a board too large for that is scrolled, but
      // not sideways if it can be helped.
      const across = wide / width;
      const least = across >= 20 ? Math.min(across, 26) : 28;
      size = Math.max(whole, coarse.matches ? least : 20);
    }
    size = size > 12 ? Math.floor(size) : Math.floor(size * 4) / 4;
    this.#size = size;
    this.#grid.style.fontSize = `${size}px`;
    this.#grid.style.setProperty("--gap", size >= 16 ? "2px" : "1px");
    this.dispatchEvent(new CustomEvent("fit", { detail: { size } }));
  }

  // Mouse, touch and keys

  #listen() {
    const grid = this.#grid;
    const on = (target, name, act, options = {}) =>
      target.addEventListener(name, act, { signal: this.#stop.signal, ...options });
    const cellOf = (event) => {
      const node = event.target.closest?.(".cell");
      return node && grid.contains(node) ? Number(node.dataset.cell) : null;
    };
    // Browsers send mouse events after a tap as well; the tap has been dealt with.
    const fromTouch = () => performance.now() - this.#touched < 800;

    on(grid, "contextmenu", (event) => event.preventDefault());
    on(grid, "mousedown", (event) => {
      const cell = cellOf(event);
      if (cell === null || fromTouch()) return;
      grid.classList.remove("keyed");
      this.#move(cell);
      if (event.button === 1) event.preventDefault();
      if (event.buttons === 3 || event.button === 1) {
        this.#press = { cell, kind: "chord" };
      } else if (event.button === 0) {
        this.#press = { cell, kind: "open" };
      } else if (event.button === 2) {
        event.preventDefault();
        this.#nodes[cell].focus({ preventScroll: true });
        if (this.#codes[cell] >= MARKED) this.#say("mark", cell);
      }
      this.#show();
    });
    on(document, "mouseup", (event) => {
      const press = this.#press;
      if (!press) return;
      if (press.kind === "chord" && event.buttons !== 0) {
        // The first of two buttons is up: that is the chord; the second one means nothing.
        this.#press = { cell: press.cell, kind: "done" };
      } else {
        this.#press = null;
      }
      this.#show(null);
      const cell = cellOf(event);
      if (cell === null || press.kind === "done") return;
      if (press.kind === "chord") this.#say("chord", cell);
      else if (event.button === 0) this.#primary(cell);
    });
    on(grid, "mouseover", (event) => {
      if (fromTouch()) return;
      const cell = cellOf(event);
      if (cell === null) return;
      if (this.#press && event.buttons) {
        this.#press.cell = cell;
        this.#show();
      }
      this.#hint(cell);
      this.#say("hover", cell);
    });
    on(grid, "mouseleave", () => {
      if (this.#press) {
        this.#press.cell = null;
        this.#show();
      }
      this.#hint(null);
      this.#say("hover", null);
    });

    on(grid, "pointerdown", (event) => {
      const cell = cellOf(event);
      if (event.pointerType === "mouse" || cell === null) return;
      this.#cancel();
      if (!event.isPrimary) return;
      grid.classList.remove("keyed");
      const touch = { cell, id: event.pointerId, x: event.clientX, y: event.clientY };
      touch.timer = setTimeout(() => {
        this.#touch = null;
        this.#touched = performance.now();
        this.#show(null);
        navigator.vibrate?.(25);
        this.#long(cell);
      }, LONG_PRESS);
      this.#touch = touch;
      this.#show(cell);
      // A finger that slides away again has read the chance and done nothing.
      this.#hint(cell);
      this.#say("hover", cell);
    });
    on(grid, "pointermove", (event) => {
      const touch = this.#touch;
      if (
        touch?.id === event.pointerId &&
        Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > 12
      ) {
        this.#cancel();
      }
    });
    on(grid, "pointercancel", () => this.#cancel());
    on(grid, "pointerup", (event) => {
      if (event.pointerType === "mouse") return;
      this.#touched = performance.now();
      const touch = this.#touch;
      this.#cancel();
      if (touch?.id !== event.pointerId) return;
      this.#move(touch.cell);
      if (this.taps === "mark" && this.#codes[touch.cell] >= MARKED) this.#say("mark", touch.cell);
      else this.#primary(touch.cell);
    });

    on(
      grid,
      "wheel",
      (event) => {
        const cell = cellOf(event);
        if (
          cell !== null &&
          event.deltaY &&
          !this.#say("wheel", cell, { by: event.deltaY < 0 ? 1 : -1 })
        ) {
          event.preventDefault();
        }
      },
      { passive: false },
    );

    on(grid, "focusin", (event) => {
      const cell = cellOf(event);
      if (cell === null) return;
      this.#move(cell);
      if (event.target.matches(":focus-visible")) {
        grid.classList.add("keyed");
        this.#hint(cell);
        this.#say("hover", cell);
      }
    });
    on(grid, "focusout", () => {
      grid.classList.remove("keyed");
      this.#hint(null);
    });
    on(grid, "keydown", (event) => this.#key(event));
    on(window, "resize", () => this.#fit());
    on(window, "scroll", () => (this.#tip.hidden = true), { capture: true, passive: true });
  }

  #key(event) {
    if (event.altKey || event.metaKey) return;
    const cell = this.at;
    const move = {
      ArrowUp: () => this.#towards(0, -1),
      ArrowDown: () => this.#towards(0, 1),
      ArrowLeft: () => this.#towards(-1, 0),
      ArrowRight: () => this.#towards(1, 0),
      Home: () => (event.ctrlKey ? this.layout.rows[0] : this.#rowOf(cell))[0],
      End: () => (event.ctrlKey ? this.layout.rows.at(-1) : this.#rowOf(cell)).at(-1),
      PageUp: () => this.#leap(-1),
      PageDown: () => this.#leap(1),
    }[event.key];
    const act = {
      Enter: () => this.#primary(cell),
      " ": () => this.#primary(cell),
      f: () => this.#say("mark", cell),
      m: () => this.#say("mark", cell),
      c: () => this.#say("chord", cell),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const keys = this.#say("key", cell, { key: event.key });
    if (!keys) {
      event.preventDefault();
    } else if (move) {
      event.preventDefault();
      this.#grid.classList.add("keyed");
      this.focus(move());
    } else if (act && !event.ctrlKey) {
      event.preventDefault();
      this.#grid.classList.add("keyed");
      if (!event.repeat) act();
    }
  }

  #primary(cell) {
    const code = this.#codes[cell];
    if (this.#options.edit || code === COVERED || code === SAFE) this.#say("open", cell);
    else if (code < MINED) this.#say("chord", cell);
  }

  #long(cell) {
    this.#move(cell);
    if (this.#codes[cell] < MINED) this.#say("chord", cell);
    else if (this.taps === "mark") this.#say("open", cell);
    else this.#say("mark", cell);
  }

  #cancel() {
    clearTimeout(this.#touch?.timer);
    this.#touch = null;
    this.#show(null);
  }

  /** Tell the page; false where a listener has taken the event for itself. */
  #say(name, cell, more = {}) {
    return this.dispatchEvent(
      new CustomEvent(name, { detail: { cell, ...more }, cancelable: true }),
    );
  }

  #show(cell = this.#press && this.#press.kind !== "done" ? this.#press.cell : null) {
    this.#grid.querySelector(".pressed")?.classList.remove("pressed");
    if (cell !== null) this.#nodes[cell].classList.add("pressed");
  }

  #move(cell) {
    if (cell === this.at) return;
    this.#nodes[this.at].tabIndex = -1;
    this.#nodes[cell].tabIndex = 0;
    this.at = cell;
    this.#place();
  }

  #place() {
    const [x, y] = this.layout.centres[this.at];
    const left = Math.min(...this.layout.outline.map(([across]) => across));
    const top = Math.min(...this.layout.outline.map(([, down]) => down));
    this.#ring.style.translate = `${x + left}em ${y + top}em`;
  }

  #rowOf(cell) {
    return this.layout.rows.find((row) => row.includes(cell));
  }

  #leap(by) {
    let cell = this.at;
    for (let step = 0; step < 8; step++) {
      const next = this.#towards(0, by, cell);
      if (Math.sign(this.layout.centres[next][1] - this.layout.centres[cell][1]) !== by) break;
      cell = next;
    }
    return cell;
  }

  /** The nearest cell in a direction; it keeps to the lane one came along, so up undoes down. */
  #towards(dx, dy, from = this.at) {
    const { centres, topology } = this.layout;
    const [x, y] = centres[from];
    const axis = dx ? "row" : "column";
    if (this.#lane?.axis !== axis || Math.abs(this.#lane.at - (dx ? y : x)) > 0.6) {
      this.#lane = { axis, at: dx ? y : x };
    }
    const lane = this.#lane.at;
    let best = from;
    let least = Infinity;
    let round = from;
    let farthest = 0.25;
    centres.forEach(([cx, cy], cell) => {
      const along = (cx - x) * dx + (cy - y) * dy;
      const beside = Math.abs(dx ? cy - y : cx - x);
      const off = Math.abs(dx ? cy - lane : cx - lane);
      if (along > 0.25 && beside <= along * 1.05) {
        const far = along + 2 * off;
        if (far < least - 1e-6) [best, least] = [cell, far];
      } else if (-along > farthest && off < 0.3) {
        [round, farthest] = [cell, -along];
      }
    });
    return least === Infinity && topology === "torus" ? round : best;
  }

  /** Show the exact chance of the cell under the cursor or the focus. */
  #hint(cell) {
    this.#over = cell;
    const chance =
      cell === null || this.#codes[cell] < MARKED ? undefined : this.#chances.get(cell);
    this.#tip.hidden = chance === undefined;
    if (chance === undefined) return;
    this.#tip.textContent = `${percent(chance, 6)} mined`;
    this.#tip.dataset.chance = chance;
    this.#tip.dataset.cell = cell;
    const place = this.#nodes[cell].getBoundingClientRect();
    const size = this.#tip.getBoundingClientRect();
    const left = Math.max(
      4,
      Math.min(innerWidth - size.width - 4, place.x + place.width / 2 - size.width / 2),
    );
    const above = place.top - size.height - 6;
    this.#tip.style.translate = `${left}px ${above > 4 ? above : place.bottom + 6}px`;
  }
}

/** Buttons that zoom a board. */
export function zoomControl(board) {
  const group = document.createElement("div");
  group.className = "zoom segmented";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Size of the board");
  for (const [to, text, label] of [
    ["out", "−", "Smaller cells"],
    ["auto", "Fit", "Fit: cells of a handy size"],
    ["whole", "Whole", "Whole board at once"],
    ["in", "+", "Larger cells"],
  ]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => board().zoom(to));
    group.append(button);
  }
  return group;
}
