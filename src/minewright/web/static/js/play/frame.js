// The room that the board has on the page: above the bars, and above an answer that lies over it.
//
//   const frame = new Frame(place, {bars, tip, thumb, sheet, stage})
//     place      where the board is
//     bars       what stands below it; thumb: the bar at the thumb, which may lie over the page
//     tip        what must be seen without scrolling, even above that bar
//     sheet()    the answer that may lie over the page
//     stage      learns how wide the board is
//   frame.room()   the height for the board;   frame.fit()   after an answer or the tip has come or gone
//   frame.around(board, size)   after the board's cells got another size
//   frame.clear(node)           scroll the page so that what lies over it does not cover the board

export class Frame {
  #place;
  #parts;

  constructor(place, parts) {
    this.#place = place;
    this.#parts = parts;
  }

  /** The height for the board: down to the bar at the thumb where there is one, else to the other bars. */
  room() {
    const { bars, tip, thumb } = this.#parts;
    const isBelow = (node) => node.offsetTop > this.#place.offsetTop;
    const below = [tip, ...(isOver(thumb) ? [] : bars)].filter(isBelow);
    if (isOver(thumb)) below.push(thumb);
    const taken = below.reduce((sum, { offsetHeight }) => sum + offsetHeight + 8, 0);
    return innerHeight - this.#top - taken - 16;
  }

  fit() {
    const { tip, thumb } = this.#parts;
    const sheet = this.#parts.sheet();
    const over = sheet && this.#isOverBoard(sheet) ? sheet.offsetHeight : 0;
    if (over || (isOver(thumb) && tip.offsetHeight)) {
      this.#place.style.setProperty("--most", `${Math.max(160, this.room() - over)}px`);
    } else this.#place.style.removeProperty("--most");
    if (over) scrollTo({ top: Math.max(0, Math.min(scrollY, this.#top - 64)) });
  }

  clear(node) {
    if (!this.#isOverBoard(node)) return;
    const { top, bottom } = this.#place.getBoundingClientRect();
    // Not where it is now: it may still be rising.
    const covered = bottom + 8 - node.offsetTop;
    if (covered > 0) scrollBy({ top: Math.min(covered, Math.max(0, top - 64)) });
  }

  around(board, size) {
    const wide = Math.ceil(board ? size * board.layout.width : 0) + 12;
    this.#parts.stage.style.setProperty("--board", `${Math.min(wide, this.#place.clientWidth)}px`);
  }

  /** Whether an element lies over the page where the board is, and not beside it. */
  #isOverBoard(node) {
    const { left, right } = node.getBoundingClientRect();
    const place = this.#place.getBoundingClientRect();
    return isOver(node) && left < place.right && right > place.left;
  }

  get #top() {
    return this.#place.getBoundingClientRect().top + scrollY;
  }
}

/** Whether an element lies over the page. */
function isOver(node) {
  return getComputedStyle(node).position === "fixed";
}
