// Set colours, contrast and motion before the first paint. A plain script in the head: modules come
// too late for that.

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const more = matchMedia("(prefers-contrast: more)");
  const forced = matchMedia("(forced-colors: active)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // What was chosen on this page holds here, even where the browser keeps nothing.
  let here = {};
  const read = (name) => {
    if (name in here) return here[name] ?? "auto";
    try {
      return localStorage.getItem(`minewright.${name}`) ?? "auto";
    } catch {
      return "auto";
    }
  };
  const chosen = (name, system) => {
    const choice = read(name);
    return choice === "auto" ? system : choice;
  };
  const apply = () => {
    const { dataset } = document.documentElement;
    dataset.theme = chosen("theme", dark.matches ? "dark" : "light");
    // Where the system has few colours of its own, frames and hatching must do.
    dataset.contrast = forced.matches
      ? "more"
      : chosen("contrast", more.matches ? "more" : "normal");
    dataset.motion = chosen("motion", still.matches ? "less" : "full");
  };
  apply();
  for (const query of [dark, more, forced, still]) query.addEventListener("change", apply);
  addEventListener("storage", () => {
    here = {};
    apply();
  });
  addEventListener("minewright:prefs", ({ detail }) => {
    here[detail.name] = detail.value;
    apply();
  });
})();
