// Draws a cell on a canvas as the style sheets say, so that looks are written down once. It knows the part of CSS that
// the sheets of the board use: gradients, inset shadows, borders, clip paths, signs and letters in ::before and ::after.
//
//   drawElement(pen, element)   draw an element of the page at (0, 0); lengths are in CSS pixels

import { gradient, length, split } from "./values.js";

export function drawElement(pen, element) {
  const style = getComputedStyle(element);
  const box = { x: 0, y: 0, wide: parseFloat(style.width), tall: parseFloat(style.height) };
  pen.save();
  clip(pen, style.clipPath, box);
  drawBox(pen, style, box);
  for (const name of ["::before", "::after"]) {
    const part = getComputedStyle(element, name);
    if (part.content !== "none" && part.content !== "normal") drawPart(pen, part, box, element);
  }
  pen.restore();
}

/** Draw a pseudo-element: letters, or a box in the middle. */
function drawPart(pen, style, box, element) {
  pen.save();
  pen.globalAlpha *= Number(style.opacity);
  const text = style.content.startsWith('"') ? style.content.slice(1, -1) : element.dataset.number;
  if (text) drawText(pen, style, box, text);
  else {
    const [wide, tall] = [parseFloat(style.width), parseFloat(style.height)];
    const part = { x: (box.wide - wide) / 2, y: (box.tall - tall) / 2, wide, tall };
    clip(pen, style.clipPath, part);
    drawBox(pen, style, part);
  }
  pen.restore();
}

function drawText(pen, style, { wide, tall }, text) {
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  pen.fillStyle = pen.strokeStyle = style.color;
  pen.textAlign = "center";
  const { fontBoundingBoxAscent: over, fontBoundingBoxDescent: under, width } = pen.measureText(text);
  // Browsers round these to screen pixels.
  const dense = devicePixelRatio;
  const rise = Math.round(over * dense) - Math.round(under * dense);
  const line = Math.floor((tall * dense + rise) / 2) / dense;
  pen.fillText(text, wide / 2, line);
  if (style.textDecorationLine !== "underline") return;
  // The only underline is wavy.
  const step = parseFloat(style.fontSize) / 5;
  pen.lineWidth = parseFloat(style.textDecorationThickness) || 1;
  pen.beginPath();
  for (let at = 0; at <= width; at += step / 4) {
    pen.lineTo((wide - width) / 2 + at, line + step + (step / 3) * Math.sin((Math.PI * at) / step));
  }
  pen.stroke();
}

function drawBox(pen, style, box) {
  const radius = parseFloat(style.borderTopLeftRadius);
  const path = new Path2D();
  path.roundRect(box.x, box.y, box.wide, box.tall, radius);
  pen.fillStyle = style.backgroundColor;
  pen.fill(path);
  if (style.backgroundImage !== "none") {
    pen.save();
    pen.clip(path);
    drawImages(pen, style, box);
    pen.restore();
  }
  for (const shadow of split(style.boxShadow).reverse()) drawShadow(pen, shadow, path, box, radius);
  drawBorder(pen, style, box, radius);
}

/** Draw gradients, the first of them on top. */
function drawImages(pen, style, box) {
  const images = split(style.backgroundImage);
  const sizes = split(style.backgroundSize);
  const places = split(style.backgroundPosition);
  for (let at = images.length - 1; at >= 0; at--) {
    if (images[at] === "none") continue;
    const [wide, tall = "auto"] = sizes[at % sizes.length].split(" ");
    const [left, top] = places[at % places.length].split(" ");
    const measure = (text, whole) => (text === "auto" ? whole : length(text, whole));
    const tile = { wide: measure(wide, box.wide), tall: measure(tall, box.tall) };
    tile.x = box.x + length(left, box.wide - tile.wide);
    tile.y = box.y + length(top, box.tall - tile.tall);
    pen.fillStyle = gradient(pen, images[at], tile);
    pen.fillRect(tile.x, tile.y, tile.wide, tile.tall);
  }
}

/** Draw a shadow inside a box: what a moved and shrunken copy of it leaves free. */
function drawShadow(pen, text, path, box, radius) {
  const [, colour, rest] = /^(\S+\(.*?\)|\S+)\s+(.*)$/.exec(text) ?? [];
  if (!rest?.endsWith("inset")) return;
  const [x, y, , spread] = rest.split(" ").map(parseFloat);
  const ring = new Path2D(path);
  const [wide, tall] = [box.wide - 2 * spread, box.tall - 2 * spread];
  ring.roundRect(box.x + x + spread, box.y + y + spread, wide, tall, Math.max(0, radius - spread));
  pen.save();
  pen.clip(path);
  pen.fillStyle = colour;
  // The copy reaches out of the box on one side, which the clip cuts off.
  pen.fill(ring, "evenodd");
  pen.restore();
}

function drawBorder(pen, style, box, radius) {
  const wide = parseFloat(style.borderTopWidth);
  if (!wide || style.borderTopStyle === "none") return;
  pen.strokeStyle = style.borderTopColor;
  const stroke = (from, to) => {
    const middle = (from + to) / 2;
    pen.lineWidth = to - from;
    pen.beginPath();
    const inner = [box.wide - 2 * middle, box.tall - 2 * middle];
    pen.roundRect(box.x + middle, box.y + middle, ...inner, Math.max(0, radius - middle));
    pen.stroke();
  };
  if (style.borderTopStyle === "double") {
    const whole = Math.round(wide * devicePixelRatio);
    const line = Math.min(Math.ceil(whole / 3), Math.floor((whole - 1) / 2)) / devicePixelRatio;
    stroke(0, line);
    stroke(wide - line, wide);
    return;
  }
  if (style.borderTopStyle === "dashed") {
    const round = 2 * (box.wide + box.tall - 4 * wide);
    const dash = 2 * wide;
    const count = Math.max(1, Math.round(round / (1.5 * dash)));
    pen.setLineDash([dash, round / count - dash]);
  }
  stroke(0, wide);
  pen.setLineDash([]);
}

/** Clip to a polygon or a circle, as CSS writes them. */
function clip(pen, text, { x, y, wide, tall }) {
  const [, kind, inner] = /^(polygon|circle)\((.*)\)$/.exec(text) ?? [];
  if (!kind) return;
  const path = new Path2D();
  if (kind === "circle") {
    const radius = length(inner.split(" at ")[0], Math.hypot(wide, tall) / Math.SQRT2);
    path.arc(x + wide / 2, y + tall / 2, radius, 0, 2 * Math.PI);
    pen.clip(path);
    return;
  }
  const [first, ...others] = split(inner);
  const rule = first === "evenodd" ? first : "nonzero";
  for (const point of rule === "evenodd" ? others : [first, ...others]) {
    const [across, down] = split(point, " ");
    path.lineTo(x + length(across, wide), y + length(down, tall));
  }
  pen.clip(path, rule);
}
