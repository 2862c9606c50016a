// A question before something that cannot be undone.

import { dialog, el } from "../shared/shell.js";

/** Make a dialog that asks; show it with .showModal(). act() is called on `yes`. */
export function sure(title, words, yes, act, kind = "primary") {
  return dialog(
    title,
    el("p", {}, words),
    el(
      "form.cluster",
      { method: "dialog", onsubmit: ({ submitter }) => submitter?.value === "yes" && act() },
      el(`button.button.${kind}`, { value: "yes" }, yes),
      el("button.button", { value: "no", autofocus: true }, "Keep playing"),
    ),
  );
}
