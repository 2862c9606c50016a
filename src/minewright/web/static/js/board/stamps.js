// The faces of cells as pixels, ready to be copied.
//
//   const stamps = new Stamps(grid, geometry, size, dense)     size: pixels of a cell; dense: screen pixels in one
//   stamps.get(face, wear)      the stamp of a face; wear(node) dresses an element as that face the first time
//   stamps.blank                nothing but the ground
//   stamps.done()               no more are wanted for now
//   stamps.wide, stamps.tall    how large they are, in screen pixels
//
// A stamp is a list of rows {from, row}, each from its first opaque pixel to its last: the boxes of hexagons
// overlap. Copying rows is three times as fast as drawing as many images.

import { drawElement } from "./css.js";

export class Stamps {
  #grid;
  #geometry;
  #size;
  #pen;
  #layer;
  #dense;
  #ground;
  /** An element of the page that is dressed as each face in turn. */
  #model = document.createElement("div");
  #stamps = new Map();

  constructor(grid, geometry, size, dense) {
    this.#grid = grid;
    this.#geometry = geometry;
    this.#size = size;
    this.#dense = dense;
    this.wide = Math.round(geometry.wide * size * this.#dense);
    this.tall = Math.round(geometry.tall * size * this.#dense);
    const canvas = () => {
      const pen = new OffscreenCanvas(this.wide, this.tall).getContext("2d", { willReadFrequently: true });
      pen.scale(this.#dense, this.#dense);
      return pen;
    };
    this.#pen = canvas();
    this.#layer = canvas();
    this.#ground = getComputedStyle(grid.parentElement).backgroundColor;
    this.blank = this.#make(() => {});
  }

  get(face, wear) {
    let stamp = this.#stamps.get(face);
    if (!stamp) {
      if (!this.#model.isConnected) this.#grid.append(this.#model);
      wear(this.#model);
      stamp = this.#make(() => this.#draw());
      this.#stamps.set(face, stamp);
    }
    return stamp;
  }

  done() {
    this.#model.remove();
  }

  #make(draw) {
    const pen = this.#pen;
    const size = this.#size;
    pen.clearRect(0, 0, this.wide, this.tall);
    pen.beginPath();
    for (const [x, y] of this.#geometry.corners(1)) pen.lineTo(x * size, y * size);
    pen.fillStyle = this.#ground;
    pen.fill();
    draw();
    return spans(pen.getImageData(0, 0, this.wide, this.tall));
  }

  /** Draw the model. It has a layer of its own, since its parts fade as one. */
  #draw() {
    const layer = this.#layer;
    layer.clearRect(0, 0, this.wide, this.tall);
    drawElement(layer, this.#model);
    const pen = this.#pen;
    pen.globalAlpha = Number(getComputedStyle(this.#model).opacity);
    pen.drawImage(layer.canvas, 0, 0, this.wide / this.#dense, this.tall / this.#dense);
    pen.globalAlpha = 1;
  }
}

function spans({ data, width, height }) {
  const pixels = new Uint32Array(data.buffer);
  return Array.from({ length: height }, (_, y) => {
    const row = pixels.subarray(y * width, (y + 1) * width);
    const from = Math.max(0, row.findIndex(Boolean));
    return { from, row: row.subarray(from, row.findLastIndex(Boolean) + 1) };
  });
}
