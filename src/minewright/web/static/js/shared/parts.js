// Small parts that pages are built from.
//
//   button("Undo", act, ".quiet.small", { title: "…" })    classes and attributes may be left out. If act() returns a
//                                                          promise, clicks before it is kept do nothing
//   panel("Best move", ...children)
//   refocus(control)    give the focus back to a control that lost it while it was disabled

import { el } from "./shell.js";

export const button = (words, act, kind = "", more = {}) =>
  el(`button.button${kind}`, { type: "button", onclick: oneAtATime(act), ...more }, words);

/** A second click must not ask again for what the first is still waiting for. */
function oneAtATime(act) {
  let busy = false;
  return async (event) => {
    if (busy) return;
    busy = true;
    try {
      await act(event);
    } finally {
      busy = false;
    }
  };
}

export const panel = (label, ...children) =>
  el("section.panel", { "aria-label": label }, ...children);

/** Focus a control that was disabled for a while, unless the person has moved on meanwhile. */
export function refocus(control) {
  if (document.activeElement === document.body) control?.focus({ preventScroll: true });
}
