// Ask before what cannot be taken back.

import { dialog, el } from "../shared/shell.js";

/** Make a dialog that asks, to be shown with .showModal(); act() is done on `yes`. */
export function sure(title, words, yes, act, kind = "primary") {
  return dialog(
    title,
    el("p", {}, words),
    el(
      "form.cluster",
      { method: "dialog", onsubmit: ({ submitter }) => submitter?.value === "yes" && act() },
      el(`button.button.${kind}`, { value: "yes" }, yes),
      el("button.button", { value: "no", autofocus: true }, "Play on"),
    ),
  );
}
