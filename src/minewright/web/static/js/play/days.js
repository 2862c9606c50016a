// The dialog with the days of the daily game: how each went, the streak, and the table of a day.
//
//   showDays({play, table, shown})   play(date) goes to a day's game; table: whether the server keeps a table;
//                                    shown: the day of the game on the page, or null

import { get } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { dialog, el, report, seconds } from "../shared/shell.js";
import { counted, iso, longDay, size, today } from "../shared/words.js";
import { dayTable } from "./daytable.js";

/** Days that are added at a time. */
const SOME = 14;

export async function showDays({ play, table, shown }) {
  const now = today();
  const ask = (last) => get(`/api/daily?last=${last}&count=${SOME}`);
  const first = await ask(now);
  const choose = (day) => {
    sheet.close();
    play(day);
  };
  const row = (day) => dayRow(day, { now, shown, choose });
  const list = el("ul.dailies", {}, first.days.map(row));
  let last = first.days.at(-1).day;
  const add = async () => {
    const { days } = await ask(before(last));
    const rows = days.map(row);
    list.append(...rows);
    last = days.at(-1).day;
    rows[0].querySelector("button").focus();
  };
  const sheet = dialog(
    "Daily boards",
    el(
      "p.note",
      {},
      "A new no-guess board every day, the same for everyone. ",
      el("strong.streak", { hidden: first.streak === 0 }, `${counted(first.streak, "day")} in a row`),
    ),
    table ? await dayTable(shown ?? now) : null,
    list,
    button("Earlier days", () => add().catch(report), ".quiet.small"),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.showModal();
}

/** The day before a date. */
function before(date) {
  const [year, month, day] = date.split("-").map(Number);
  return iso(new Date(year, month - 1, day - 1));
}

function dayRow(one, { now, shown, choose }) {
  const { day, level, outcome } = one;
  const name = day === now ? "Today" : longDay(day, false, "short");
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        "data-day": day,
        "data-outcome": outcome,
        "aria-current": day === shown ? "date" : null,
        onclick: () => choose(day),
      },
      el("b", {}, name),
      el("span", {}, `${size(one)}, ${level}`),
      el("small", {}, ending(one)),
    ),
  );
}

function ending({ outcome, seconds: time, helped }) {
  if (outcome === null) return "";
  if (outcome === "left") return "unfinished";
  if (outcome === "lost") return "lost";
  return helped ? "✓ with help" : `✓ ${seconds(time)} s`;
}
