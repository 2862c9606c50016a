// Files that people give to a page.
//
//   onDrop((files) => …)               files dropped anywhere on the page
//   await sendFile("/api/…", file)     POST a file, packed if it is large; throws a Problem that can be shown

import { Problem, post } from "./api.js";

/** Bytes above which a file is compressed before it is sent. */
const PACKED = 200_000;
/** Bytes that the server accepts: of a file as sent, and of one once unpacked. */
const SENT = 262_144;
const LONGEST = 4_000_000;

export function onDrop(arrived) {
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
    arrived([...event.dataTransfer.files]);
  });
}

export async function sendFile(path, file, more = {}) {
  if (file.size > LONGEST) {
    throw new Problem(`this is too large for a game file: the limit is ${LONGEST / 1e6} MB`, 422);
  }
  const packs = file.size > PACKED && typeof CompressionStream !== "undefined";
  const body = packs ? await pack(file) : file;
  if (body.size > SENT) {
    const sent = `${Math.ceil(body.size / 1024)} KB${packs ? " even when compressed" : ""}`;
    throw new Problem(`this is ${sent}, and the limit is ${SENT / 1024} KB; is it a replay?`, 422);
  }
  const asked = new URLSearchParams({ name: file.name.slice(-300), ...more });
  return post(`${path}?${asked}`, body, packs ? { headers: { "Content-Encoding": "gzip" } } : {});
}

function pack(file) {
  return new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}
