// The times of won games as a picture: a dot each, the best so far as a line.

import { shape } from "../shared/element.js";
import { seconds } from "../shared/shell.js";

const WIDE = 300;
const TALL = 60;
const EDGE = 4;

/** @param {number[]} times in seconds, oldest first @returns {SVGElement | null} null if there are too few */
export function timesPicture(times) {
  if (times.length < 2) return null;
  const most = Math.max(...times);
  const least = Math.min(...times);
  const x = (at) => EDGE + (at * (WIDE - 2 * EDGE)) / (times.length - 1);
  const y = (time) => TALL - EDGE - ((time - least) * (TALL - 2 * EDGE)) / (most - least || 1);
  let best = Infinity;
  const steps = times.map((time, at) => {
    best = Math.min(best, time);
    return `${at ? `H${x(at)}V` : `M${x(at)} `}${y(best)}`;
  });
  const svg = shape("svg", { class: "times", viewBox: `0 0 ${WIDE} ${TALL}`, role: "img" });
  svg.setAttribute(
    "aria-label",
    `Times of ${times.length} games won, from ${seconds(times[0])} to ${seconds(times.at(-1))} seconds; the best is ${seconds(least)}`,
  );
  svg.append(
    shape("path", { d: steps.join("") }),
    ...times.map((time, at) => shape("circle", { cx: x(at), cy: y(time), r: time === least ? 4 : 2.5 })),
  );
  return svg;
}
