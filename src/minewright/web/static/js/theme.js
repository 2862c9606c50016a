// Set the colours before the first paint. A plain script in the head: modules come too late for that.

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const more = matchMedia("(prefers-contrast: more)");
  const read = (name) => {
    try {
      return localStorage.getItem(`minewright.${name}`) ?? "auto";
    } catch {
      return "auto";
    }
  };
  const apply = () => {
    const theme = read("theme");
    const contrast = read("contrast");
    const root = document.documentElement;
    root.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    root.dataset.contrast = contrast === "auto" ? (more.matches ? "more" : "normal") : contrast;
  };
  apply();
  dark.addEventListener("change", apply);
  more.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("minewright:prefs", apply);
})();
