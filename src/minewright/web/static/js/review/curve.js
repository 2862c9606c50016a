// The curve of a game, in two views: the chance to win with what was given away, or the risks with the
// chance of getting this far. It is a slider over the moves: click, drag, or use the page's keys. The line
// under it tells what the pointer is on.

import { shape } from "../shared/element.js";
import { el } from "../shared/shell.js";

const TALL = 150;
const EDGE = { left: 38, right: 10, top: 10, bottom: 22 };
const VIEWS = { win: "Chance to win", risk: "Risks" };
const LEGENDS = {
  win: [
    ["survival", "chance to win"],
    ["needless", "given away by a missed proof"],
    ["needed", "given away by a bad guess"],
  ],
  risk: [
    ["survival", "chance of getting this far"],
    ["needed", "risk taken"],
    ["needless", "avoidable: a cell was safe"],
    ["least", "smallest risk available"],
  ],
};

export class Curve {
  #review = null;
  #at = 1;
  #view = "win";
  #tell;

  /** go(number) is called when a move is chosen on the curve; tell(number) returns words about a move. */
  constructor(go, tell) {
    this.#tell = tell;
    this.node = el("div.curve", {
      role: "slider",
      tabindex: 0,
      "aria-label": "Move",
      "aria-valuemin": 1,
    });
    this.views = el(
      "div.segmented",
      { role: "group", "aria-label": "Curve" },
      Object.entries(VIEWS).map(([view, words]) =>
        el("button", { type: "button", "data-view": view, onclick: () => this.#turn(view) }, words),
      ),
    );
    this.legend = el("div.legend.note");
    this.readout = el("p.readout.note");
    const number = (event) => {
      const box = this.node.getBoundingClientRect();
      const share = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
      return Math.min(this.#count, Math.max(1, Math.floor(share * this.#count) + 1));
    };
    this.node.addEventListener("pointerdown", (event) => {
      if (!this.#review) return;
      this.node.setPointerCapture(event.pointerId);
      go(number(event));
    });
    this.node.addEventListener("pointermove", (event) => {
      if (!this.#review) return;
      if (this.node.hasPointerCapture(event.pointerId)) go(number(event));
      else this.#hover(number(event));
    });
    this.node.addEventListener("pointerleave", () => this.#hover(null));
    new ResizeObserver(() => this.#draw()).observe(this.node);
    this.#turn("win");
  }

  #turn(view) {
    this.#view = view;
    for (const button of this.views.children) button.setAttribute("aria-pressed", button.dataset.view === view);
    this.legend.replaceChildren(
      ...LEGENDS[view].map(([kind, words]) => el("span", {}, el(`i.${kind}`), words)),
    );
    this.#draw();
  }

  #hover(number) {
    this.readout.textContent = this.#tell(number ?? this.#at);
    const line = this.node.querySelector(".hover");
    line?.toggleAttribute("hidden", number === null);
    for (const end of ["x1", "x2"]) line?.setAttribute(end, this.#across(number ?? this.#at));
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
    this.readout.textContent = this.#tell(at);
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
    const picture = shape("svg", { width: wide, height: TALL, "aria-hidden": "true" });
    for (const p of [0, 0.5, 1]) {
      picture.append(
        shape("line", { class: "rule", x1: EDGE.left, x2: wide - EDGE.right, y1: up(p), y2: up(p) }),
        shape("text", { class: "scale", x: EDGE.left - 6, y: up(p) + 4, "text-anchor": "end" }, `${100 * p}%`),
      );
    }
    for (const number of ticks(moves.length)) {
      const where = { class: "scale", x: across(number), y: TALL - 5, "text-anchor": "middle" };
      picture.append(shape("text", where, `${number}`));
    }
    const scene = { across, up, half, end: wide - EDGE.right };
    picture.append(...(this.#view === "win" ? chances(this.#review, scene) : risks(this.#review, scene)));
    if (decided) {
      const d = `M${across(decided)} ${EDGE.top + 2}l5 -9h-10z`;
      picture.append(shape("path", { class: "decided", d }));
    }
    const upright = { y1: EDGE.top - 4, y2: TALL - EDGE.bottom + 4 };
    picture.append(shape("line", { class: "hover", hidden: "", ...upright }));
    picture.append(shape("line", { class: "cursor", ...upright }));
    this.node.replaceChildren(picture);
    this.#cursor();
  }
}

/** The chance to win as a line, and a bar down from it wherever a move gave something away. */
function chances({ ledger, moves }, { across, up, half, end }) {
  const judged = moves.filter((move) => move.judged);
  if (ledger.start === null) return [];
  const bars = { "bad guess": "", "missed proof": "" };
  let line = `M${EDGE.left} ${up(ledger.start)}`;
  for (const { number, judged: one } of judged) {
    const x = across(number);
    if (one.given > 0) bars[one.fault] += `M${x} ${up(one.before)}V${up(one.before - one.given)}`;
    if (one.after !== null) line += `H${x}V${up(one.after)}`;
  }
  if (judged.length) line += `H${end}`;
  const width = 2 * Math.max(2, half);
  return [
    shape("path", { class: "line", d: line }),
    shape("path", { class: "stem", d: bars["bad guess"], "stroke-width": width }),
    shape("path", { class: "stem needless", d: bars["missed proof"], "stroke-width": width }),
  ];
}

/** The chance of getting this far as a line, a stem for each risk, a tick for the smallest one there was. */
function risks({ moves }, { across, up, half, end }) {
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
  line += `H${end}`;
  return [
    shape("path", { class: "stem", d: stems.needed, "stroke-width": 2 * half }),
    shape("path", { class: "stem needless", d: stems.needless, "stroke-width": 2 * half }),
    shape("path", { class: "least", d: least }),
    shape("path", { class: "line", d: line }),
  ];
}

function ticks(count) {
  const steps = [1, 10, 100, 1000, 10_000].flatMap((power) => [power, 2 * power, 5 * power]);
  const step = steps.find((each) => count / each <= 10);
  return Array.from({ length: Math.floor(count / step) }, (_, nth) => (nth + 1) * step);
}
