// The puzzles that a person began or solved, kept on the server with their games.
//
//   const shelf = new Shelf();  await shelf.load()
//   shelf.get(key)              what was kept: {marks, seconds, solved, helped, done, strokes}
//   shelf.put(key, state)       keep it, together with the next few strokes
//   await shelf.save()          keep it now
//   shelf.saveAtLast()          the page is closing: keep it with a last request

import { get, put } from "../shared/api.js";
import { report } from "../shared/shell.js";

const PAUSE = 400;

export class Shelf {
  #kept = new Map();
  #waiting = new Map();
  #timer = 0;

  async load() {
    const list = await get("/api/me/puzzles");
    this.#kept = new Map();
    for (const { code, marks } of list) {
      try {
        this.#kept.set(code, JSON.parse(marks));
      } catch {
        // This page did not write it.
      }
    }
  }

  get(key) {
    return this.#kept.get(key) ?? null;
  }

  put(key, state) {
    const kept = JSON.stringify(state);
    this.#kept.set(key, JSON.parse(kept));
    this.#waiting.set(key, kept);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save().catch(report), PAUSE);
  }

  async save() {
    clearTimeout(this.#timer);
    for (const [key, kept] of this.#waiting) {
      await put(path(key), { marks: kept });
      this.#saved(key, kept);
    }
  }

  saveAtLast() {
    clearTimeout(this.#timer);
    for (const [key, kept] of this.#waiting) {
      fetch(path(key), {
        method: "PUT", body: JSON.stringify({ marks: kept }), keepalive: true,
        headers: { "Content-Type": "application/json" },
      }).then(({ ok }) => ok && this.#saved(key, kept), () => {});
    }
  }

  #saved(key, kept) {
    if (this.#waiting.get(key) === kept) this.#waiting.delete(key);
  }
}

function path(key) {
  return `/api/me/puzzles/${encodeURIComponent(key)}`;
}
