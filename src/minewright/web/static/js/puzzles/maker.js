// The form for a new puzzle: size, bullets, difficulty, taste. The last choices are kept.

import { post } from "../shared/api.js";
import { button, refocus } from "../shared/parts.js";
import { pref, setPref } from "../shared/prefs.js";
import { el, report } from "../shared/shell.js";

const BOARDS = {
  moore: "Square: eight neighbours",
  neumann: "Square: four neighbours",
  hex: "Hexagons",
  torus: "Torus: opposite edges meet",
  knight: "Knight's moves",
};
const TASTES = [
  ["Original", { single: 0, several: 1.5, total: 1.5 }],
  ["Gentle", { single: 2, several: -1, total: 0 }],
  ["Tricky", { single: -2, several: 3, total: 1 }],
  ["Counting", { single: 0, several: 1, total: 5 }],
];
const DIFFICULTIES =
  "Easy: one clue at a time. Medium: two clues at once. Hard: three or more.";
const WISH = {
  size: 7, bullets: 15, difficulty: null, symmetry: "none", topology: "moore", iterations: 500, total: true,
  taste: TASTES[0][1],
};

/** Return the form; show(puzzle) is called with the puzzle that the server made. */
export function maker(show) {
  const wish = lastWish();
  const size = slider("Size", 3, 12, 1, wish.size, (value) => `${value} × ${value}`);
  const bullets = slider("Bullets", 1, 100, 1, wish.bullets, (value) => `${value}`);
  const single = slider("Steps with one clue", -3, 3, 0.5, wish.taste.single, liking);
  const several = slider("Steps with several clues", -3, 3, 0.5, wish.taste.several, liking);
  const total = slider("Bullets that need the total", 0, 6, 0.5, wish.taste.total, (value) =>
    value ? `about ${value}` : "none",
  );
  const effort = slider("Effort", 0, 2000, 100, wish.iterations, (value) => `${value} tries`);
  const difficulty = choice("Difficulty", "difficulty", [["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]], wish.difficulty ?? "");
  const needs = el("p.note", {}, DIFFICULTIES);
  const alone = el("input", { type: "checkbox", role: "switch", checked: !wish.total });
  const symmetry = choice("Clue pattern", "symmetry", [["none", "Any"], ["rotation", "Rotated"], ["mirror", "Mirrored"]], wish.symmetry);
  const board = el("select", { "aria-label": "Board" }, Object.entries(BOARDS).map(([name, text]) =>
    el("option", { value: name, selected: name === wish.topology }, text),
  ));
  const seed = el("input", { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, placeholder: "any", "aria-label": "Seed" });
  const tastes = el("div.cluster.tastes", { role: "group", "aria-label": "Tastes" }, TASTES.map(([name, taste]) =>
    button(name, () => {
      single.set(taste.single);
      several.set(taste.several);
      total.set(taste.total);
    }, ".small"),
  ));
  // Rows of hexagons are shifted, so they do not map onto each other when rotated or mirrored.
  const fitPattern = () => symmetry.offer(board.value === "hex" ? ["none"] : ["none", "rotation", "mirror"]);
  board.addEventListener("change", fitPattern);
  fitPattern();
  const makeButton = el("button.button.primary", { type: "submit" }, "Make a puzzle");

  // Three cells in ten by default, and never more bullets than are sensible.
  const bound = () => {
    const cells = size.value() ** 2;
    bullets.range(1, Math.floor(0.6 * cells));
  };
  size.input.addEventListener("input", () => {
    bound();
    bullets.set(Math.round(0.3 * size.value() ** 2));
  });
  bound();
  bullets.set(wish.bullets);

  const make = async (event) => {
    event.preventDefault();
    const asked = {
      size: size.value(), bullets: bullets.value(), topology: board.value, iterations: effort.value(),
      difficulty: difficulty.value() || null, symmetry: symmetry.value(),
      total: !alone.checked,
      taste: { single: single.value(), several: several.value(), total: total.value() },
    };
    setPref("bullets.wish", JSON.stringify(asked));
    if (seed.value) asked.seed = Number(seed.value);
    const { activeElement: focused } = document;
    makeButton.disabled = true;
    makeButton.textContent = "Making…";
    try {
      await show(await post("/api/bullets", asked));
    } catch (error) {
      report(error);
    } finally {
      makeButton.disabled = false;
      makeButton.textContent = "Make a puzzle";
      refocus(focused);
    }
  };
  return el(
    "form.panel.maker",
    { onsubmit: make },
    el("h2", {}, "Make a puzzle"),
    size.node,
    bullets.node,
    difficulty.node,
    needs,
    el(
      "label.switch",
      {},
      el("span", {}, "Clues alone are enough", el("small", {}, "you need not count the bullets")),
      alone,
    ),
    el(
      "details",
      {},
      el("summary", {}, "Taste"),
      el("div.stack", {}, el("p.note", {}, "What the search prefers. Original is the taste of Neller and Tran, who invented the puzzle."),
        tastes, single.node, several.node, total.node),
    ),
    el(
      "details",
      {},
      el("summary", {}, "Board, pattern, effort, seed"),
      el("div.stack", {}, el("label.field", {}, el("span", {}, "Board"), board), symmetry.node, effort.node,
        el("label.field", {}, el("span", {}, "Seed"), seed)),
    ),
    makeButton,
  );
}

/** The last choices; what cannot be read falls back to the defaults. */
function lastWish() {
  let kept = null;
  try {
    kept = JSON.parse(pref("bullets.wish", "null"));
  } catch {
    // Use the defaults.
  }
  return { ...WISH, ...kept, taste: { ...WISH.taste, ...kept?.taste } };
}

function liking(value) {
  return value === 0 ? "neutral" : value > 0 ? `more (${value})` : `fewer (${-value})`;
}

/** A slider with its value in words. */
function slider(name, least, most, by, value, words) {
  const output = el("output");
  // Without this the label would name the output, the first thing in it.
  const named = { "aria-label": name };
  const input = el("input", { type: "range", min: least, max: most, step: by, value, ...named });
  const show = () => {
    output.textContent = words(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", show);
  show();
  return {
    input,
    node: el("label.field.slider", {}, el("span", {}, name, output), input),
    value: () => input.valueAsNumber,
    set: (to) => {
      input.value = to;
      show();
    },
    range: (from, to) => {
      input.min = from;
      input.max = to;
      show();
    },
  };
}

function choice(name, field, options, value) {
  const node = el("fieldset", {}, el("legend", {}, name), el("div.segmented", {}, options.map(([option, text]) =>
    el("label", {}, el("input", { type: "radio", name: field, value: option, checked: option === value }), text),
  )));
  const inputs = [...node.querySelectorAll("input")];
  const settle = () => {
    if (!inputs.some(({ checked, disabled }) => checked && !disabled)) inputs[0].checked = true;
  };
  settle();
  return {
    node,
    value: () => inputs.find(({ checked }) => checked).value,
    /** Offer some of the options; the first is always among them. */
    offer: (some) => {
      for (const input of inputs) input.disabled = !some.includes(input.value);
      settle();
    },
  };
}
