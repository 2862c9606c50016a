// Copy a text or a link, in one way on every page.

import { dialog, el, toast } from "./shell.js";

/** Copy, and say what was copied; where the browser does not allow it, show it to be copied by hand. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said, "note");
  } catch {
    const lines = text.split("\n").length;
    const field = el("textarea", { readonly: true, rows: Math.min(lines + 3, 12), "aria-label": "To copy" });
    field.value = text;
    const sheet = dialog("Copy this", el("label.field", {}, field));
    sheet.addEventListener("close", () => sheet.remove());
    sheet.showModal();
    field.select();
  }
}

/** Hand a link to another program on a phone, which knows how; copy it elsewhere. */
export async function share(url, text, said) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ title: "Minewright", text, url }).catch(() => {});
  } else await copy(url, said);
}
