// A quick picture of many opened cells, there until their elements have caught up.
//
// To style and lay out thousands of elements takes a browser a quarter of a second, to copy as many
// little pictures a few milliseconds. Only plain open cells are drawn, in the colours and the type
// that the style sheet gives an element of that face. Lengths are in pixels of the screen.

import { SHAPE } from "./geometry.js";

/** The highest number drawn. */
const MOST = 8;

export class Sketch {
  #grid;
  #geometry;
  #pen = null;
  #view = null;
  #faces = null;

  constructor(grid, geometry) {
    this.#grid = grid;
    this.#geometry = geometry;
  }

  /** Draw plain cells, as far as they are in sight.
   *
   *  Their pixels are copied row by row: a canvas takes three times as long for so many images.
   *
   *  @param {(cell: number) => number} code @param {number} size of a cell */
  draw(cells, code, size) {
    this.close();
    if (!cells.length) return;
    const { faces, wide, tall, lefts, tops } = this.prepare(size);
    this.#open(wide, tall);
    const { width, height } = this.#pen.canvas;
    const picture = this.#pen.createImageData(width, height);
    const pixels = new Uint32Array(picture.data.buffer);
    // It runs cold, thousands of times at once: plain loops, and nothing made on the way.
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index];
      const left = lefts[cell] - this.#view.left;
      const top = tops[cell] - this.#view.top;
      if (left < 0 || top < 0 || left + wide > width || top + tall > height) continue;
      const rows = faces[code(cell)];
      for (let y = 0, start = top * width + left; y < rows.length; y++, start += width) {
        pixels.set(rows[y].row, start + rows[y].from);
      }
    }
    this.#pen.putImageData(picture, 0, 0);
  }

  /** Take a cell out of the picture: its element shows it. */
  rub(cell) {
    this.#pen?.clearRect(...this.#place(cell), this.#faces.wide, this.#faces.tall);
  }

  close() {
    this.#pen?.canvas.remove();
    this.#pen = null;
  }

  /** Make the faces 0 to 8 as the page looks now, and find where cells are; both are kept. */
  prepare(size) {
    const { theme, contrast } = document.documentElement.dataset;
    // A grid that is hidden is no cell wide and gives no styles.
    const key = [size, devicePixelRatio, theme, contrast, this.#grid.clientWidth].join();
    if (this.#faces?.key !== key) this.#faces = { key, ...this.#make(size) };
    return this.#faces;
  }

  /** Lay a canvas over the cells in sight, with room for those at its rim. */
  #open(wide, tall) {
    const dense = devicePixelRatio;
    const frame = this.#grid.parentElement;
    const left = Math.round(frame.scrollLeft * dense) - wide;
    const top = Math.round(frame.scrollTop * dense) - tall;
    const canvas = document.createElement("canvas");
    canvas.className = "sketch";
    canvas.setAttribute("aria-hidden", "true");
    canvas.width = Math.round(frame.clientWidth * dense) + 2 * wide;
    canvas.height = Math.round(frame.clientHeight * dense) + 2 * tall;
    canvas.style.width = `${canvas.width / dense}px`;
    canvas.style.height = `${canvas.height / dense}px`;
    canvas.style.translate = `${left / dense}px ${top / dense}px`;
    this.#view = { left, top };
    this.#pen = canvas.getContext("2d");
    this.#grid.append(canvas);
  }

  /** Where a cell is on the canvas. */
  #place(cell) {
    return [this.#faces.lefts[cell] - this.#view.left, this.#faces.tops[cell] - this.#view.top];
  }

  #make(size) {
    const dense = devicePixelRatio;
    const wide = Math.round(this.#geometry.wide * size * dense);
    const tall = Math.round(this.#geometry.tall * size * dense);
    const cell = document.createElement("div");
    this.#grid.append(cell);
    const faces = [];
    for (let code = 0; code <= MOST; code++) {
      cell.className = `cell open number n${code}`;
      const pen = new OffscreenCanvas(wide, tall).getContext("2d");
      pen.scale(dense, dense);
      this.#face(pen, code, cell, size);
      faces.push(spans(pen.getImageData(0, 0, wide, tall)));
    }
    cell.remove();
    return { faces, wide, tall, ...this.#places(size * dense) };
  }

  /** Where every cell begins. */
  #places(scale) {
    const { size } = this.#geometry;
    const lefts = new Int32Array(size);
    const tops = new Int32Array(size);
    for (let cell = 0; cell < size; cell++) {
      const [x, y] = this.#geometry.corner(cell);
      lefts[cell] = Math.round(x * scale);
      tops[cell] = Math.round(y * scale);
    }
    return { lefts, tops };
  }

  #face(pen, code, cell, size) {
    const style = getComputedStyle(cell);
    const lengths = [style.width, style.height, style.borderTopLeftRadius];
    const [wide, tall, radius] = lengths.map(parseFloat);
    // What is behind shows at the corners and in the gap to the next cell.
    pen.fillStyle = getComputedStyle(this.#grid.parentElement).backgroundColor;
    pen.fill(this.#shape(1, size, size, size, 0));
    pen.fillStyle = style.backgroundColor;
    pen.fill(this.#shape(SHAPE, size, wide, tall, radius));
    if (code === 0) return;
    const sign = getComputedStyle(cell, "::before");
    pen.font = `${sign.fontWeight} ${sign.fontSize} ${sign.fontFamily}`;
    pen.fillStyle = sign.color;
    pen.textAlign = "center";
    const { fontBoundingBoxAscent: over, fontBoundingBoxDescent: under } = pen.measureText(code);
    pen.fillText(code, wide / 2, Math.floor((tall + Math.round(over) - Math.round(under)) / 2));
  }

  #shape(scale, size, wide, tall, radius) {
    const path = new Path2D();
    if (this.#geometry.square) path.roundRect(0, 0, wide, tall, radius);
    else for (const [x, y] of this.#geometry.corners(scale)) path.lineTo(x * size, y * size);
    return path;
  }
}

/** The rows of an image, each from its first pixel that is not clear to its last: boxes of hexagons
 *  lie over each other. */
function spans({ data, width, height }) {
  const pixels = new Uint32Array(data.buffer);
  return Array.from({ length: height }, (_, y) => {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const from = Math.max(0, row.findIndex(Boolean));
    return { from, row: row.subarray(from, row.findLastIndex(Boolean) + 1) };
  });
}
