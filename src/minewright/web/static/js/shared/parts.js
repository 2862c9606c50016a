// Small parts that pages are built from.
//
//   button("Undo", act, ".quiet.small", { title: "…" })    classes and attributes may be left out
//   panel("Best move", ...children)

import { el } from "./shell.js";

export const button = (words, act, kind = "", more = {}) =>
  el(`button.button${kind}`, { type: "button", onclick: act, ...more }, words);

export const panel = (label, ...children) =>
  el("section.panel", { "aria-label": label }, ...children);
