// Moves on their way to the server: in order, each once, none lost.
//
//   const moves = new Moves(page, connection)
//     page       game(), board(); apply(id, answer, {from, kind}) shows an answer, redraw(same) the game as it was
//                fetched anew, paintMines() the counter; goOn() resumes a paused game, halted() tells whether the player paused it;
//                moved() is called after every move, again() begins another game once this one is gone
//   moves.make(kind, cell)    make a move; it is drawn at once, as far as it is known what it does
//   moves.later(act)          do something once everything before it is answered
//   moves.look(there)         fetch the game again, in its turn, unless it stands as `there` says by then ({moves, state}),
//                             or another one is shown
//   moves.shown()             another game is shown

import { COVERED, MARKED, MINED } from "../board/board.js";
import { get, post } from "../shared/api.js";
import { report } from "../shared/shell.js";
import { over } from "../shared/words.js";
import { Marks } from "./marks.js";
import { Openings } from "./openings.js";
import { play } from "./sound.js";

export class Moves {
  marks = new Marks();
  #openings;
  #page;
  #connection;
  #queue = Promise.resolve();
  /** The game that is shown. */
  #id = null;
  /** Whether the game may have moved on without this page: in another tab, or by an answer that was lost. */
  #stale = false;

  constructor(page, connection) {
    this.#page = page;
    this.#connection = connection;
    this.#openings = new Openings(() => page.board());
    // Marks do not depend on their order, so those still waiting may leave all at once with the page.
    addEventListener("pagehide", () => {
      for (const cell of this.marks.takeAll()) tellMove(page.game(), "mark", cell).catch(() => {});
    });
    // The browser may keep the page and show it again: then the server knows of those that have left.
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted || !this.marks.pending) return;
      this.marks.clear();
      page.board().set(page.game().cells);
      page.paintMines();
    });
  }

  shown() {
    // Moves of this game need not wait for an answer about the last one.
    const { id } = this.#page.game();
    if (id !== this.#id) this.#queue = Promise.resolve();
    this.#id = id;
    this.#stale = false;
    this.marks.clear();
    this.#openings.clear();
  }

  make(kind, cell) {
    // A button beside the cover resumes a paused game.
    this.#page.goOn();
    if (kind === "mark" && !this.#draw(cell)) return;
    const opening = this.#opens(kind, cell) ? this.#openings.begin(this.#page.game(), cell) : null;
    this.later((id) => this.#send(id, kind, cell).finally(() => this.#openings.end(opening)));
  }

  /** Whether a move may open cells, as far as the page knows. */
  #opens(kind, cell) {
    const game = this.#page.game();
    if (!game || over(game)) return false;
    const code = this.#page.board().code(cell);
    return (kind === "open" && code === COVERED) || (kind === "chord" && code < MINED);
  }

  /** Do something once everything before it is answered, unless another game is shown by then. */
  later(act) {
    const { game } = this.#page;
    if (!game()) return;
    const { id } = game();
    this.#queue = this.#queue
      .then(() => game().id === id && act(id))
      .catch((error) => game().id === id && this.#failed(error));
  }

  look(there) {
    if (document.hidden || !this.#page.game()) return;
    const { id } = this.#page.game();
    const known = () => {
      const game = this.#page.game();
      return game.id !== id || (game.moves === there?.moves && game.state === there?.state);
    };
    this.#queue = this.#queue.then(() => known() || this.#refresh()).catch(() => {});
  }

  /** Draw a mark at once, before the server has confirmed it; return whether the cell can be marked. */
  #draw(cell) {
    const game = this.#page.game();
    if (!game || over(game) || this.#page.board().code(cell) < MARKED) return false;
    this.marks.draw(cell);
    play("mark");
    this.#showMark(cell);
    return true;
  }

  #showMark(cell) {
    this.#page.board().change([[cell, this.marks.seen(this.#page.game().cells, cell)]]);
    this.#page.paintMines();
  }

  async #send(id, kind, cell) {
    const page = this.#page;
    const drawn = kind === "mark";
    // The page was about to go, and has sent it already.
    if (drawn && !this.marks.take(cell)) return;
    try {
      if (this.#stale) await this.#connection.patiently(() => this.#refresh());
      // Where the game has to begin somewhere, any click begins it there.
      const { state, first } = page.game();
      if (kind === "open" && state === "ready" && first !== null) cell = first;
      if (!this.#possible(id, kind, cell)) return;
      const known = page.game().moves;
      let tried = false;
      const answer = await this.#connection.patiently(async () => {
        if (tried) {
          if (page.game().id !== id) return null;
          // Perhaps only the answer was lost: then the move has been made.
          await this.#refresh();
          if (page.game().id !== id || page.game().moves !== known) return null;
          // The move was made before the connection was lost, so a clock that stopped since resumes,
          // unless the player has paused meanwhile.
          if (!page.halted()) page.goOn();
        }
        tried = true;
        return tellMove(page.game(), kind, cell);
      });
      // If another game is shown by now, its marks are its own.
      if (page.game().id !== id) return;
      if (drawn) this.marks.confirm(cell);
      if (answer) page.apply(id, answer, { from: cell, kind });
      else page.board().set(this.marks.all(page.game().cells));
      page.moved();
    } catch (error) {
      if (page.game().id === id) this.marks.clear();
      throw error;
    }
  }

  /** Whether a move can still be made when its turn comes. */
  #possible(id, kind, cell) {
    const game = this.#page.game();
    // By then there may be another game, or a pause.
    if (game.id !== id) return false;
    // The game may be over too; a loss can still be undone or given up.
    const late = game.paused || (over(game) && (game.end || cell !== undefined));
    if (!late && cell === undefined) return true;
    const code = game.cells[cell];
    const fits = kind === "open" ? code === COVERED : code >= MARKED === (kind === "mark");
    if (!late && fits) return true;
    if (kind === "mark") {
      this.marks.confirm(cell);
      this.#showMark(cell);
    }
    return false;
  }

  /** A failed request may have been carried out all the same: fetch the game again. */
  async #failed(error) {
    report(error);
    this.#stale = true;
    const game = this.#page.game();
    if (error.status === 404 && game) {
      // The game is gone: begin another.
      game.state = "gone";
      await this.#page.again();
    } else await this.#refresh().catch(() => {});
  }

  /** Fetch the game, and show it if it is not what the page shows. */
  async #refresh() {
    const game = this.#page.game();
    if (!game) return;
    this.#stale = true;
    const now = await get(`/api/games/${game.id}`);
    if (this.#page.game().id !== game.id) return;
    this.#stale = false;
    const same =
      now.state === game.state &&
      now.moves === game.moves &&
      now.seed === game.seed &&
      !now.end === !game.end &&
      (over(now) || now.cells.every((code, cell) => code === game.cells[cell]));
    Object.assign(game, now);
    this.#page.redraw(same);
  }
}

/** A move on its way outlives the page; that costs a millisecond, and without it the move could be lost. */
export function tellMove({ id, moves: known }, kind, cell) {
  return post(`/api/games/${id}/moves`, { kind, cell, known, packed: true }, { keepalive: true });
}
