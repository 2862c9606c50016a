// The plot of a run: shares of games won as dots, with their intervals, on one scale.

import { el } from "../shared/shell.js";

/** Return where the scale begins and ends, and its ticks: round numbers around all intervals. */
export function scale(shares) {
  const low = Math.min(...shares.map((share) => share.low));
  const high = Math.max(...shares.map((share) => share.high));
  const span = Math.max(high - low, 0.001);
  const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];
  const step = steps.find((one) => span / one <= 5) ?? 0.25;
  const from = Math.max(0, Math.floor(low / step + 1e-9) * step);
  const to = Math.min(1, Math.ceil(high / step - 1e-9) * step);
  const ticks = [];
  for (let at = 0; from + at * step <= to + 1e-9; at++) ticks.push(from + at * step);
  return { from, to, ticks, digits: step < 0.01 ? 1 : 0 };
}

/**
 * @param {{player: string, board: string, won: number, low: number, high: number}[]} shares
 * @param {Object<string, string>} titles what people call each player
 */
export function dots(shares, titles) {
  const { from, to, ticks, digits } = scale(shares);
  const place = (share) => (share - from) / (to - from);
  const manyBoards = new Set(shares.map(({ board }) => board)).size > 1;
  const lines = () => ticks.map((tick) => el("i.line", { style: { "--at": place(tick) } }));
  const rows = shares.map(({ player, board, won, low, high }) => {
    const interval = `${(100 * low).toFixed(2)}% to ${(100 * high).toFixed(2)}%`;
    return el(
      "li",
      { title: `95% interval ${interval}` },
      el("span.who", {}, titles[player] ?? player, manyBoards ? el("small", {}, board) : null),
      el(
        "span.track",
        { "aria-hidden": "true" },
        lines(),
        el("i.interval", { style: { "--low": place(low), "--high": place(high) } }),
        el("i.dot", { style: { "--at": place(won) } }),
      ),
      el(
        "span.value",
        {},
        `${(100 * won).toFixed(2)}%`,
        el("span.visually-hidden", {}, `, 95% interval ${interval}`),
      ),
    );
  });
  const numbers = ticks.map((tick) =>
    el("span.tick", { style: { "--at": place(tick) } }, `${(100 * tick).toFixed(digits)}%`),
  );
  const axis = el(
    "li.scale",
    { "aria-hidden": "true" },
    el("span"),
    el("span.track", {}, numbers),
    el("span"),
  );
  return el("ol.dots", { "aria-label": "Share of games won" }, rows, axis);
}
