// The bar above the game: boards, modes, the board of the day, another game.
//
//   const bar = choosing({begin, more, daily, days, again})   begin(part) begins a game like this one but for
//                                                             that part; more() asks for everything else
//   bar.node, bar.offer(meta), bar.paint(game)

import { button } from "../shared/parts.js";
import { el } from "../shared/shell.js";
import { capital, modeName } from "../shared/words.js";

const OFFERED = ["beginner", "intermediate", "expert"];

export function choosing({ begin, more, daily, days, again }) {
  let offered = [];
  const presets = el("div.segmented", { role: "group", "aria-label": "Board" });
  const modes = el("select.modes", {
    "aria-label": "Mode",
    onchange: () => begin({ mode: modes.value }),
  });
  const day = button("Daily", daily, ".quiet", {
    title: "Today's no-guess board, the same for everybody",
  });
  const past = button("▾", days, ".quiet.icon", { "aria-label": "Past days", title: "Past days" });
  const preset = ({ name, board }) =>
    el("button", { type: "button", "data-board": board, onclick: () => begin({ board }) }, capital(name));

  return {
    node: el("div.choose", {}, presets, el("div.ways", {}, modes, el("div.daily", {}, day, past)), button("New game", again, ".primary")),
    offer(meta) {
      offered = meta.modes;
      presets.append(
        ...meta.presets.filter(({ name }) => OFFERED.includes(name)).map(preset),
        el("button", { type: "button", onclick: more }, "More…"),
      );
      modes.append(...meta.modes.flatMap(options));
    },
    paint(game) {
      for (const one of presets.children) {
        const shown = game.day === null && one.dataset.board === game.board;
        one.setAttribute("aria-pressed", String(shown));
      }
      day.setAttribute("aria-pressed", String(game.day !== null));
      modes.value = game.day === null ? game.mode : "no-guess";
      modes.title = capital(offered.find(({ name }) => game.mode.split(":")[0] === name)?.summary ?? "");
    },
  };
}

/** A mode and its difficulties, to choose from. */
function options({ name, levels }) {
  const names = [name, ...levels.map((level) => `${name}:${level.name}`)];
  return names.map((each) => el("option", { value: each }, modeName(each)));
}
