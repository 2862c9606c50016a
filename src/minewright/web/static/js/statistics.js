// The statistics of a person, their last games, and what is kept about them.

import { del, get } from "./api.js";
import { dialog, el, report, seconds, toast } from "./shell.js";
import { address, size, topologyName } from "./words.js";

/** Show them; `forgotten` is called once all has been deleted. */
export async function statistics(forgotten) {
  const [me, last] = await Promise.all([get("/api/me"), get("/api/games?limit=8")]);
  const games = last
    .filter(({ moves }) => moves > 0)
    .map((line) =>
      el(
        "tr",
        {},
        el(
          "td",
          {},
          el("a", { href: address(line) }, size(line)),
          el("small.note", {}, ` ${topologyName(line.topology)}`),
        ),
        el("td", {}, line.state, line.helped ? el("small.note", {}, " with help") : null),
        el(
          "td.number",
          {},
          ["won", "lost", "given up"].includes(line.state)
            ? el("a", { href: `/review?game=${line.id}` }, "review")
            : el("a", { href: address(line) }, "go on"),
        ),
      ),
    );
  const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  const unhelped = me.played - me.helped;
  const share = unhelped ? `${Math.round((100 * me.won) / unhelped)}%` : "–";
  const rows = me.boards.map((line) =>
    el(
      "tr",
      {},
      el(
        "td",
        {},
        size(line),
        el("small.note", {}, ` ${topologyName(line.topology)}, ${line.start}`),
      ),
      el("td.number", {}, `${line.won} of ${line.played}`),
      el("td.number", {}, line.best === null ? "–" : `${seconds(line.best)} s`),
      el("td.number", {}, line.efficiency === null ? "–" : `${Math.round(100 * line.efficiency)}%`),
    ),
  );
  let sure = false;
  const remove = el("button.button.quiet.small.danger", { type: "button" }, "Delete everything");
  remove.addEventListener("click", async () => {
    if (!sure) {
      sure = true;
      remove.textContent = "Really delete all games and statistics?";
      return;
    }
    try {
      await del("/api/me");
      sheet.close();
      toast("All that was kept about you is deleted.", "note");
      await forgotten();
    } catch (error) {
      report(error);
    }
  });
  const sheet = dialog(
    "Statistics",
    el(
      "dl.facts",
      {},
      fact("Played", me.played),
      fact("Won", me.won),
      fact("Won alone", share),
      fact("In a row", me.streak),
    ),
    rows.length
      ? el(
          "div.scroll",
          {},
          el(
            "table.table",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                ["Board", "Won", "Best", "Efficiency"].map((name, at) =>
                  el(at ? "th.number" : "th", { scope: "col" }, name),
                ),
              ),
            ),
            el("tbody", {}, rows),
          ),
        )
      : el("p.note", {}, "No game has ended yet."),
    el("p.note", {}, "A game in which the assistant helped counts as played, not as won."),
    games.length ? el("h3", {}, "Last games") : null,
    games.length ? el("div.scroll", {}, el("table.table", {}, el("tbody", {}, games))) : null,
    el(
      "div.cluster",
      {},
      el("a.button.small", { href: "/api/me/export", download: "minewright.json" }, "Export"),
      remove,
    ),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.showModal();
}
