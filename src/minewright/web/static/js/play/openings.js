// Openings that are drawn before the server has answered: the cells look pressed at once, and open where the page
// knows that they are safe. Only their numbers have to come.
//
//   const openings = new Openings(board)       board() is the board that is shown
//   const opening = openings.begin(game, cell)  an opening or a chord has been made there
//   openings.end(opening)                      it is answered, or cannot be made any more
//   openings.clear()                           another game is shown

export class Openings {
  #board;
  /** Those under way: {cells, sure}. */
  #all = new Set();

  constructor(board) {
    this.#board = board;
  }

  begin(game, cell) {
    const opening = expected(game, this.#board(), cell);
    this.#all.add(opening);
    this.#show();
    return opening;
  }

  end(opening) {
    if (this.#all.delete(opening)) this.#show();
  }

  clear() {
    this.#all.clear();
    this.#show();
  }

  #show() {
    const all = [...this.#all];
    this.#board()?.expect(
      all.flatMap(({ cells }) => cells),
      all.flatMap(({ sure }) => sure),
    );
  }
}

/** The cells that a move at a cell would open first, and those of them that are certainly safe. */
function expected({ state, start, first, help }, board, cell) {
  if (state !== "ready") {
    const cells = board.opens(cell);
    return { cells, sure: cells.filter((each) => help.safe.includes(each)) };
  }
  const cells = board.opens(first ?? cell);
  if (start === "any") return { cells, sure: [] };
  // The start rule promises it.
  if (start === "open") cells.push(...cells.flatMap((each) => board.around(each)));
  return { cells, sure: cells };
}
