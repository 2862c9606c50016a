// The clock of a game on the page: signs of life for the server, the pause, and the cover over a
// paused board. The server keeps the time (people/clock.py); this counts between its answers.

import { post } from "../shared/api.js";
import { el } from "../shared/shell.js";
import { over } from "../shared/words.js";

/** Milliseconds between the first two signs of life; each later wait is twice as long, up to BEAT. */
const SOON = 1000;
const BEAT = 8000;
const TICK = 250;

export class Timekeeper {
  #place;
  #page;
  #cover;
  #seconds = 0;
  #synced = 0;
  #heard = 0;
  /** Milliseconds until the next sign of life. */
  #wait = SOON;
  #lost = false;
  #covered = false;
  /**
   * What the player wished for last, unless the server has heard it: {id, runs, moves, lost} or null.
   * It was said after so many moves; `lost` if no answer came.
   */
  #wish = null;
  /** How many times the server was told something, and the latest of them that is answered. */
  #said = 0;
  #answered = 0;
  /** A game that the server does not have any more. */
  #gone = null;

  /**
   * `page` has game(), queue(act), which waits for the moves before, and look(there), which fetches
   * the game again unless it stands as `there` says; tick(seconds) tells it the time, paused(is)
   * that a pause begins or ends.
   */
  constructor(place, page) {
    this.#place = place;
    this.#page = page;
    this.#cover = el(
      "button.cover",
      { type: "button", hidden: true, onclick: () => this.goOn() },
      el("strong", {}, "Paused"),
      el("span", {}, "Click to resume"),
    );
    place.after(this.#cover);
    setInterval(() => this.#tick(), TICK);
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.#leave() : this.#look(),
    );
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#look());
    addEventListener("focus", () => this.#look());
  }

  get paused() {
    return this.#covered;
  }

  /** Whether the player has just paused, and the server has not heard of it yet. */
  get wished() {
    return this.#covered && this.#wish?.runs === false;
  }

  /** A game is shown: start its clock, unless it is paused. */
  show(game) {
    if (!this.#runs() || this.#wish?.id !== game.id) this.#wish = null;
    // Word that the game goes on is still on its way.
    if (this.#wish?.runs) game.paused = false;
    const paused = game.paused || this.#wish?.runs === false;
    this.#veil(paused);
    // Moves that this page overtook on their way are noticed soon.
    this.#wait = SOON;
    this.#heard = performance.now();
    // What was said before may be answered later, but tells what was before.
    this.#answered = ++this.#said;
    // Behind the veil the clock stands. Before it is drawn, a tick would start it.
    this.sync(game);
    if (this.#wish?.lost) this.#tell();
    else if (!paused && this.#listens() && !this.#wish) this.#beat();
  }

  /** Take over the time from an answer; the answer to a move was a sign of life too. */
  sync({ seconds }, moved = false) {
    this.#seconds = seconds;
    this.#synced = performance.now();
    this.#lost = false;
    if (moved) this.#heard = this.#synced;
    this.#tick();
  }

  /** Pause or resume. */
  toggle() {
    if (this.#covered) this.goOn();
    else if (this.#runs()) {
      this.#veil(true);
      this.#want(false);
    }
  }

  goOn() {
    if (!this.#covered) return;
    this.#veil(false);
    this.#page.game().paused = false;
    if (this.#runs()) this.#want(true);
  }

  #want(runs) {
    this.#wish = { id: this.#page.game().id, runs, moves: null, lost: false };
    this.#tell();
  }

  /** Say the wish, after the moves and wishes before it: each of them stops or starts the clock, too. */
  #tell() {
    const wish = this.#wish;
    const again = wish.lost;
    wish.lost = false;
    this.#page.queue(async () => {
      if (!again) wish.moves = this.#page.game().moves;
      wish.lost = !(await (again ? this.#repeat(wish) : this.#say(wish.runs)));
      if (wish.lost && !again) this.#wait = SOON;
      if (!wish.lost && this.#wish === wish) this.#wish = null;
    });
  }

  /** Say a wish again, unless it was heard, or the game has gone on in another window since. */
  async #repeat(wish) {
    const told = await this.#say(null);
    if (!told || (told.moves === wish.moves && told.paused === wish.runs)) {
      return told && this.#say(wish.runs);
    }
    this.#page.look();
    return told;
  }

  #runs() {
    return this.#page.game()?.state === "playing";
  }

  /** Whether the game may go on, here or by moves that this page does not know. */
  #listens() {
    const game = this.#page.game();
    return game && game.id !== this.#gone && (!over(game) || (game.state === "lost" && !game.end));
  }

  #tick() {
    const now = performance.now();
    const runs = this.#runs() && !this.#covered;
    const since = runs && !this.#lost ? (now - this.#synced) / 1000 : 0;
    this.#page.tick(this.#seconds + since);
    if (!this.#listens() || document.hidden || now - this.#heard < this.#wait) return;
    this.#wait = Math.min(2 * this.#wait, BEAT);
    if (this.#wish?.lost) this.#tell();
    else if (!this.#covered) this.#beat();
  }

  /** Look what has happened while nobody looked here. */
  #look() {
    const now = performance.now();
    // A sign of life would start a clock that the board is about to be covered for.
    if (now - this.#heard > this.#wait) this.#heard = now;
    this.#page.look();
  }

  /** Send a last sign of life before the page is closed or hidden. */
  #leave() {
    if (this.#runs() && !this.#covered) this.#beat({ keepalive: true });
  }

  /** Give a sign of life. It ends no pause, so nothing waits for it. */
  #beat(options) {
    this.#say(null, options);
  }

  /** Return the answer, or null if none came. */
  async #say(runs, options = {}) {
    const { id, moves } = this.#page.game();
    const number = ++this.#said;
    this.#heard = performance.now();
    try {
      const told = await post(`/api/games/${id}/clock`, { runs }, options);
      const game = this.#page.game();
      // If a move was answered meanwhile, or something said later, this answer may be older.
      if (game.id !== id || game.moves !== moves || !this.#listens()) return told;
      if (number < this.#answered) return told;
      this.#answered = number;
      this.sync(told);
      // It pauses in another window.
      if (told.paused && !this.#covered && !this.#wish) this.#page.look();
      else if (told.moves !== moves || told.state !== game.state) this.#page.look(told);
      return told;
    } catch (error) {
      if (error.status === 404) this.#gone = id;
      // The clock stops while there is no server; the next move will say what is wrong.
      const ran = !this.#lost && this.#runs() && !this.#covered;
      if (ran) this.#seconds += (performance.now() - this.#synced) / 1000;
      this.#synced = performance.now();
      this.#lost = true;
      return null;
    }
  }

  #veil(on) {
    if (this.#covered === on) return;
    const inside = on
      ? this.#place.contains(document.activeElement)
      : document.activeElement === this.#cover;
    this.#covered = on;
    this.#cover.hidden = !on;
    this.#place.classList.toggle("veiled", on);
    this.#page.paused(on);
    if (inside) (on ? this.#cover : this.#place.querySelector("[tabindex='0']"))?.focus();
  }
}
