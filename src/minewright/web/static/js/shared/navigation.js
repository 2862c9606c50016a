// The pages in the header: those that people come for first, the others behind "More".

import { el } from "./element.js";

const FIRST = [
  ["/", "Play"],
  ["/bullets", "Puzzles"],
  ["/analyse", "Analyse"],
  ["/watch", "Watch"],
];
/** Path, name in the menu, and where that is too long for the header of a phone, the name there. */
const MORE = [
  ["/#how-to-play", "How to play"],
  ["/drills", "Drills"],
  ["/review", "Review a game", "Review"],
  ["/profile", "Your profile", "Profile"],
  ["/lab", "Lab"],
  ["/api", "API"],
];

/** Build the navigation; `page` is the path of the current page. */
export function navigation(page) {
  const link = ([path, name]) => el("a", { href: path }, name);
  const first = FIRST.map(link);
  first.find((one) => one.pathname === page)?.setAttribute("aria-current", "page");
  const here = MORE.find(([path]) => path === page);
  const menu = el(
    "details.more",
    {},
    el("summary", { "aria-current": here ? "page" : null }, here ? (here[2] ?? here[1]) : "More"),
    el("div.menu", {}, MORE.map(link)),
  );
  // A menu closes like one: by a click elsewhere, by Escape, by going on with Tab.
  const close = () => (menu.open = false);
  addEventListener("pointerdown", ({ target }) => menu.contains(target) || close());
  menu.addEventListener("click", ({ target }) => target.closest("a") && close());
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
    menu.querySelector("summary").focus();
  });
  return el("nav.nav", { "aria-label": "Pages" }, first, menu);
}
