// What opening a cell could show, as bars: the chance of each number and of a mine, and what would follow.

import { percent } from "../board/board.js";
import { el } from "./shell.js";
import { counted } from "./words.js";

/** Numbers less likely than this are left out. */
const SLIGHT = 5e-4;

/**
 * Return the bars of a cell as nodes to append; none without `numbers`, the chances of 0, 1, 2…
 * `risk` is the chance of a mine, `leads` what each number would lead to, where that is known.
 *
 * @param {{risk: number, numbers: number[], leads?: {number: number, chance: number, safe: number, mined: number, won: boolean}[]}} cell
 */
export function numberBars({ risk, numbers, leads = [] }) {
  if (!numbers.length) return [];
  const known = new Map(leads.map((lead) => [lead.number, lead]));
  const most = Math.max(risk, ...numbers, 1e-9);
  const bar = (name, chance, kind, after) =>
    el(
      `li${kind}`,
      {},
      el("span", {}, name),
      el("i", { style: { "--p": chance / most } }),
      el("span", {}, percent(chance)),
      known.size ? el("span.note", {}, after) : null,
    );
  const rows = numbers.map((chance, number) => {
    const lead = known.get(number);
    return chance < SLIGHT ? null : bar(`${number}`, chance, "", lead ? then(lead) : "");
  });
  if (risk > 0) rows.push(bar("mine", risk, ".explodes", "game over"));
  const goesOn = leads.some(({ won }) => !won);
  return [
    el("p.note", {}, goesOn ? "What it could show, and what that would settle:" : "What it could show:"),
    el(`ol.bars.shows${known.size ? ".leads" : ""}`, {}, rows),
    goesOn ? el("p.note", {}, onAverage(leads)) : null,
  ].filter(Boolean);
}

function then({ safe, mined, won }) {
  if (won) return "you win";
  return safe || mined ? `${safe} safe, ${counted(mined, "mine")}` : "nothing";
}

function onAverage(all) {
  // After a win no cell is left to open.
  const leads = all.filter(({ won }) => !won);
  const sum = leads.reduce((all, { chance }) => all + chance, 0);
  const safe = leads.reduce((all, { chance, safe }) => all + chance * safe, 0) / sum;
  const stuck = leads.reduce((all, { chance, safe }) => all + (safe ? 0 : chance), 0) / sum;
  if (leads.every(({ safe }) => !safe)) return "No other cell would then be safe.";
  if (all.length === 1) return `${counted(all[0].safe, "cell")} would then be safe.`;
  const count = `On average, ${safe.toFixed(1)} cells would then be safe`;
  return stuck > 0 ? `${count}; ${percent(stuck)} of the time, none would be.` : `${count}.`;
}
