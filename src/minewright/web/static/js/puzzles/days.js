// The puzzles of the last seven days, which of them are solved, and a field for any other day.
//
//   const days = new Days(shelf, open);  days.node;  days.show("2026-01-31" or null)
//
// A day is the date where the browser is.

import { el } from "../shared/shell.js";
import { now } from "../shared/time.js";
import { iso, longDay, today } from "../shared/words.js";

const FIRST = "2000-01-01";
/** Milliseconds to wait for the next digit of a date. */
const PAUSE = 600;

function ago(days) {
  const day = now();
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days);
}

export class Days {
  #shelf;
  #open;
  #shown = null;
  #list = el("div.days", { role: "group", "aria-label": "Last seven days" });
  #streak = el("p.note", { role: "status" });
  #field = el("input", {
    type: "date", "aria-label": "Another day", min: FIRST,
    // A date being typed may for a moment be another day, or an impossible one.
    onchange: () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#chosen(), PAUSE);
    },
    onblur: () => this.#chosen() || (this.#field.value = this.#shown ?? ""),
  });
  #typing = 0;

  constructor(shelf, open) {
    this.#shelf = shelf;
    this.#open = open;
    this.node = el(
      "section.panel", {}, el("div.title", {}, el("h2", {}, "Daily puzzle"), this.#field), this.#list, this.#streak,
    );
  }

  /** The number of days solved in a row, up to today, or up to yesterday while today's is unsolved. */
  get streak() {
    const solved = (days) => this.#state(iso(ago(days))) === "solved";
    const first = solved(0) ? 0 : 1;
    let days = first;
    while (solved(days)) days++;
    return days - first;
  }

  /** Show the days; `shown` is the date of the puzzle on the page. */
  show(shown = this.#shown) {
    this.#shown = shown;
    if (this.#field.max !== today()) {
      this.#field.max = today();
      this.#list.replaceChildren(...[6, 5, 4, 3, 2, 1, 0].map((days) => this.#day(ago(days))));
    }
    for (const day of this.#list.children) this.#describe(day);
    this.#streak.hidden = this.streak < 2;
    this.#streak.textContent = `${this.streak} days in a row`;
    this.#field.value = shown ?? "";
  }

  /** Go to the day in the field if it is another one; return whether it is. */
  #chosen() {
    clearTimeout(this.#typing);
    const { value, validity } = this.#field;
    const other = value !== "" && validity.valid && value !== this.#shown;
    if (other) this.#open(value);
    return other;
  }

  #state(date) {
    const kept = this.#shelf.get(`day-${date}`);
    if (kept?.done ?? kept?.solved) return "solved";
    return /[o/]/.test(kept?.marks ?? "") ? "started" : "";
  }

  #day(day) {
    const date = iso(day);
    return el(
      "button",
      { type: "button", "data-date": date, onclick: () => this.#open(date) },
      el("small", {}, day.toLocaleDateString("en-GB", { weekday: "short" })),
      " ",
      el("b", {}, String(day.getDate())),
      el("i"),
    );
  }

  #describe(button) {
    const { date } = button.dataset;
    const state = this.#state(date);
    button.dataset.state = state;
    // The label begins with the visible text, so that voice control finds the button.
    button.ariaLabel = `${longDay(date, false, "short")}${state && `, ${state}`}`;
    button.ariaCurrent = date === this.#shown ? "date" : null;
  }
}
