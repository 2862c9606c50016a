// Files: chosen with a button or dropped anywhere on the page, sent as they are, read by the server.
//
//   const files = new Files(arrived)   arrived(file): the answer of POST /api/analyse/file
//   files.button                       opens one
//   files.read(file)                   reads one; a problem is told in one line
//   readHelp()                         a dialog on all that is read

import { Problem, get, post } from "../shared/api.js";
import { button } from "../shared/parts.js";
import { dialog, el, report, toast } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** More is packed before it is sent. */
const PACKED = 200_000;
/** What the server takes: of a file as it is sent, and of one once it is unpacked. */
const SENT = 262_144;
const LONGEST = 4_000_000;

export class Files {
  #arrived;
  #input = el("input", {
    type: "file",
    hidden: true,
    "aria-label": "A file with a position or a replay",
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
      const help = button("What is read?", () => readHelp(), ".small");
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
      // It leaves one part of the page for another all the time; out of the window there is none.
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
    throw new Problem(`it is too long for a game: at most ${LONGEST / 1e6} MB are read`, 422);
  }
  const packs = file.size > PACKED && typeof CompressionStream !== "undefined";
  const body = packs ? await pack(file) : file;
  if (body.size > SENT) {
    const sent = `${Math.ceil(body.size / 1024)} KB${packs ? ", even packed" : ""}`;
    throw new Problem(`it has ${sent}, and at most ${SENT / 1024} KB are sent; is it a replay?`, 422);
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
    ["0 … 9, .", "open; . is 0, (12) a larger number"],
    ["#, H, ?", "covered; also h, ■, ⬛, 🟦, 🟩"],
    ["F, *", "marked; also f, 🚩, ⚑"],
    ["-, !", "known to be safe, known to be mined (also 💣)"],
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
    "What is read",
    el(
      "p",
      {},
      "One line a row. A first line such as ",
      el("code", {}, "30x16x99"),
      " or ",
      el("code", {}, "10x9x? hex"),
      " says size, mines (? if not known) and topology; without it the mines are not known.",
    ),
    el("dl.keys", {}, signs.flatMap(([all, what]) => [el("dt", {}, keys(all)), el("dd", {}, what)])),
    el(
      "p",
      {},
      "Blanks, tabs, commas or bars between cells, and frames around them, are passed over. ",
      "Files, whatever they are called, by button or dropped on the page:",
    ),
    el("table.table.formats", {}, el("tbody", {}, rows)),
  );
}
