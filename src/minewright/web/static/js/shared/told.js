// A sentence of the assistant; a long what-if is cut into steps, one per line, with the same words.

import { el } from "./shell.js";

/** Sentences with more words than this are cut. */
const LONG = 30;

/** @returns {HTMLElement} a paragraph */
export function told(sentence) {
  const parts = sentence.split(/(?<=[.;]) /);
  if (parts.length < 3 || sentence.split(" ").length <= LONG) return el("p", {}, sentence);
  return el("p.chain", {}, parts.map((part, at) => el("span", {}, at ? ` ${part}` : part)));
}
