// Share a game: whoever opens its link plays the same mines.

import { dialog, el, toast } from "../shell.js";
import { address, size } from "../words.js";

export async function share(game) {
  const url = new URL(address(game), location.href).href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    const text = `Minesweeper, ${size(game)}: the same mines for you`;
    await navigator.share({ title: "Minewright", text, url }).catch(() => {});
    return;
  }
  try {
    await navigator.clipboard.writeText(url);
    toast("The link is copied: whoever opens it plays the same mines.", "note");
  } catch {
    const field = el("input", { readonly: true, value: url, "aria-label": "Link to this game" });
    const sheet = dialog(
      "Share",
      el("p", {}, "Whoever opens this link plays the same mines."),
      field,
    );
    sheet.addEventListener("close", () => sheet.remove());
    sheet.showModal();
    field.select();
  }
}
