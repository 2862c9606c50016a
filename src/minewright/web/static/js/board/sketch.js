// A quick picture of many opened cells, shown until their elements have caught up.
//
// A browser takes a quarter of a second to style and lay out thousands of elements, but only a few
// milliseconds to copy as many small pictures. Only plain open cells are drawn, in the colours and the
// type of the style sheet. Lengths are in screen pixels.

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

  /** Draw the plain cells that are visible.
   *
   *  Their pixels are copied row by row: drawing as many images takes three times as long.
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
    // This code runs cold, thousands of times at once: hence plain loops without allocation.
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

  /** Erase a cell from the picture: its element is up to date. */
  rub(cell) {
    this.#pen?.clearRect(...this.#place(cell), this.#faces.wide, this.#faces.tall);
  }

  close() {
    this.#pen?.canvas.remove();
    this.#pen = null;
  }

  /** Draw the faces 0 to 8 in the current theme and find the cells' places; both are cached. */
  prepare(size) {
    const { theme, contrast } = document.documentElement.dataset;
    // A hidden grid has no width and no styles, so the width is part of the key.
    const key = [size, devicePixelRatio, theme, contrast, this.#grid.clientWidth].join();
    if (this.#faces?.key !== key) this.#faces = { key, ...this.#make(size) };
    return this.#faces;
  }

  /** Lay a canvas over the visible cells, with room for those at the edge. */
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
    // The background shows at the corners and in the gap to the next cell.
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

/** The rows of an image, each from its first opaque pixel to its last: the boxes of hexagons
 *  overlap. */
function spans({ data, width, height }) {
  const pixels = new Uint32Array(data.buffer);
  return Array.from({ length: height }, (_, y) => {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const from = Math.max(0, row.findIndex(Boolean));
    return { from, row: row.subarray(from, row.findLastIndex(Boolean) + 1) };
  });
}
