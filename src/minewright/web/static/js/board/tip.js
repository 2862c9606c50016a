// The chance of a mine, shown beside a cell.

import { percent } from "./cells.js";

const EDGE = 4;
const GAP = 6;

export class Tip {
  constructor() {
    this.node = document.createElement("div");
    this.node.className = "tip";
    this.node.setAttribute("aria-hidden", "true");
    this.hide();
  }

  hide() {
    this.node.hidden = true;
  }

  /** Show a chance above a cell, or below it where there is no room.
   *
   *  @param {DOMRect} place where the cell is in the window */
  show(chance, cell, place) {
    this.node.hidden = false;
    this.node.textContent = `${percent(chance)} mine`;
    this.node.dataset.chance = chance;
    this.node.dataset.cell = cell;
    const size = this.node.getBoundingClientRect();
    const centred = place.x + place.width / 2 - size.width / 2;
    const left = Math.max(EDGE, Math.min(innerWidth - size.width - EDGE, centred));
    const above = place.top - size.height - GAP;
    this.node.style.translate = `${left}px ${above > EDGE ? above : place.bottom + GAP}px`;
  }
}
