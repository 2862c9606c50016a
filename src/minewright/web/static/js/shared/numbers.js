// What opening a cell may show, as bars: the chance of each number, of a mine, and what would follow.

import { percent } from "../board/board.js";
import { el } from "./shell.js";

/** Less likely numbers are left out. */
const SLIGHT = 5e-4;

/**
 * The bars of a cell: `numbers` are the chances of 0, 1, 2…; `risk` that of a mine; `leads` what a
 * number would lead to, where that was worked out. Gives nodes to append, none without numbers.
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
      el("span", {}, percent(chance, 3)),
      known.size ? el("span.note", {}, after) : null,
    );
  const rows = numbers.map((chance, number) => {
    const lead = known.get(number);
    return chance < SLIGHT ? null : bar(`${number}`, chance, "", lead ? then(lead) : "");
  });
  if (risk > 0) rows.push(bar("mine", risk, ".explodes", "the end"));
  const goesOn = leads.some(({ won }) => !won);
  return [
    el("p.note", {}, goesOn ? "It may show, and then are certain:" : "It may show:"),
    el(`ol.bars.shows${known.size ? ".leads" : ""}`, {}, rows),
    goesOn ? el("p.note", {}, onAverage(leads)) : null,
  ].filter(Boolean);
}

function then({ safe, mined, won }) {
  if (won) return "the game is won";
  return safe || mined ? `${safe} safe, ${mined} mined` : "nothing";
}

function onAverage(all) {
  // After a win nothing is left to be safe.
  const leads = all.filter(({ won }) => !won);
  const sum = leads.reduce((all, { chance }) => all + chance, 0);
  const safe = leads.reduce((all, { chance, safe }) => all + chance * safe, 0) / sum;
  const stuck = leads.reduce((all, { chance, safe }) => all + (safe ? 0 : chance), 0) / sum;
  const count = `On average ${safe.toFixed(1)} cells are certainly safe after it`;
  return stuck > 0 ? `${count}, and in ${percent(stuck, 3)} of the cases none is.` : `${count}.`;
}
