// Copying a text or a link, the same way on every page.

import { dialog, el, toast } from "./shell.js";

/** Copy a text and say so; where the browser forbids that, show the text to copy by hand. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said, "note");
  } catch {
    const lines = text.split("\n").length;
    const field = el("textarea", { readonly: true, rows: Math.min(lines + 3, 12), "aria-label": "Text to copy" });
    field.value = text;
    const sheet = dialog("Copy this", el("label.field", {}, field));
    sheet.addEventListener("close", () => sheet.remove());
    sheet.showModal();
    field.select();
  }
}

/** Share a link: on a phone through its own share sheet, elsewhere or if that fails by copying it. */
export async function share(url, text, said) {
  if (!navigator.share || !matchMedia("(pointer: coarse)").matches) return copy(url, said);
  // Nobody waits for the sheet: some browsers never say that it was closed.
  navigator
    .share({ title: "Minewright", text, url })
    .catch((error) => error.name === "AbortError" || copy(url, said));
}
