// The geometry of a layout: outlines, the next cell in a direction, the size that fits. Lengths are in
// units of one cell.

import { HEAD, layers } from "./margins.js";

/** Convert rem to pixels. */
export const rem = (count) =>
  count * parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The height to which a hexagon standing on a corner is filled when a share of its area is. */
function hexagonLevel(share) {
  if (share > 1 / 2) return 1 - hexagonLevel(1 - share);
  return share < 1 / 6 ? Math.sqrt(6 * share) / 4 : 1 / 4 + (share - 1 / 6) * 0.75;
}

/** The scale of a cell that is not a square within its outline. */
export const SHAPE = 0.95;

/** The least size of a cell for a finger, in pixels. */
const FINGER = 32;

/** A number for the square of the plane that a place lies in. */
const square = (x, y) => Math.floor(y) * 100_003 + Math.floor(x);

export class Geometry {
  #layout;
  #lane = null;
  #squares = null;

  constructor(layout) {
    this.#layout = layout;
    const across = layout.outline.map(([x]) => x);
    const down = layout.outline.map(([, y]) => y);
    this.left = Math.min(...across);
    this.top = Math.min(...down);
    this.wide = Math.max(...across) - this.left;
    this.tall = Math.max(...down) - this.top;
    this.square = layout.outline.length === 4;
    this.size = layout.size;
    this.head = layers(layout).length ? HEAD : 0;
  }

  /** The top left corner of the box around a cell. */
  corner(cell) {
    const [x, y] = this.#layout.centres[cell];
    return [x + this.left, y + this.top];
  }

  /** The cells that touch a cell. */
  neighbours(cell) {
    return this.steps(cell).map((step) => cell + step);
  }

  /** What to add to a cell to reach those that touch it. */
  steps(cell) {
    const { steps, of } = this.#layout.touching;
    return steps[of[cell]];
  }

  /** The cell at a place of the board, or null. */
  at(x, y) {
    this.#squares ??= this.#sort();
    for (const dy of [0, -1, 1]) {
      for (const dx of [0, -1, 1]) {
        const near = this.#squares.get(square(x + dx, y + dy));
        const found = near?.find((cell) => this.#contains(cell, x, y));
        if (found !== undefined) return found;
      }
    }
    return null;
  }

  /** The cells whose centres lie in each square of the plane. */
  #sort() {
    const squares = new Map();
    this.#layout.centres.forEach(([x, y], cell) => {
      const key = square(x, y);
      if (squares.has(key)) squares.get(key).push(cell);
      else squares.set(key, [cell]);
    });
    return squares;
  }

  /** Whether a place lies within the outline of a cell, which is convex. */
  #contains(cell, x, y) {
    const { outline, centres } = this.#layout;
    const [cx, cy] = centres[cell];
    const sides = outline.map(([ax, ay], index) => {
      const [bx, by] = outline[(index + 1) % outline.length];
      return (bx - ax) * (y - cy - ay) - (by - ay) * (x - cx - ax);
    });
    return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
  }

  distance(one, other) {
    const { centres } = this.#layout;
    return Math.hypot(centres[one][0] - centres[other][0], centres[one][1] - centres[other][1]);
  }

  /** The corners of the outline, scaled, in the box around a cell. */
  corners(scale) {
    return this.#layout.outline.map(([x, y]) => [scale * x - this.left, scale * y - this.top]);
  }

  /** The outline as a clip path, scaled. */
  shape(scale) {
    return `polygon(${this.#points(scale)})`;
  }

  /** Frames along the outline as a clip path, each between two scales. */
  edge(...scales) {
    const rings = scales.flatMap((scale) => {
      const points = this.#points(scale);
      return [...points, points[0]];
    });
    return `polygon(evenodd, ${rings})`;
  }

  #points(scale) {
    const part = (length, whole) => `${(100 * length) / whole}%`;
    return this.corners(scale).map(([x, y]) => `${part(x, this.wide)} ${part(y, this.tall)}`);
  }

  /** The height to which a cell is filled when a share of its area is. */
  level(share) {
    return this.#layout.outline.length === 6 ? hexagonLevel(share) : share;
  }

  row(cell) {
    return this.#layout.rows.find((row) => row.includes(cell));
  }

  /** The cell eight steps up or down, or as far as the board goes. */
  leap(from, by) {
    const { centres } = this.#layout;
    let cell = from;
    for (let step = 0; step < 8; step++) {
      const next = this.towards(cell, 0, by);
      if (Math.sign(centres[next][1] - centres[cell][1]) !== by) break;
      cell = next;
    }
    return cell;
  }

  /** The nearest cell in a direction; it stays in its row or column, so that up undoes down. */
  towards(from, dx, dy) {
    const { centres, topology } = this.#layout;
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

  /** The size of a cell in pixels, in a room of wide x tall pixels.
   *
   *  scale: pixels, "whole" (the whole board visible) or "auto" (large enough for a mouse or a finger). */
  fit({ wide, tall, scale, largest, finger }) {
    const { width } = this.#layout;
    const height = this.#layout.height + this.head;
    const whole = Math.min(wide / width, tall / height, largest);
    let size = scale;
    if (scale === "whole") size = Math.max(3, whole);
    if (scale === "auto") {
      // A finger needs larger cells than a mouse; a board too large for that is panned.
      size = Math.max(whole, finger ? FINGER : 20);
    }
    return size > 12 ? Math.floor(size) : Math.floor(size * 4) / 4;
  }
}
