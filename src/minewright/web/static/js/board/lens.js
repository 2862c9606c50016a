// The few cells of a drawn board that are elements all the same: the one with the focus, those that are lit,
// pressed or pointed at, and those that move. A screen reader meets them as it meets those of a small board.
//
//   const lens = new Lens(grid, layout, geometry, dress)    dress(node, cell) gives a node its look and its words
//   const changed = lens.wear(name, cells)   exactly these cells are here for that reason, and have it as a class;
//                                            returns the cells that came or went
//   lens.node(cell)             its element, or undefined
//   lens.update(cells)          these cells have changed
//   lens.wears(name, cell)      whether it is one of these

export class Lens {
  #grid;
  #geometry;
  #dress;
  #rows = [];
  #columns = [];
  /** Rows on the page, by number. */
  #lines = new Map();
  #nodes = new Map();
  /** The cells of each reason. */
  #worn = new Map();

  constructor(grid, layout, geometry, dress) {
    this.#grid = grid;
    this.#geometry = geometry;
    this.#dress = dress;
    layout.rows.forEach((row, y) =>
      row.forEach((cell, x) => {
        this.#rows[cell] = y + 1;
        this.#columns[cell] = x + 1;
      }),
    );
  }

  node(cell) {
    return this.#nodes.get(cell);
  }

  wears(name, cell) {
    return this.#worn.get(name)?.has(cell) ?? false;
  }

  update(cells) {
    const here = cells.length < this.#nodes.size ? cells : this.#nodes.keys();
    for (const cell of here) if (this.#nodes.has(cell)) this.#paint(cell);
  }

  wear(name, cells) {
    const before = this.#worn.get(name) ?? new Set();
    const now = new Set(cells);
    this.#worn.set(name, now);
    const changed = [];
    for (const cell of now) {
      if (!this.#nodes.has(cell)) {
        this.#add(cell);
        changed.push(cell);
      } else this.#nodes.get(cell).classList.add(name);
    }
    for (const cell of before) {
      if (now.has(cell)) continue;
      if ([...this.#worn.values()].some((others) => others.has(cell))) {
        this.#nodes.get(cell).classList.remove(name);
      } else {
        this.#remove(cell);
        changed.push(cell);
      }
    }
    return changed;
  }

  #paint(cell) {
    const node = this.#nodes.get(cell);
    this.#dress(node, cell);
    for (const [name, cells] of this.#worn) node.classList.toggle(name, cells.has(cell));
  }

  #add(cell) {
    const node = document.createElement("div");
    node.setAttribute("role", "gridcell");
    node.setAttribute("aria-colindex", this.#columns[cell]);
    node.dataset.cell = cell;
    node.tabIndex = -1;
    const [left, top] = this.#geometry.corner(cell);
    node.style.left = `${left}em`;
    node.style.top = `${top}em`;
    this.#nodes.set(cell, node);
    this.#paint(cell);
    insert(this.#line(this.#rows[cell]), node, "aria-colindex");
  }

  #remove(cell) {
    const node = this.#nodes.get(cell);
    const line = node.parentElement;
    this.#nodes.delete(cell);
    node.remove();
    if (line.childElementCount) return;
    this.#lines.delete(this.#rows[cell]);
    line.remove();
  }

  #line(number) {
    let line = this.#lines.get(number);
    if (!line) {
      line = document.createElement("div");
      line.setAttribute("role", "row");
      line.setAttribute("aria-rowindex", number);
      this.#lines.set(number, line);
      insert(this.#grid, line, "aria-rowindex");
    }
    return line;
  }
}

/** Insert a node among its like in the order of their numbers. */
function insert(parent, node, name) {
  const number = Number(node.getAttribute(name));
  const next = [...parent.querySelectorAll(`:scope > [${name}]`)].find(
    (other) => Number(other.getAttribute(name)) > number,
  );
  parent.insertBefore(node, next ?? null);
}
