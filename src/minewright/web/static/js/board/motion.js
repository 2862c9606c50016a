// The animations of a board, and whether they may run.

/** With more cells than this an animation would stutter. */
const MOST = 400;

/** Whether reduced motion was asked for, as theme.js has found out. */
export function calm() {
  return document.documentElement.dataset.motion === "less";
}

/** Whether this many cells may be animated. */
export function mayMove(cells) {
  return cells <= MOST && !calm();
}

/** Let nodes appear one after the other; the answer comes when all have.
 *
 *  @param {[node: Element, away: number][]} cells */
export function ripple(cells) {
  const animations = cells.map(([node, away]) =>
    node.animate(
      [
        { opacity: 0.15, transform: "scale(0.86)" },
        { opacity: 1, transform: "none" },
      ],
      {
        duration: 130,
        delay: Math.min(220, away * 14),
        fill: "backwards",
        easing: "ease-out",
      },
    ),
  );
  return Promise.allSettled(animations.map(({ finished }) => finished));
}

/** A wave over nodes. @param {[node: Element, away: number][]} cells */
export function wave(cells) {
  for (const [node, away] of cells) {
    node.animate([{}, { transform: "translateY(-0.16em)" }, {}], {
      duration: 260,
      delay: away * 28,
      easing: "ease-in-out",
    });
  }
}
