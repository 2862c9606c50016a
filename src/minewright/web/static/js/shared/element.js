// Elements of a page, and dialogs made of them: see shell.js, which passes them on.

export function el(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, set] of Object.entries(value)) node.style.setProperty(key, set);
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, value);
  }
  node.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}

/** Make an SVG element. */
export function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function dialog(title, ...children) {
  const close = el("button.button.quiet.icon", { type: "button", "aria-label": "Close" }, "✕");
  const sheet = el(
    "dialog.sheet",
    { "aria-label": title },
    el("div.stack", {}, el("header.cluster", {}, el("h2", {}, title), close), ...children),
  );
  close.addEventListener("click", () => sheet.close());
  sheet.addEventListener("click", ({ target }) => target.closest("[data-close]") && sheet.close());
  // A click outside the dialog closes it; a drag that ends there does not.
  let down = false;
  sheet.addEventListener("pointerdown", (event) => (down = event.target === sheet));
  sheet.addEventListener("click", (event) => {
    if (event.target !== sheet || !down) return;
    const box = sheet.getBoundingClientRect();
    const inside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!inside) sheet.close();
  });
  document.body.append(sheet);
  return sheet;
}
