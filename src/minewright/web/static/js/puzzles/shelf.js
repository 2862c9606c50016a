// The puzzles that a person began or solved, kept on the server with their games.
//
//   const shelf = new Shelf(overtaken);  await shelf.load()
//   shelf.get(key)              what was kept: {marks, seconds, solved, helped, done, strokes, changes, base, page}
//   shelf.put(key, state)       keep it, together with the next few strokes
//   await shelf.save()          keep it now
//   shelf.saveAtLast()          the page is closing: keep it with a last request
//
// What is kept counts its changes, in whatever window they were made, and says which page made the last one and how
// many changes the server had before (`base`). The server refuses a text that is late on its way, with fewer changes
// than one of the same page, or that comes from an outdated window, whose base misses changes of another page: then
// `overtaken` is called.
//
// A reload may overtake what is on its way to the server. Until the server has it, the tab keeps it too, and the
// next page goes on from there.

import { get, put } from "../shared/api.js";
import { report } from "../shared/shell.js";

const PAUSE = 400;
/** Where the tab keeps what the server may not have yet. */
const WAITING = "minewright.bullets.waiting";
const OVERTAKEN = 409;

export class Shelf {
  #overtaken;
  #kept = new Map();
  /** What the server may not have yet: a text for each key. */
  #waiting = new Map();
  /** The same, as the page before this one left it. */
  #left = recall();
  /** Names what this page changes, and the page before it if this one goes on from there. */
  #page = Math.random().toString(36).slice(2, 10);
  /** How many changes the server has, for each key. */
  #there = new Map();
  #timer = 0;
  /** Resolves when the requests before are answered. */
  #saving = Promise.resolve();
  /** How many texts the server has answered. */
  #settled = 0;

  constructor(overtaken) {
    this.#overtaken = overtaken;
  }

  async load() {
    let list, settled;
    do {
      settled = this.#settled;
      list = await get("/api/me/puzzles");
      // A list made before the server had the last marks would count too few changes.
    } while (settled !== this.#settled);
    const texts = list.map(({ code, marks }) => [code, read(marks)]);
    this.#kept = new Map(texts.filter(([, state]) => state));
    this.#there = new Map([...this.#kept].map(([key, state]) => [key, changes(state)]));
    for (const [key, text] of this.#left) if (this.#isNewer(key, read(text))) this.#goOn(key, text);
    this.#left.clear();
    for (const [key, text] of this.#waiting) this.#kept.set(key, read(text));
    this.#remember();
  }

  get(key) {
    return this.#kept.get(key) ?? null;
  }

  put(key, state) {
    const before = this.get(key);
    // The clock alone is no change: a window that was only looked at must not overtake another.
    const changed = !before || pictured(before) !== pictured(state.toJSON());
    const text = JSON.stringify({
      ...state.toJSON(),
      changes: changes(before) + changed,
      base: this.#there.get(key) ?? 0,
      page: changed ? this.#page : before.page,
    });
    this.#kept.set(key, read(text));
    this.#wait(key, text);
    this.#remember();
  }

  save() {
    clearTimeout(this.#timer);
    const saved = this.#saving.then(() => this.#send());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async #send() {
    for (const [key, text] of this.#waiting) {
      try {
        await put(path(key), { marks: text });
        this.#settle(key, text, true);
      } catch (error) {
        if (error.status !== OVERTAKEN) throw error;
        this.#overtaken();
        this.#settle(key, text, false);
      }
    }
  }

  saveAtLast() {
    clearTimeout(this.#timer);
    for (const [key, text] of this.#waiting) {
      fetch(path(key), {
        method: "PUT", body: JSON.stringify({ marks: text }), keepalive: true,
        headers: { "Content-Type": "application/json" },
      }).then(({ ok, status }) => (ok || status === OVERTAKEN) && this.#settle(key, text, ok), () => {});
    }
  }

  #wait(key, text) {
    this.#waiting.set(key, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save().catch(report), PAUSE);
  }

  /** The server has `kept` this text, or has a newer one. */
  #settle(key, text, kept) {
    this.#settled++;
    if (kept) this.#there.set(key, changes(read(text)));
    if (this.#waiting.get(key) !== text) return;
    this.#waiting.delete(key);
    this.#remember();
  }

  /** Go on from what the page before this one left. */
  #goOn(key, text) {
    this.#page = read(text).page ?? this.#page;
    this.#wait(key, text);
  }

  /** Whether the server does not have the state yet; if others have written or deleted since, theirs is newer. */
  #isNewer(key, state) {
    const there = this.get(key);
    const ahead = changes(state) - changes(there) || state?.seconds - there?.seconds;
    if (!(ahead > 0)) return false;
    return state.page === there?.page || state.base === changes(there);
  }

  #remember() {
    try {
      // First of all, so that no older text stays if there is no room for this one.
      sessionStorage.removeItem(WAITING);
      if (this.#waiting.size) sessionStorage.setItem(WAITING, JSON.stringify([...this.#waiting]));
    } catch {
      // Where the browser keeps nothing, the server has it a moment later.
    }
  }
}

function recall() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(WAITING)));
  } catch {
    return new Map();
  }
}

/** What a text holds; null if this page did not write it. */
function read(text) {
  try {
    const state = JSON.parse(text);
    return state !== null && typeof state === "object" ? state : null;
  } catch {
    return null;
  }
}

/** How often a kept state has changed. */
function changes(state) {
  return Number.isSafeInteger(state?.changes) ? state.changes : 0;
}

/** What a state holds, but for its clock and what is told of its changes. */
function pictured({ seconds, changes, base, page, ...rest }) {
  return JSON.stringify(rest);
}

function path(key) {
  return `/api/me/puzzles/${encodeURIComponent(key)}`;
}
