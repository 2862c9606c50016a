// Files: chosen with a button or dropped anywhere on the page, and read by the server.
//
//   const files = new Files(arrived)   arrived(file): called with the answer of POST /api/analyse/file
//   files.button                       opens a file
//   files.read(file)                   reads one; shows a problem in one line
//   readHelp()                         a dialog with all supported formats

import { Problem, get, post } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { dialog, el, report, toast } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** Bytes above which a file is compressed before it is sent. */
const PACKED = 200_000;
/** Bytes that the server accepts: of a file as sent, and of one once unpacked. */
const SENT = 262_144;
const LONGEST = 4_000_000;

export class Files {
  #arrived;
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
    this.#listen();
  }

  #choose(file) {
    this.read(file).catch(report);
    this.#input.value = "";
  }

  async read(file) {
    if (!file) return;
    try {
      this.#arrived(await send(file));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error;
      const help = button("Supported formats", () => readHelp(), ".small");
      toast(`${file.name}: ${error.message}.`, "problem", help);
    }
  }

  #listen() {
    const carriesFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
    const over = (on) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      over(true);
    });
    addEventListener("dragleave", (event) => {
      // Dragging from one part of the page to another fires this too, but then there is a related target.
      if (!event.relatedTarget) over(false);
    });
    addEventListener("drop", (event) => {
      over(false);
      if (!carriesFile(event)) return;
      event.preventDefault();
      this.read(event.dataTransfer.files[0]).catch(report);
    });
  }
}

async function send(file) {
  if (file.size > LONGEST) {
    throw new Problem(`this is too large for a game file: the limit is ${LONGEST / 1e6} MB`, 422);
  }
  const packs = file.size > PACKED && typeof CompressionStream !== "undefined";
  const body = packs ? await pack(file) : file;
  if (body.size > SENT) {
    const sent = `${Math.ceil(body.size / 1024)} KB${packs ? " even when compressed" : ""}`;
    throw new Problem(`this is ${sent}, and the limit is ${SENT / 1024} KB; is it a replay?`, 422);
  }
  const path = `/api/analyse/file?name=${encodeURIComponent(file.name.slice(-300))}`;
  return post(path, body, packs ? { headers: { "Content-Encoding": "gzip" } } : {});
}

function pack(file) {
  return new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob();
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
