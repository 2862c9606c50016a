// The table of a day: the fastest wins, and the name under which mine are in it.

import { del, get, put } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { el, report, seconds } from "../shared/shell.js";
import { longDay } from "../shared/words.js";

/** The longest name, as in web/people/names.py. */
const LONGEST = 20;

/** Return the table of a day, with what is needed to get into it and out again. */
export async function dayTable(day) {
  const node = el("section.daytable", { "aria-label": "Table of the day" });
  const fill = async () => {
    const said = await get(`/api/daily/${day}/table`);
    node.replaceChildren(
      el("h3", {}, `Fastest on ${longDay(day)}`),
      said.lines.length
        ? el("div.scroll", {}, el("table.table", {}, el("tbody", {}, said.lines.map(row))))
        : el("p.note", {}, "Nobody is in the table yet."),
      said.name === null ? joining(fill) : leaving(said.name, fill),
    );
  };
  await fill();
  return node;
}

function row({ name, seconds: time, no_flags: bare, mine }, at) {
  return el(
    `tr${mine ? ".own" : ""}`,
    { "aria-current": mine ? "true" : null },
    el("td.number", {}, `${at + 1}`),
    // Some scripts run from right to left: a name must not turn what stands beside it.
    el("th", { scope: "row" }, el("bdi", {}, name), mine ? el("small.note", {}, " you") : null),
    el("td", {}, bare ? el("span.chip", {}, "no flags") : null),
    el("td.number", {}, `${seconds(time)} s`),
  );
}

/** A field for a name: whoever has none is in no table. */
function joining(done) {
  const field = el("input", { type: "text", required: true, maxlength: LONGEST, autocomplete: "nickname" });
  const send = async (event) => {
    event.preventDefault();
    await put("/api/daily/name", { name: field.value }).then(done).catch(report);
  };
  return el(
    "form.joining",
    { onsubmit: send },
    el("label.field", {}, el("span", {}, "Your name in the table"), field),
    el("button.button", { type: "submit" }, "Join"),
    el("p.note", {}, "Everybody here can see it. Only wins on the day itself count, without help or a break."),
  );
}

function leaving(name, done) {
  const leave = () => del("/api/daily/name").then(done).catch(report);
  return el("p.note.joined", {}, "You are listed as ", el("b", {}, el("bdi", {}, name)), ". ", button("Leave the table", leave, ".quiet.small"));
}
