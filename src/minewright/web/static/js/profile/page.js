// The Profile page: what all games of a person say about them, with those worth another look.

import { Problem, del, get } from "../shared/api.js";
import { announced } from "../shared/connection.js";
import { onDrop, sendFile } from "../shared/files.js";
import { button, panel } from "../shared/parts.js";
import { el, report, shell, toast } from "../shared/shell.js";
import { capital, counted, size, topologyName } from "../shared/words.js";

const main = shell({ page: "/profile", moves: false });

const head = el("p");
const headlines = el("dl.facts.headlines", { "aria-label": "In short" });
const progress = el("p.note", { role: "status", hidden: true });
const luck = el("p");
const regret = el("p");
const files = el("input", {
  type: "file",
  multiple: true,
  hidden: true,
  "aria-label": "Replays",
  onchange: () => add([...files.files]),
});
const open = button("Add replays", () => files.click(), ".small");
const clear = button("Remove replays", forget, ".quiet.small", { hidden: true });
const summary = panel(
  "Summary",
  el("h1", {}, "Your profile"),
  head,
  headlines,
  progress,
  luck,
  regret,
  el("div.cluster", {}, open, files, clear),
  el(
    "p.note",
    {},
    "This covers your finished games played without hints, the assistant or a known seed, in modes where ",
    "the mines stay where they are. You can add replays of other programs, or drop them on the page: this server ",
    "keeps them in memory for a while, never on disk, and no player's name.",
  ),
);
const worth = el("ol.worth");
const worthPanel = panel("Worth another look", el("h2", {}, "Worth another look"), worth);
// The table is wider than a phone: with the focus, arrow keys scroll it.
const boards = el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Figures" });
const formulas = el("dl.meanings");
const boardsPanel = panel(
  "By board",
  el("h2", {}, "By board"),
  el(
    "p.note",
    {},
    "3BV is the fewest left clicks that clear a board: how much work the board is. ",
    "Times are those of your wins; all other figures are averages.",
  ),
  boards,
  el("details", {}, el("summary", {}, "How the figures are calculated"), formulas),
);
const trends = el("div.pictures");
const trendsPanel = panel("Trends", el("h2", {}, "Trends"), trends);
const missed = el("ol.bars.missed");
const missedNone = el("p", {}, "None: you never took a risk while a cell was provably safe.");
const missedPanel = panel(
  "Missed proofs",
  el("h2", {}, "Missed proofs"),
  el(
    "p.note",
    {},
    "How often you took a risk although a cell was provably safe, by the step that would have found it. ",
    el("a", { href: "/drills" }, "Drills"),
    " train these.",
  ),
  missed,
  missedNone,
);
const figures = [worthPanel, missedPanel, trendsPanel, boardsPanel];
// Before there is an answer, nothing is said about anybody.
for (const part of figures) part.hidden = true;
main.append(el("div.profile", {}, summary, ...figures));

// Asking

let round = 0;

/** Ask until everything is worked out, or until somebody else asks. */
async function load() {
  const mine = ++round;
  for (;;) {
    const profile = await get("/api/me/profile");
    if (mine !== round) return;
    show(profile);
    if (profile.complete) return;
  }
}

async function add(given) {
  files.value = "";
  let refused = null;
  for (const file of given) {
    try {
      await send(file);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) return report(error);
      refused ??= `${file.name}: ${error.message}.`;
    }
  }
  if (refused) toast(refused);
  await load().catch(report);
}

/** Send a file; while the one before is not worked out, go on with that first. */
async function send(file) {
  for (;;) {
    try {
      return await sendFile("/api/me/profile/files", file, { at: file.lastModified / 1000 });
    } catch (error) {
      if (error.status !== 409) throw error;
      await get("/api/me/profile");
    }
  }
}

async function forget() {
  try {
    await del("/api/me/profile/files");
    await load();
  } catch (error) {
    report(error);
  }
}

// Showing

