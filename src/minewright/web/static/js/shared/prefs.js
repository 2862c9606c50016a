// Preferences, kept in this browser: theme, contrast, motion, taps, the assistant's switches.
// Where the browser keeps nothing, as in a private window, a choice holds until the page is closed.

const LONG_PRESS = 400;
const here = new Map();

export function pref(name, otherwise = null) {
  if (here.has(name)) return here.get(name);
  try {
    return localStorage.getItem(`minewright.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Milliseconds of a long press. */
export function longPress() {
  return Number(pref("hold")) || LONG_PRESS;
}

export function setPref(name, value) {
  here.set(name, value);
  try {
    if (value === null) localStorage.removeItem(`minewright.${name}`);
    else localStorage.setItem(`minewright.${name}`, value);
  } catch {
    // The choice holds for this page.
  }
  dispatchEvent(new CustomEvent("minewright:prefs", { detail: { name, value } }));
}
