// Set colours, contrast and motion before the first paint. This is a plain script in the head, since
// modules run too late.

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const more = matchMedia("(prefers-contrast: more)");
  const forced = matchMedia("(forced-colors: active)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // A choice made on this page holds even where the browser keeps nothing.
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
    // Where the system forces its few colours, frames and hatching have to do.
    dataset.contrast = forced.matches
      ? "more"
      : chosen("contrast", more.matches ? "more" : "normal");
    dataset.skin = read("skin") === "classic" ? "classic" : "plain";
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
