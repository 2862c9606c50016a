// The puzzles that a person began or solved, kept on the server with their games.
//
//   const shelf = new Shelf();  await shelf.load()
//   shelf.get(key)              what was kept: {marks, seconds, solved, helped, done, strokes}
//   shelf.put(key, state)       keep it, together with the next few strokes
//   await shelf.save()          keep it now
//   shelf.saveAtLast()          the page is closing: keep it with a last request
//
// A reload may overtake what is on its way to the server. Until the server has it, the tab keeps it too, and the
// next page goes on from there.

import { get, put } from "../shared/api.js";
import { report } from "../shared/shell.js";

const PAUSE = 400;
/** Where the tab keeps what the server may not have yet. */
const WAITING = "minewright.bullets.waiting";

export class Shelf {
  #kept = new Map();
  /** What the server has: a text for each key. */
  #there = new Map();
  /** What the server may not have yet: {kept, base}, the text and the one that the server had before. */
  #waiting = new Map();
  /** The same, as the page before this one left it. */
  #left = recall();
  /** Marks what this page writes, and the page before it if this one goes on from there. */
  #page = Math.random().toString(36).slice(2, 10);
  #timer = 0;
  /** Resolves when the requests before are answered: an older text must not arrive after a newer one. */
  #saving = Promise.resolve();

  async load() {
    const list = await get("/api/me/puzzles");
    this.#there = new Map(list.map(({ code, marks }) => [code, marks]));
    for (const [key, { kept, base }] of this.#left) {
      if (!this.#lacks(key, kept, base)) continue;
      this.#page = read(kept).page;
      this.#wait(key, kept);
    }
    this.#left.clear();
    this.#kept = new Map();
    for (const [key, text] of this.#there) if (read(text)) this.#kept.set(key, read(text));
    for (const [key, { kept }] of this.#waiting) this.#kept.set(key, read(kept));
    this.#remember();
  }

  get(key) {
    return this.#kept.get(key) ?? null;
  }

  put(key, state) {
    const kept = JSON.stringify({ ...state.toJSON(), page: this.#page });
    this.#kept.set(key, read(kept));
    this.#wait(key, kept);
    this.#remember();
  }

  save() {
    clearTimeout(this.#timer);
    const saved = this.#saving.then(() => this.#send());
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async #send() {
    for (const [key, { kept }] of this.#waiting) {
      await put(path(key), { marks: kept });
      this.#saved(key, kept);
    }
  }

  saveAtLast() {
    clearTimeout(this.#timer);
    for (const [key, { kept }] of this.#waiting) {
      fetch(path(key), {
        method: "PUT", body: JSON.stringify({ marks: kept }), keepalive: true,
        headers: { "Content-Type": "application/json" },
      }).then(({ ok }) => ok && this.#saved(key, kept), () => {});
    }
  }

  #wait(key, kept) {
    const base = this.#waiting.get(key)?.base ?? this.#there.get(key) ?? null;
    this.#waiting.set(key, { kept, base });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save().catch(report), PAUSE);
  }

  #saved(key, kept) {
    this.#there.set(key, kept);
    if (this.#waiting.get(key)?.kept !== kept) return;
    this.#waiting.delete(key);
    this.#remember();
  }

  /** Whether the server does not have the text yet; if others have written since, theirs is newer. */
  #lacks(key, kept, base) {
    const there = this.#there.get(key) ?? null;
    if (there === kept || !read(kept)) return false;
    return there === base || read(there)?.page === read(kept).page;
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

function path(key) {
  return `/api/me/puzzles/${encodeURIComponent(key)}`;
}