function show(profile) {
  const { games, total, complete } = profile;
  head.replaceChildren();
  if (!games && complete) {
    head.append(
      "No games yet. ",
      el("a", { href: "/" }, "Finish one"),
      ", or add replays of your own. You will see your win rate and best times here, how lucky you were, ",
      "and which moves are worth another look.",
    );
  }
  headlines.hidden = !games;
  headlines.replaceChildren(...profile.headlines.map((one) => headline(one, profile)));
  progress.hidden = complete;
  progress.textContent = `Worked out ${games} of ${counted(total, "game")} so far…`;
  luck.textContent = games ? profile.luck : "";
  regret.textContent = profile.regret;
  clear.hidden = !profile.files;
  for (const part of figures) part.hidden = !games;
  if (!games) return;
  worth.replaceChildren(...profile.worth.map(worthRow));
  worthPanel.hidden = !profile.worth.length;
  boards.replaceChildren(boardTable(profile));
  formulas.replaceChildren(...formulasOf(profile.figures));
  const { missed: _, ...drawn } = profile.pictures;
  trends.replaceChildren(...Object.values(drawn).map(picture));
  const kinds = Object.entries(profile.missed);
  missed.replaceChildren(...kinds.map(([kind, count]) => missedRow(kind, count, kinds[0][1])));
  missedNone.hidden = kinds.length > 0;
}

function headline({ name, value, note, board }, { files: added, games }) {
  const some = `${added.toLocaleString("en")} of them ${added === 1 ? "a replay" : "replays"}`;
  const all = games === 1 ? "a replay" : "all of them replays";
  const replays = added === games ? all : added ? some : "";
  const words = board ? `on ${boardName(board)}` : name === "Games" ? replays : note;
  return el("div", {}, el("dt", {}, name), el("dd", {}, value), words ? el("dd.note", {}, words) : null);
}

function worthRow({ game, name, board, at, move, reason }) {
  const when = new Date(at * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const title = game
    ? el("a", { href: `/review?game=${encodeURIComponent(game)}&move=${move}` }, when)
    : el("span", {}, name || "A replay");
  return el("li", {}, title, el("small.note", {}, ` ${boardName(board)}`), el("p", {}, reason));
}

/** The name of a board as the profile has it: "30x16x99", "30x16x99 torus". */
function boardName(text) {
  const [board, topology] = text.split(" ");
  return topology ? `${size({ board })}, ${topologyName(topology)}` : size({ board });
}

/** One table with a body per group of figures; each figure says what it is. */
function boardTable({ boards: all, figures: known }) {
  const shown = Object.entries(known).filter(([key]) =>
    all.some(({ figures }) => figures[key] !== null),
  );
  const groups = [...new Set(shown.map(([, { group }]) => group))];
  const heads = all.map(({ board }) => el("th.number", { scope: "col" }, boardName(board)));
  const row = (name, meaning, values) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name, meaning ? el("small", {}, capital(meaning)) : null),
      values.map((value) => el("td.number", {}, value)),
    );
  const body = (group) =>
    el(
      "tbody",
      {},
      el("tr.group", {}, el("th", { scope: "rowgroup", colspan: all.length + 1 }, group)),
      shown
        .filter(([, figure]) => figure.group === group)
        .map(([key, { name, meaning, unit }]) =>
          row(
            name,
            meaning,
            all.map(({ figures }) => write(unit, figures[key])),
          ),
        ),
    );
  return el(
    "table.table",
    { "aria-label": "Figures by board" },
    el("thead", {}, el("tr", {}, el("td"), heads)),
    el(
      "tbody",
      {},
      row("Games", "", all.map(({ games }) => `${games}`)),
      row("Won", "", all.map(({ won }) => `${won}`)),
    ),
    groups.map(body),
  );
}

function write(unit, value) {
  if (value === null) return "–";
  if (unit === "share") return `${Math.round(100 * value)}%`;
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}

function formulasOf(known) {
  const t = ["t", "the time of the last move, in seconds"];
  const solved = ["Solved 3BV", "how much of the board's 3BV was cleared"];
  const effective = ["Effective clicks", "those that open a cell, chord something open, or flag a mine first"];
  const rows = Object.values(known)
    .filter(({ formula }) => formula)
    .map(({ name, formula }) => [name, formula]);
  return [t, solved, effective, ...rows].flatMap(([name, said]) => [el("dt", {}, name), el("dd", {}, said)]);
}

function missedRow(kind, count, most) {
  return el(
    "li",
    {},
    el("span", {}, capital(kind)),
    el("i", { style: { "--p": count / most } }),
    el("span", {}, count.toLocaleString("en")),
  );
}

/** A picture from the server, as part of the page, so that it has the page's colours. */
function picture(svg) {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return document.importNode(drawn, true);
}

onDrop(add);
await announced(main).patiently(load).catch(report);
