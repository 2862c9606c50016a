// 3BV while the game runs, from the open cells alone: what the covered ones hold must not show in it.
//
//   const pace = livePace()        pace.node: a line that is shown if the settings ask for it
//   pace.paint(game, layout)       after every move;   pace.tick(seconds)

import { MINED } from "../board/board.js";
import { pref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";
import { over } from "../shared/words.js";

/** Clicks that what is open is worth: one per patch of open 0s, one per open number beside none of them. */
export function openValue(cells, { steps, of }) {
  const reached = new Uint8Array(cells.length);
  let value = 0;
  for (let start = 0; start < cells.length; start++) {
    if (cells[start] !== 0 || reached[start]) continue;
    value++;
    reached[start] = 1;
    const patch = [start];
    while (patch.length) {
      const cell = patch.pop();
      for (const step of steps[of[cell]]) {
        const near = cell + step;
        if (!reached[near] && cells[near] === 0) patch.push(near);
        reached[near] = 1;
      }
    }
  }
  cells.forEach((code, cell) => {
    if (code > 0 && code < MINED && !reached[cell]) value++;
  });
  return value;
}

export function livePace() {
  const node = el("small.pace", { title: "3BV of the open cells, and how much of it per second" });
  let shown = null;
  let value = 0;
  let time = 0;
  const wanted = () => pref("pace", "off") === "on";
  const say = () => {
    // Below a second this would measure the server, not the player.
    const speed = time >= 1 ? (value / time).toFixed(2) : "–";
    node.textContent = `3BV ${value} · ${speed}/s`;
  };
  const paint = () => {
    node.hidden = !wanted() || !shown || over(shown.game);
    if (node.hidden) return;
    value = openValue(shown.game.cells, shown.layout.touching);
    say();
  };
  addEventListener("minewright:prefs", ({ detail }) => detail.name === "pace" && paint());
  return {
    node,
    paint(game, layout) {
      shown = { game, layout };
      paint();
    },
    tick(seconds) {
      time = seconds;
      if (!node.hidden && shown) say();
    },
  };
}
