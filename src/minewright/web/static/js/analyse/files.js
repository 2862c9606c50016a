// Files: chosen with a button or dropped anywhere on the page, and read by the server.
//
//   const files = new Files(arrived)   arrived(file): called with the answer of POST /api/analyse/file
//   files.button                       opens a file
//   files.read(file)                   reads one; shows a problem in one line
//   readHelp()                         a dialog with all supported formats

import { Problem, get } from "../shared/api.js";
import { onDrop, sendFile } from "../shared/files.js";
import { button } from "../shared/parts.js";
import { dialog, el, report, toast } from "../shared/shell.js";
import { capital } from "../shared/words.js";

export class Files {
  #arrived;
  #round = 0;
  #input = el("input", {
    type: "file",
    hidden: true,
    "aria-label": "File with a position or a replay",
    onchange: () => this.#choose(this.#input.files[0]),
  });

  constructor(arrived) {
    this.#arrived = arrived;
    this.button = el(
      "span",
      {},
      button("Open a file", () => this.#input.click(), ".small"),
      this.#input,
    );
    onDrop(([file]) => this.read(file).catch(report));
  }

  #choose(file) {
    this.read(file).catch(report);
    this.#input.value = "";
  }

  async read(file) {
    if (!file) return;
    const round = ++this.#round;
    try {
      const found = await sendFile("/api/analyse/file", file);
      // Another file was opened since then.
      if (round === this.#round) this.#arrived(found);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error;
      const help = button("Supported formats", () => readHelp(), ".small");
      toast(`${file.name}: ${error.message}.`, "problem", help);
    }
  }
}

let help = null;

export async function readHelp() {
  help ??= helpDialog(await get("/api/analyse/formats"));
  help.showModal();
}

function helpDialog(formats) {
  const signs = [
    ["0 … 9, .", "open; . means 0, (12) a number above 9"],
    ["#, H, ?", "covered; also h, ■, ⬛, 🟦, 🟩, ⬜"],
    ["F, *", "flagged; also f, 🚩, ⚑"],
    ["-, !", "known to be safe, known to be a mine (also 💣)"],
  ];
  const keys = (all) => all.split(", ").flatMap((key, nth) => [nth ? " " : null, el("kbd", {}, key)]);
  const rows = formats.map(({ name, extensions, holds, origin }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, extensions.join(" ") || name),
      el("td", {}, capital(holds), el("small", {}, origin)),
    ),
  );
  return dialog(
    "Supported formats",
    el(
      "p",
      {},
      "One line per row. A first line such as ",
      el("code", {}, "30x16x99"),
      " or ",
      el("code", {}, "10x9x? hex"),
      " gives the size, the mines (? if unknown) and the topology. Without it, the mine count is unknown.",
    ),
    el("dl.keys", {}, signs.flatMap(([all, what]) => [el("dt", {}, keys(all)), el("dd", {}, what)])),
    el(
      "p",
      {},
      "Blanks, tabs, commas and bars between cells are ignored, and so are frames around them. ",
      "Open these files with the button, or drop them on the page; their names don't matter:",
    ),
    el("table.table.formats", {}, el("tbody", {}, rows)),
  );
}
