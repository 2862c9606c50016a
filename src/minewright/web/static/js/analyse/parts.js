// Small things that the parts of the analyse page are built from.

import { el, toast } from "../shell.js";

export const button = (words, act, kind = "", more = {}) =>
  el(`button.button${kind}`, { type: "button", onclick: act, ...more }, words);

export const panel = (label, ...children) =>
  el("section.panel", { "aria-label": label }, ...children);

export async function copy(words, done) {
  try {
    await navigator.clipboard.writeText(words);
    toast(done, "done");
  } catch {
    toast("The browser did not let this be copied: take it from the page or its address.");
  }
}
