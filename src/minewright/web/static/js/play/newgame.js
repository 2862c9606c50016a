// The dialog for a new game: a preset or any other board, mode, topology, start rule, seed.

import { dialog, el } from "../shared/shell.js";
import { NO_SEED, SEED, STARTS, capital, counted, modeName, readSeed, size, topologyName } from "../shared/words.js";
import { undoWanted, wantUndo } from "./wish.js";

/** The box to begin with. */
const BOX = "5x5x4x9";

/** Make the dialog. `begin(asked)` starts a game; open(game) shows the dialog with that game's settings. */
export function newGameDialog(meta, begin) {
  const card = (name, value, title, summary) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name, value, required: true }),
      title,
      el("small", {}, summary),
    );
  const number = (label, least, most) => {
    const input = el("input", {
      type: "number",
      min: least,
      max: most,
      required: true,
      inputmode: "numeric",
    });
    return [input, el("label.field", {}, el("span", {}, label), input)];
  };
  const limit = meta.limits.max_cells;
  const [width, widthField] = number("Width", 1, limit);
  const [height, heightField] = number("Height", 1, limit);
  const [layers, layersField] = number("Layers", 1, limit);
  const [mines, minesField] = number("Mines", 0, limit);
  const density = el("p.note", { role: "status" }, " ");
  const seed = el("input", {
    inputmode: "numeric",
    pattern: SEED,
    placeholder: "any",
    title: NO_SEED,
    autocomplete: "off",
  });
  const mayUndo = el("input", { type: "checkbox", role: "switch" });
  const level = el("select", { "aria-label": "Difficulty" });
  const levelField = el("label.field", {}, el("span", {}, "Difficulty"), level);
  const problem = el("p.problem", { role: "alert" });
  const form = el(
    "form.stack",
    {},
    el(
      "fieldset",
      {},
      el("legend", {}, "Board"),
      el(
        "div.cards.small",
        {},
        meta.presets.map((preset) =>
          card("preset", preset.board, capital(preset.name), size(preset)),
        ),
        card("preset", "custom", "Custom", "any size"),
      ),
    ),
    el(
      "div.stack",
      {},
      el("div.numbers", {}, widthField, heightField, layersField, minesField),
      density,
    ),
    meta.modes.length > 1
      ? el(
          "fieldset",
          {},
          el("legend", {}, "Mode"),
          el(
            "div.cards",
            {},
            meta.modes.map(({ name, summary }) => card("mode", name, modeName(name), summary)),
          ),
          levelField,
        )
      : null,
    el(
      "fieldset",
      {},
      el("legend", {}, "Which cells touch"),
      el(
        "div.cards",
        {},
        meta.topologies.map(({ name, summary }) =>
          card("topology", name, topologyName(name), summary),
        ),
      ),
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "Start rule"),
      el(
        "div.cards",
        {},
        meta.starts.map(({ name, summary }) =>
          card("start", name, STARTS[name] ?? capital(name), summary),
        ),
      ),
    ),
    el("label.field", {}, el("span", {}, "Seed (the same seed gives the same mines)"), seed),
    el(
      "label.switch",
      {},
      el(
        "span",
        {},
        "Allow undo",
        el("small", {}, "using it makes the game unranked"),
      ),
      mayUndo,
    ),
    problem,
    el("button.button.primary", { type: "submit" }, "Start"),
  );
  const node = dialog("New game", form);
  const { elements } = form;

  const sides = () => {
    const deep = !layersField.hidden && Number(layers.value) > 1;
    return [width.value, height.value, ...(deep ? [layers.value] : [])];
  };
  const mode = () => meta.modes.find(({ name }) => name === elements.mode?.value) ?? meta.modes[0];
  /** Offer the difficulties of the chosen mode. */
  const offer = (chosen = "") => {
    const levels = mode().levels ?? [];
    const say = ({ name, summary }) => el("option", { value: name }, `${capital(name)}: ${summary}`);
    level.replaceChildren(el("option", { value: "" }, "Any"), ...levels.map(say));
    level.value = chosen;
    levelField.hidden = levels.length === 0;
  };
  const text = () => [...sides(), mines.value].join("x");
  const read = (wish) => {
    const parts = wish.split("x");
    mines.value = parts.pop();
    [width.value, height.value] = parts;
    layers.value = parts[2] ?? 1;
  };
  const check = () => {
    const kind = meta.topologies.find(({ name }) => name === elements.topology.value);
    layersField.hidden = (kind?.sides?.[1] ?? 2) < 3;
    const known = meta.presets.find((preset) => preset.board === text());
    elements.preset.value = known ? known.board : "custom";
    const cells = sides().reduce((product, side) => product * Number(side), 1);
    // The first click is never a mine, unless the start rule lets it be one.
    mines.max = cells - (elements.start.value === "any" ? 0 : 1);
    const share = (100 * Number(mines.value)) / cells;
    if (!Number.isFinite(share)) density.textContent = " ";
    else if (Number(mines.value) > Number(mines.max))
      density.textContent = `${counted(cells, "cell")} can hold at most ${counted(Number(mines.max), "mine")}.`;
    else if (cells > limit) density.textContent = `${counted(cells, "cell")}: too many. The limit is ${limit.toLocaleString("en")}.`;
    else density.textContent = `${counted(cells, "cell")}, ${share.toFixed(1)}% mines${feel(share)}`;
    problem.textContent = "";
  };
  form.addEventListener("input", ({ target }) => {
    // A box with one layer would be a plain board.
    if (target.name === "topology" && target.value === "box" && Number(layers.value) < 2) read(BOX);
    if (target.name === "preset") {
      if (target.value === "custom") width.select();
      else read(target.value);
      if (target.value === "custom") return;
    }
    if (target.name === "mode") offer();
    check();
  });
  let starting = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = readSeed(seed.value);
    if (seed.value && chosen === null) {
      problem.textContent = `${NO_SEED}.`;
      return;
    }
    const asked = {
      mode: [mode().name, level.value].filter(Boolean).join(":"),
      board: text(),
      topology: elements.topology.value,
      start: elements.start.value,
      undo: mayUndo.checked,
      seed: chosen,
    };
    if (starting) return;
    starting = true;
    try {
      await begin(asked);
      wantUndo(asked.undo);
      node.close();
    } catch (error) {
      problem.textContent = capital(error.message);
    } finally {
      starting = false;
    }
  });

  const open = (game) => {
    read(game.board);
    const [name, itsLevel] = game.mode.split(":");
    if (elements.mode) elements.mode.value = name;
    offer(itsLevel);
    elements.topology.value = game.topology;
    elements.start.value = game.start;
    mayUndo.checked = undoWanted();
    seed.value = "";
    seed.placeholder = game.seed === null ? "any" : `any (this game's was ${game.seed})`;
    check();
    node.showModal();
  };
  return { open };
}

function feel(share) {
  if (share < 10) return ": very easy";
  if (share < 14) return ": easy";
  if (share < 18) return ": medium";
  if (share < 22) return ": hard";
  return share < 26 ? ": very hard" : ": almost never won";
}
