// The curve of a game: the chance of getting this far as a line, a stem for each risk, and a tick for
// the smallest risk available. It is a slider over the moves: click, drag, or use the page's keys.

import { el } from "../shared/shell.js";

const TALL = 150;
const EDGE = { left: 38, right: 10, top: 10, bottom: 22 };

const svg = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

export class Curve {
  #review = null;
  #at = 1;

  /** go(number) is called when a move is chosen on the curve. */
  constructor(go) {
    this.node = el("div.curve", {
      role: "slider",
      tabindex: 0,
      "aria-label": "Move",
      "aria-valuemin": 1,
    });
    this.legend = el(
      "div.legend.note",
      {},
      el("span", {}, el("i.survival"), "chance of getting this far"),
      el("span", {}, el("i.needed"), "risk taken"),
      el("span", {}, el("i.needless"), "avoidable: a cell was safe"),
      el("span", {}, el("i.least"), "smallest risk available"),
    );
    const point = (event) => {
      const box = this.node.getBoundingClientRect();
      const share = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
      if (this.#review) go(Math.floor(share * this.#count) + 1);
    };
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      point(event);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (this.node.hasPointerCapture(event.pointerId)) point(event);
    });
    new ResizeObserver(() => this.#draw()).observe(this.node);
  }

  /** The number of moves, plus one for the end. */
  get #count() {
    return this.#review.moves.length + 1;
  }

  show(review) {
    this.#review = review;
    this.node.setAttribute("aria-valuemax", this.#count);
    this.#draw();
  }

  /** Point at a move, with words for a screen reader. */
  point(at, words) {
    this.#at = at;
    this.node.setAttribute("aria-valuenow", at);
    this.node.setAttribute("aria-valuetext", words);
    this.#cursor();
  }

  #across(number) {
    const room = this.node.clientWidth - EDGE.left - EDGE.right;
    return EDGE.left + (room * (number - 0.5)) / this.#count;
  }

  #cursor() {
    const line = this.node.querySelector(".cursor");
    for (const end of ["x1", "x2"]) line?.setAttribute(end, this.#across(this.#at));
  }

  #draw() {
    const wide = this.node.clientWidth;
    if (!this.#review || wide < 60) return;
    const { moves, decided } = this.#review;
    const high = TALL - EDGE.top - EDGE.bottom;
    const up = (p) => EDGE.top + high * (1 - p);
    const across = (number) => this.#across(number);
    const half = Math.max(1, Math.min(5, ((wide - EDGE.left - EDGE.right) / this.#count) * 0.35));
    const picture = svg("svg", { width: wide, height: TALL, "aria-hidden": "true" });
    for (const p of [0, 0.5, 1]) {
      picture.append(
        svg("line", { class: "rule", x1: EDGE.left, x2: wide - EDGE.right, y1: up(p), y2: up(p) }),
        svg("text", { class: "scale", x: EDGE.left - 6, y: up(p) + 4, "text-anchor": "end" }, `${100 * p}%`),
      );
    }
    for (const number of ticks(moves.length)) {
      const where = { class: "scale", x: across(number), y: TALL - 5, "text-anchor": "middle" };
      picture.append(svg("text", where, `${number}`));
    }
    const stems = { needed: "", needless: "" };
    let least = "";
    let line = `M${EDGE.left} ${up(1)}`;
    for (const move of moves) {
      const x = across(move.number);
      if (move.risk) {
        stems[move.missed ? "needless" : "needed"] += `M${x} ${up(0)}V${up(move.risk)}`;
        least += `M${x - half - 2} ${up(move.least)}h${2 * half + 4}`;
      }
      if (move.survival !== null) line += `H${x}V${up(move.survival)}`;
    }
    line += `H${wide - EDGE.right}`;
    picture.append(
      svg("path", { class: "stem", d: stems.needed, "stroke-width": 2 * half }),
      svg("path", { class: "stem needless", d: stems.needless, "stroke-width": 2 * half }),
      svg("path", { class: "least", d: least }),
      svg("path", { class: "line", d: line }),
    );
    if (decided) {
      const d = `M${across(decided)} ${EDGE.top + 2}l5 -9h-10z`;
      picture.append(svg("path", { class: "decided", d }));
    }
    picture.append(svg("line", { class: "cursor", y1: EDGE.top - 4, y2: TALL - EDGE.bottom + 4 }));
    this.node.replaceChildren(picture);
    this.#cursor();
  }
}

function ticks(count) {
  const steps = [1, 10, 100, 1000, 10_000].flatMap((power) => [power, 2 * power, 5 * power]);
  const step = steps.find((each) => count / each <= 10);
  return Array.from({ length: Math.floor(count / step) }, (_, nth) => (nth + 1) * step);
}
