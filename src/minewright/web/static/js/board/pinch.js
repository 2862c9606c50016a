// Two fingers zoom the board, not the page.
//
//   pinching(frame, on, {size, zoom})    size() returns the pixels of a cell now; zoom(pixels, x, y) sets them, with
//                                        the cell at this place of the window staying there

export function pinching(frame, on, { size, zoom }) {
  let start = null;
  let next = null;
  const measure = ([one, other]) => ({
    spread: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    x: (one.clientX + other.clientX) / 2,
    y: (one.clientY + other.clientY) / 2,
  });
  const act = () => {
    const { spread, x, y } = next;
    next = null;
    if (start) zoom((start.size * spread) / start.spread, x, y);
  };
  const listen = (name, listener) => on(frame, name, listener, { passive: false });
  listen("touchstart", ({ touches }) => {
    start = touches.length === 2 ? { ...measure(touches), size: size() } : null;
  });
  listen("touchmove", (event) => {
    if (!start || event.touches.length !== 2) return;
    event.preventDefault();
    // Many moves come per frame, and each size takes a layout.
    if (!next) requestAnimationFrame(act);
    next = measure(event.touches);
  });
  listen("touchend", () => (start = null));
  listen("touchcancel", () => (start = null));
}
