// One player on the Watch page: its board, and below it what it does this turn and why.

import { layout, post } from "../shared/api.js";
import { Board, names, percent } from "../board/board.js";
import { findings } from "./film.js";
import { rem } from "../board/geometry.js";
import { el, report } from "../shared/shell.js";
import { capital, counted } from "../shared/words.js";

/** A board is shown whole if its cells then have at least this many pixels. */
const LEGIBLE = 11;
const ENDS = { won: "Won", lost: "Lost", stuck: "Stuck", unfinished: "Unfinished" };
const NAMED = /(?:(?:block|layer) \d+, )*row \d+, column \d+/g;
/** Room kept below a board for the words and the buttons, in rem. */
const BELOW = 18.75;

/** A duration in words. */
function duration(seconds) {
  return seconds < 1 ? `${(1000 * seconds).toPrecision(2)} ms` : `${seconds.toFixed(1)} s`;
}

/** The cells that a reason names. */
const named = (reason) => reason.toLowerCase().match(NAMED) ?? [];

export class Lane {
  #asked;
  #board = null;
  #film = null;
  #names = [];
  #cellsByName = new Map();
  #at = 0;

  /** @param {() => void} asked called when somebody asks why: playback should pause */
  constructor(label, asked) {
    this.#asked = asked;
    this.name = el("h2", {}, label);
    this.state = el("span.chip");
    this.place = el("div.place");
    this.title = el("strong.title");
    this.reasons = el("ul.reasons");
    this.why = el(
      "button.button.quiet.small",
      { type: "button", "aria-pressed": "false", onclick: () => this.#explain() },
      "Why?",
    );
    this.telling = el(
      "div.telling.panel",
      {},
      el("header", {}, this.title, this.why),
      this.reasons,
    );
    this.node = el(
      "section.lane",
      { "aria-label": label },
      el("header.cluster", {}, this.name, this.state),
      this.place,
      this.telling,
    );
  }

  get board() {
    return this.#board;
  }

  get film() {
    return this.#film;
  }

  close() {
    this.#board?.close();
    this.node.remove();
  }

  /** Load a film. */
  async load(film) {
    const { game } = film;
    const drawing = await layout(game.topology, game.shape);
    const same = this.#board?.layout === drawing && this.#film?.game.title === game.title;
    if (!same) this.#draw(drawing, film);
    this.#film = film;
    this.node.setAttribute("aria-label", game.title);
    this.name.textContent = game.title;
    this.name.title = `${game.strategy}, guesser ${game.guesser}, first move ${game.first}`;
    this.#at = -1;
  }

  #draw(drawing, film) {
    this.#board?.close();
    this.#board = new Board(this.place, drawing, {
      label: `Board of ${film.game.title}`,
      live: false,
      room: () => innerHeight - this.place.getBoundingClientRect().top - scrollY - rem(BELOW),
    });
    if (this.place.clientWidth / drawing.width >= LEGIBLE) this.#board.zoom("whole");
    this.#names = names(drawing);
    this.#cellsByName = new Map(this.#names.map((name, cell) => [name, cell]));
  }

  /** Show a frame: the board before a turn with what that turn will do, or the end. */
  show(at) {
    const film = this.#film;
    const frame = Math.min(at, film.length);
    if (frame === this.#at) return;
    const last = film.turns[frame - 1];
    const onwards = frame > 0 && frame === this.#at + 1;
    this.#at = frame;
    // What a guess opens ripples out from it.
    if (onwards && last?.guess) this.#board.change(last.changes, last.guess.cell);
    this.#board.set(film.codes(frame));
    if (frame < film.length) this.#turn(film.turns[frame], frame);
    else this.#end(onwards);
  }

  #turn(turn, at) {
    this.state.textContent = `turn ${at + 1} of ${this.#film.length}`;
    this.state.dataset.how = "";
    this.#offer(findings(turn).some(({ reason, chain }) => chain.length || !named(reason).length));
    if (turn.guess) this.#guess(turn, at);
    else this.#found(turn);
    this.telling.dataset.kind = turn.guess ? "guess" : "findings";
  }

  #found(turn) {
    const found = findings(turn);
    const all = (what) => [...new Set(found.flatMap((one) => one[what]))];
    const tint = { safe: all("safe"), mined: all("mined") };
    this.#board.tint(tint);
    this.title.textContent = capital(this.#count(tint));
    this.#list(
      found.map((one) => ({
        text: one.reason,
        small: this.#cells(one),
        tint: this.#spot(one),
      })),
      tint,
      turn,
    );
    this.#board.reveal([...tint.safe, ...tint.mined]);
  }

  #offer(why) {
    this.why.hidden = !why;
    this.why.setAttribute("aria-pressed", "false");
  }

  /** Explain step by step what the strategy only claims; asked again, show the strategy's own words. */
  async #explain() {
    this.#asked();
    const at = this.#at;
    const film = this.#film;
    const turn = film.turns[at];
    if (this.why.ariaPressed === "true") return this.#turn(turn, at);
    const chains = findings(turn).flatMap(({ chain }) => chain);
    if (chains.length) return this.#chain(chains, turn);
    if (turn.asked) return;
    turn.asked = true;
    try {
      turn.steps ??= await post("/api/analyse/steps", film.position(at));
    } catch (error) {
      return report(error);
    } finally {
      turn.asked = false;
    }
    // Another turn may be shown by then, or another game at the same turn.
    if (this.#film !== film || this.#at !== at) return;
    this.why.setAttribute("aria-pressed", "true");
    const { steps, complete } = turn.steps;
    const all = {
      safe: steps.flatMap(({ safe }) => safe),
      mined: steps.flatMap(({ mined }) => mined),
    };
    this.#board.tint(all);
    const lines = steps.map(({ sentence, clues, safe, mined }) => ({
      text: sentence,
      small: "",
      tint: { clues, safe, mined, region: [...clues, ...safe, ...mined] },
    }));
    this.#list(lines, all, { gave_up: !complete });
  }

  /** Show how the strategy came to its findings: each line lights what it assumes. */
  #chain(scenes, turn) {
    this.why.setAttribute("aria-pressed", "true");
    const lines = scenes.map(({ words, clues, safe, mined }) => ({
      text: words,
      small: "",
      tint: { clues, safe, mined, region: [...clues, ...safe, ...mined] },
    }));
    this.#board.tint(lines[0].tint);
    this.#list(lines, lines[0].tint, turn);
  }

  /** The tints of a finding: its cells, and the numbers named in its reason. */
  #spot({ reason, safe, mined }) {
    const clues = named(reason)
      .map((name) => this.#cellsByName.get(name))
      .filter((cell) => cell !== undefined);
    return { safe, mined, clues, region: [...safe, ...mined, ...clues] };
  }

  #guess(turn, at) {
    const { cell, reason, risk, least, missed } = turn.guess;
    const tint = {
      safe: missed,
      guess: [cell],
      chances: risk === null ? {} : { [cell]: risk },
    };
    this.#board.tint(tint);
    const what = at ? "Guess" : "First move";
    const danger =
      risk === null ? "risk unknown" : risk === 0 ? "no risk" : `risk ${percent(risk)}`;
    this.title.textContent = `${what}: ${danger}`;
    const why = reason.replace(/^(a guess|the first move): /, "");
    const lines = [{ text: why, small: this.#names[cell], tint }];
    if (missed.length) {
      const are = missed.length === 1 ? "cell is" : "cells are";
      lines.push({
        text: `exact inference knows better: ${missed.length.toLocaleString("en")} ${are} safe`,
        small: "",
        tint: { safe: missed },
      });
    } else if (risk !== null && least < risk - 1e-9) {
      lines.push({ text: `the smallest risk on the board was ${percent(least)}`, small: "", tint });
    }
    this.#list(lines, tint, turn);
    this.#board.reveal([cell]);
  }

  #end(onwards) {
    this.#offer(false);
    const { outcome } = this.#film.game;
    if (onwards && outcome.how === "won") {
      this.#board.celebrate(this.#film.turns.at(-1).changes.at(-1)?.[0] ?? 0);
    }
    this.#board.tint({ truth: outcome.truth, exploded: outcome.exploded });
    this.state.textContent = ENDS[outcome.how];
    this.state.dataset.how = outcome.how;
    this.telling.dataset.kind = outcome.how;
    const turns = counted(this.#film.length, "turn");
    const guesses = counted(outcome.guesses, "guess", "guesses");
    this.title.textContent = `${ENDS[outcome.how]} after ${turns}, ${guesses}`;
    const cleared = `${outcome.cleared.toLocaleString("en")} of ${counted(outcome.safe, "safe cell")} open`;
    const lines = [
      outcome.why,
      outcome.how === "stuck" && "its own flags leave no cell to open",
      outcome.blunder && "a blunder: it was sure of something wrong",
      `${cleared}; it thought for ${duration(outcome.seconds)}`,
    ];
    this.reasons.replaceChildren(...lines.filter(Boolean).map((text) => el("li", {}, capital(text))));
  }

  #list(lines, tint, turn) {
    const items = lines.map((line) => this.#line(line, tint));
    if (turn.gave_up) items.push(el("li", {}, "Its budget ran out: there may be more to find"));
    this.reasons.replaceChildren(...items);
    this.reasons.scrollTop = 0;
  }

  /** A line that lights its cells while it is pointed at or focused. */
  #line({ text, small, tint }, whole) {
    const one = () => this.#board.tint(tint);
    const all = () => this.#board.tint(whole);
    return el(
      "li",
      {},
      el(
        "button.reason",
        { type: "button", onmouseenter: one, onfocus: one, onmouseleave: all, onblur: all },
        el("span", {}, capital(text)),
        small ? el("small", {}, small) : null,
      ),
    );
  }

  #count({ safe, mined }) {
    const parts = [
      safe.length && `${safe.length.toLocaleString("en")} safe`,
      mined.length && counted(mined.length, "mine"),
    ];
    return parts.filter(Boolean).join(", ");
  }

  #cells({ safe, mined }) {
    const all = [...safe, ...mined];
    return all.length === 1
      ? `${safe.length ? "safe" : "mine"}: ${this.#names[all[0]]}`
      : this.#count({ safe, mined });
  }
}
