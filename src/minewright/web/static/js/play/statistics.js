// The dialog with a person's statistics and latest games, and everything that is kept about them.

import { percent } from "../board/board.js";
import { del, get } from "../shared/api.js";
import { dialog, el, report, seconds, toast } from "../shared/shell.js";
import { STARTS, address, capital, modeName, size, small, topologyName } from "../shared/words.js";
import { togetherList } from "./team.js";
import { timesPicture } from "./times.js";

const WORDS = { won: "won", lost: "lost", left: "abandoned" };
const OUTCOMES = Object.keys(WORDS);
/** The states of games that are not over. */
const UNFINISHED = { ready: "not started", playing: "unfinished" };

/** Show the dialog. goOn(id) resumes a game; forgotten() is called once everything is deleted. */
export async function statistics({ goOn, forgotten }) {
  const [me, last, everybody] = await Promise.all([
    get("/api/me"),
    get("/api/games?limit=8"),
    togetherList(),
  ]);
  const choose = (id) => {
    sheet.close();
    goOn(id);
  };
  const games = last.filter(({ moves }) => moves > 0).map((line) => gameRow(line, choose));
  const sheet = dialog(
    "Statistics",
    el(
      "dl.facts.totals",
      {},
      [
        ["Played", me.played],
        ["Won", me.won],
        ["Lost", me.lost],
        ["Abandoned", me.left, "Given up, or left unfinished for another game"],
        ["With help", me.helped, "Played with help, or with a known seed"],
        [
          "Win streak",
          me.longest_streak > me.streak ? `${me.streak} (best ${me.longest_streak})` : me.streak,
          "Games won in a row without help, up to your last one",
        ],
      ].map(([name, value, title]) => el("div", { title }, el("dt", {}, name), el("dd", {}, value))),
    ),
    me.boards.length
      ? el("ul.records", {}, me.boards.map(record))
      : el("p.note", {}, "You haven't finished a game yet."),
    el(
      "p.note",
      {},
      "Percentages count all games played without help, abandoned ones too. Best times count games ",
      "without help and without a break.",
    ),
    everybody ? el("h3", {}, "Everybody who guesses for MineBot") : null,
    everybody,
    games.length ? el("h3", {}, "Latest games") : null,
    games.length ? el("div.scroll", {}, el("table.table", {}, el("tbody", {}, games))) : null,
    el(
      "div.cluster",
      {},
      el("a.button.small", { href: "/profile" }, "Your profile"),
      el("a.button.small", { href: "/api/me/export", download: "minewright.json" }, "Export"),
      deletion(() => sheet.close(), forgotten),
    ),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.showModal();
}

/** One board: its results as a bar, and its best figures. */
function record(line) {
  const alone = line.played - line.helped;
  const share = alone ? `${Math.round((100 * line.won) / alone)}% won` : "";
  const counts = OUTCOMES.map((outcome) => `${line[outcome]} ${WORDS[outcome]}`);
  if (line.helped) counts.push(`${line.helped} with help`);
  const best = [
    line.best === null ? null : `best ${seconds(line.best)} s`,
    line.mean === null ? null : `average ${seconds(line.mean)} s`,
    line.mean_score === null ? null : `average score ${percent(line.mean_score)}`,
    line.efficiency === null ? null : `efficiency ${Math.round(100 * line.efficiency)}%`,
  ].filter(Boolean);
  return el(
    "li",
    {},
    el(
      "div.title",
      {},
      el("span", {}, size(line), el("small.note", {}, kind(line))),
      el("span.share", {}, share),
    ),
    alone ? parts(line) : null,
    el("p.note", {}, counts.join(", ")),
    best.length ? el("p.note", {}, capital(best.join(", "))) : null,
    timesPicture(line.times),
  );
}

function parts(line) {
  const some = OUTCOMES.filter((outcome) => line[outcome]);
  const bars = some.map((outcome) => el(`i.${outcome}`, { style: { "flex-grow": line[outcome] } }));
  return el("div.parts", { "aria-hidden": "true" }, bars);
}

function kind({ mode, topology, start }) {
  const more = mode === "ordinary" ? "" : `, ${small(modeName(mode))}`;
  return ` ${topologyName(topology)}, ${STARTS[start].toLowerCase()} start${more}`;
}

function gameRow(line, goOn) {
  return el(
    "tr",
    {},
    el(
      "td",
      {},
      line.seed === null ? size(line) : el("a", { href: address(line) }, size(line)),
      el("small.note", {}, ` ${topologyName(line.topology)}`),
    ),
    el("td", {}, UNFINISHED[line.state] ?? line.state, line.helped ? el("small.note", {}, " with help") : null),
    el(
      "td.number",
      {},
      line.settled
        ? el("a", { href: `/review?game=${line.id}` }, "Review")
        : el("button.button.small", { type: "button", onclick: () => goOn(line.id) }, "Resume"),
    ),
  );
}

/** A button that deletes everything when pressed twice. */
function deletion(close, forgotten) {
  let sure = false;
  const remove = el("button.button.quiet.small.danger", { type: "button" }, "Delete everything");
  remove.addEventListener("click", async () => {
    if (!sure) {
      sure = true;
      remove.textContent = "Really delete all games and statistics?";
      return;
    }
    remove.disabled = true;
    try {
      await del("/api/me");
      forgetWaiting();
      close();
      await forgotten();
      toast("Everything kept about you has been deleted.", "note");
    } catch (error) {
      report(error);
    } finally {
      remove.disabled = false;
    }
  });
  return remove;
}

/** Marks of puzzles that this tab still keeps for the server (puzzles/shelf.js) are not to come back. */
function forgetWaiting() {
  try {
    sessionStorage.clear();
  } catch {
    // This browser keeps nothing.
  }
}
