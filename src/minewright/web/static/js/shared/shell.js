// What every page has: header, navigation, settings, help, messages.
//
// A page is <main id="main"></main> (written by web/server/pages.py) and one module, static/js/PAGE/page.js:
//
//   import { shell, el, toast, report } from "../shared/shell.js";
//   const main = shell({ page: "/watch", keys: [["P", "play or pause"]] });
//   main.append(el("button.button.primary", { type: "button", onclick: go }, "Watch"));
//
//   shell({page, keys, moves})   build the header and the dialogs; returns <main>; moves: false leaves
//                           playing a game out of the help
//   el("tag.class.class", {attributes, onevent: handler, style: {"--p": 0.5}}, ...children)
//   toast("text", kind?, button?)   a message that goes away; kind "problem" (the default) is read out
//                           at once; with a button it stays longer
//   report(error)           show a Problem of api.js or any other error as a toast; ignores an AbortError
//   dialog("Title", ...children)   a modal dialog with a close button: show it with .showModal()
//   typing(event)           whether a key goes into a field, and so is no shortcut
//   seconds(12.345) -> "12.35", clock(75) -> "1:15"

import { dialog, el } from "./element.js";
import { helpDialog } from "./help.js";
import { navigation } from "./navigation.js";
import { pref, setPref } from "./prefs.js";
import { capital } from "./words.js";

export { dialog, el } from "./element.js";

export function shell({ page, keys = [], moves = true }) {
  const main = document.querySelector("main");
  main.tabIndex = -1;
  const settings = settingsDialog();
  const help = helpDialog(keys, moves);
  const header = el(
    "header.header",
    {},
    el(
      "a.brand",
      { href: "/" },
      el("img", { src: "/static/img/icon.svg", alt: "", width: 28, height: 28 }),
      el("span", {}, "Minewright"),
    ),
    navigation(page),
    el(
      "button.button.quiet.icon",
      {
        type: "button",
        "aria-label": "Help",
        title: "Help (?)",
        onclick: () => help.showModal(),
      },
      "?",
    ),
    el(
      "button.button.quiet.icon",
      {
        type: "button",
        "aria-label": "Settings",
        title: "Settings",
        onclick: () => settings.showModal(),
      },
      "☼",
    ),
  );
  // The address stays as it is: on some pages it holds what is shown.
  const skip = (event) => {
    event.preventDefault();
    main.focus();
  };
  document.body.prepend(el("a.skip", { href: "#main", onclick: skip }, "Skip to content"), header);
  document.body.append(toasts());
  // Without it the page works all the same, but does not open without a server.
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
  addEventListener("keydown", (event) => {
    if (event.key === "?" && !typing(event) && !document.querySelector("dialog:modal"))
      help.showModal();
  });
  return main;
}

function choice(name, label, options, usual = options[0][0]) {
  const inputs = options.map(([value]) =>
    el("input", { type: "radio", name, value, onchange: () => setPref(name, value) }),
  );
  const show = () => {
    const now = pref(name, usual);
    for (const input of inputs) input.checked = input.value === now;
  };
  show();
  // Some choices can be made elsewhere too, as in the bar at the thumb.
  addEventListener("minewright:prefs", ({ detail }) => detail.name === name && show());
  return el(
    "fieldset",
    {},
    el("legend", {}, label),
    el(
      "div.segmented",
      {},
      options.map(([, text], at) => el("label", {}, inputs[at], text)),
    ),
  );
}

function settingsDialog() {
  return dialog(
    "Settings",
    choice("theme", "Colours", [
      ["auto", "Use system setting"],
      ["light", "Light"],
      ["dark", "Dark"],
    ]),
    choice("contrast", "Contrast", [
      ["auto", "Use system setting"],
      ["normal", "Normal"],
      ["more", "High"],
    ]),
    choice("motion", "Motion", [
      ["auto", "Use system setting"],
      ["full", "Full"],
      ["less", "Reduced"],
    ]),
    choice("taps", "On a touch screen, a tap", [
      ["open", "Opens a cell"],
      ["mark", "Flags a cell"],
    ]),
    choice(
      "hold",
      "Length of a long press, which does the opposite",
      [
        ["250", "0.25 s"],
        ["400", "0.4 s"],
        ["600", "0.6 s"],
      ],
      "400",
    ),
    choice("rulers", "Row and column numbers beside the board", [
      ["off", "Hide"],
      ["on", "Show"],
    ]),
    choice("pace", "3BV and 3BV/s during a game", [
      ["off", "Hide"],
      ["on", "Show"],
    ]),
    choice("skin", "Cells", [
      ["plain", "Minewright"],
      ["classic", "Classic"],
    ]),
    choice("sound", "Sound", [
      ["off", "Off"],
      ["on", "On"],
    ]),
    el("p.note", {}, "Settings are kept in this browser."),
  );
}

function toasts() {
  return (
    document.querySelector(".toasts") ??
    el("div.toasts", {}, el("div", { role: "alert" }), el("div", { role: "status" }))
  );
}

/** Put messages where they can be seen: whatever is outside a modal dialog is behind it. */
function raise(home) {
  const sheet = document.querySelector("dialog:modal");
  const above = sheet ?? document.body;
  if (home.parentNode === above) return;
  above.append(home);
  sheet?.addEventListener("close", () => document.body.append(home), { once: true });
}

export function toast(text, kind = "problem", action = null) {
  const home = toasts();
  raise(home);
  const place = home.querySelector(kind === "problem" ? "[role=alert]" : "[role=status]");
  const note = el("div.toast", { onclick: () => note.remove() }, text, action);
  place.replaceChildren(note);
  setTimeout(() => note.remove(), (action ? 8000 : 3000) + 50 * text.length);
}

export function report(error) {
  if (error?.name === "AbortError") return;
  const text = error?.message ?? String(error);
  toast(capital(text));
  if (error?.name !== "Problem") console.error(error);
}

/** Whether a key goes into a field rather than to the page. */
export function typing({ target }) {
  return (
    target.closest?.("input:not([type=checkbox], [type=radio], [type=range]), textarea, select") !==
    null
  );
}

export function seconds(time) {
  return time < 1000 ? time.toFixed(2) : time.toFixed(0);
}

export function clock(time) {
  const whole = Math.floor(time);
  const two = (number) => String(number).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
