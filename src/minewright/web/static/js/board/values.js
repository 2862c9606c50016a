// Computed values of CSS: lists, lengths, and gradients as fill styles of a canvas.

/** What comes before the colours of a gradient. */
const HEAD = /^(to |-?[\d.]+deg|circle|ellipse|at |from )/;
const SIDES = { top: 0, right: 90, bottom: 180, left: 270 };

/** Split a list at its top-level commas, or at another separator. */
export function split(list, separator = ",") {
  const parts = [];
  let depth = 0;
  let part = "";
  for (const sign of list) {
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === separator && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += sign;
  }
  parts.push(part.trim());
  return parts.filter(Boolean);
}

/** A computed length, such as "40%", "2px" or "calc(40% - 1px)", in pixels; angles in degrees. */
export function length(text, whole) {
  let sum = 0;
  for (const [, sign, number, unit] of text.matchAll(/([+-]?)\s*([\d.]+(?:e-?\d+)?)(%|px|deg)?/g)) {
    const value = unit === "%" ? (whole * number) / 100 : Number(number);
    sum += sign === "-" ? -value : value;
  }
  return sum;
}

/** A gradient as a fill style for a box {x, y, wide, tall}. */
export function gradient(pen, text, box) {
  const [, repeating, kind, inner] = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/.exec(text);
  const parts = split(inner);
  const head = HEAD.test(parts[0]) ? parts.shift() : "";
  const { make, whole } = { linear, radial, conic }[kind](pen, head, box);
  let stops = read(parts, whole);
  if (repeating) stops = repeat(stops);
  const first = Math.min(0, stops[0].at);
  const last = Math.max(1, stops.at(-1).at);
  const found = make(first, last);
  for (const { at, colour } of stops) found.addColorStop((at - first) / (last - first), colour);
  return found;
}

/** Where a gradient lies: its length, and a function that makes it between two shares of that. */
function linear(pen, head, { x, y, wide, tall }) {
  const side = SIDES[head.replace("to ", "")];
  const degrees = side ?? (head ? length(head) : 180);
  const angle = (Math.PI * degrees) / 180;
  const [across, down] = [Math.sin(angle), -Math.cos(angle)];
  const whole = Math.abs(wide * across) + Math.abs(tall * down);
  const point = (at) => [
    x + wide / 2 + (at - 0.5) * whole * across,
    y + tall / 2 + (at - 0.5) * whole * down,
  ];
  return { whole, make: (from, to) => pen.createLinearGradient(...point(from), ...point(to)) };
}

function radial(pen, head, { x, y, wide, tall }) {
  const [, across = "50%", down = "50%"] = /at (\S+) (\S+)/.exec(head) ?? [];
  const [left, top] = [length(across, wide), length(down, tall)];
  const whole = Math.hypot(Math.max(left, wide - left), Math.max(top, tall - top));
  const centre = [x + left, y + top];
  return { whole, make: (_, to) => pen.createRadialGradient(...centre, 0, ...centre, to * whole) };
}

function conic(pen, _, { x, y, wide, tall }) {
  const make = () => pen.createConicGradient(-Math.PI / 2, x + wide / 2, y + tall / 2);
  return { whole: 360, make };
}

/** The stops of a gradient: colours with their places, as shares of its length, in order. */
function read(parts, whole) {
  const stops = [];
  for (const part of parts) {
    const [, colour, places] = /^([\w-]+\(.*?\)|[\w#-]+)\s*(.*)$/.exec(part);
    const found = split(places, " ");
    for (const place of found.length ? found : [null]) {
      stops.push({ colour, at: place === null ? null : length(place, whole) / whole });
    }
  }
  stops[0].at ??= 0;
  stops.at(-1).at ??= 1;
  stops.forEach((stop, index) => {
    if (stop.at === null) {
      const next = stops.findIndex(({ at }, later) => later > index && at !== null);
      const before = stops[index - 1].at;
      stop.at = before + (stops[next].at - before) / (next - index + 1);
    }
    if (index) stop.at = Math.max(stop.at, stops[index - 1].at);
  });
  return stops;
}

/** Repeat stops until they reach the end. */
function repeat(stops) {
  const period = stops.at(-1).at - stops[0].at;
  const all = [];
  const times = Math.ceil(1 / period - 1e-6);
  for (let round = 0; round < times; round++) {
    for (const { at, colour } of stops) all.push({ at: at + round * period, colour });
  }
  return all;
}
