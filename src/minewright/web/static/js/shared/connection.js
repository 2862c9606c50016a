// The connection to the server: while there is none, requests wait for it instead of being lost.
//
//   const connection = new Connection(changed)      changed(lost) is called when it goes or comes back
//   const connection = announced(main)              the same, with a line at the top of the page
//   await connection.patiently(ask)                 ask() again and again until there is an answer

import { el } from "./element.js";

/** Milliseconds between two tries: the first and the longest. */
const SOON = 500;
const LATE = 8000;

export class Connection {
  #lost = false;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Only a lost connection is waited for; any other problem is thrown. */
  async patiently(ask) {
    for (let wait = SOON; ; wait = Math.min(2 * wait, LATE)) {
      try {
        const answer = await ask();
        this.#set(false);
        return answer;
      } catch (error) {
        if (error.name !== "Problem" || error.status !== 0) throw error;
      }
      this.#set(true);
      const over = new AbortController();
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, wait);
        over.signal.addEventListener("abort", () => clearTimeout(timer));
        addEventListener("online", resolve, { signal: over.signal });
        addEventListener("focus", resolve, { signal: over.signal });
      });
      over.abort();
    }
  }

  #set(lost) {
    if (this.#lost === lost) return;
    this.#lost = lost;
    this.#changed(lost);
  }
}

export function announced(main) {
  const line = el("p.offline", { role: "alert", hidden: true });
  main.prepend(line);
  return new Connection((lost) => {
    line.hidden = !lost;
    line.textContent = lost ? "No answer from Minewright. This page will load as soon as there is one." : "";
  });
}
