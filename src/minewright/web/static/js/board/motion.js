// What moves on a board, and whether anything may.

/** Above so many cells a movement would stutter. */
const MOST = 400;

/** Whether somebody asked for less motion: theme.js knows. */
export function calm() {
  return document.documentElement.dataset.motion === "less";
}

/** Whether so many cells may move. */
export function mayMove(cells) {
  return cells <= MOST && !calm();
}

/** Let nodes come up one after the other. @param {[node: Element, away: number][]} cells */
export function ripple(cells) {
  for (const [node, away] of cells) {
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
    );
  }
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
