// A position as text, and as the part of an address after #, so that a link holds the whole position.
//
//   writeText(layout, cells, mines)     the text that the library reads; mines: null if unknown
//   await link(text)                    "/analyse#…": plain if short, packed if long
//   await textOf(location.hash)         the text again; null if there is none or it is damaged
//
// In a link, # is written H (which is read as covered too), the end of a line / and a blank ~.

import { COVERED, MARKED, MINED, SAFE } from "../board/board.js";

const SIGNS = { [COVERED]: "#", [MARKED]: "F", [SAFE]: "-", [MINED]: "!" };
const LONG = 1500;

/** @param {{topology: string, shape: number[], rows: number[][], coordinates: number[][]}} layout */
export function writeText(layout, cells, mines) {
  const name = layout.topology === "moore" ? "" : ` ${layout.topology}`;
  const lines = [`${layout.shape.join("x")}x${mines ?? "?"}${name}`];
  let layer = null;
  for (const row of layout.rows) {
    const outer = layout.coordinates[row[0]].slice(0, -2);
    if (layer !== null && layer.length && layer.join() !== outer.join()) {
      // One blank line between layers, two between blocks of layers.
      for (let axis = outer.length - 1; axis > 0 && layer[axis - 1] !== outer[axis - 1]; axis--) lines.push("");
      lines.push("");
    }
    layer = outer;
    lines.push(row.map((cell) => sign(cells[cell])).join(""));
  }
  return lines.join("\n");
}

function sign(code) {
  return SIGNS[code] ?? (code < 10 ? `${code}` : `(${code})`);
}

export async function link(text) {
  const plain = text.replaceAll("#", "H").replaceAll("\n", "/").replaceAll(" ", "~");
  if (plain.length <= LONG || typeof CompressionStream === "undefined") return `/analyse#p=${encodeURI(plain)}`;
  const packed = await stream(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `/analyse#z=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export async function textOf(hash) {
  const [, kind, data] = /^#?([pz])=(.*)$/s.exec(hash) ?? [];
  try {
    if (kind === "p") return decodeURIComponent(data).replaceAll("/", "\n").replaceAll("~", " ");
    if (kind !== "z") return null;
    const letters = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await stream(packed, new DecompressionStream("deflate-raw"), 200_000));
  } catch {
    return null;
  }
}

/** Send bytes through a stream; if more than `most` come out, this is a zip bomb and no position. */
async function stream(bytes, through, most = Infinity) {
  const parts = [];
  let size = 0;
  for await (const part of chunks(new Blob([bytes]).stream().pipeThrough(through))) {
    size += part.length;
    if (size > most) throw new RangeError("too long");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Not every browser supports `for await` on a stream. */
async function* chunks(readable) {
  const reader = readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
