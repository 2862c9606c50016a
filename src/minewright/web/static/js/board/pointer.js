// Mouse, finger and wheel on a board's grid.
//
//   new Pointer(grid, on, act)
//     on(target, event, listener, options?)   listens until the board is closed
//     act      what they do: find(event) -> the cell there or null, primary(cell), mark(cell), chord(cell), tap(cell), long(cell), hover(cell|null),
//              wheel(cell, by) -> whether the page may scroll, move(cell), press(cell|null), focus(cell),
//              hold(cell|null, milliseconds) while a long press is under way

import { longPress } from "../shared/prefs.js";

/** Milliseconds after a tap in which mouse events are its echo. */
const ECHO = 800;
/** Pixels that a finger may slide during a press. */
const SLIDE = 12;

export class Pointer {
  #act;
  #press = null;
  #over = null;
  #touch = null;
  #touched = -Infinity;

  constructor(grid, on, act) {
    this.#act = act;
    const cellOf = (event) => (grid.contains(event.target) ? act.find(event) : null);
    const at = (name, listener, options) =>
      on(grid, name, (event) => listener(event, cellOf(event)), options);

    at("contextmenu", (event) => event.preventDefault());
    at("mousedown", (event, cell) => this.#mouseDown(event, cell));
    on(document, "mouseup", (event) => this.#mouseUp(event, cellOf(event)));
    at("mousemove", (event, cell) => this.#mouseMove(event, cell));
    at("mouseleave", () => this.#mouseLeave());
    at("pointerdown", (event, cell) => this.#touchDown(event, cell));
    at("pointermove", (event) => this.#touchMove(event));
    at("pointerup", (event) => this.#touchUp(event));
    at("pointercancel", () => this.cancel());
    at("wheel", (event, cell) => this.#wheel(event, cell), { passive: false });
  }

  /** Forget a finger that is down. */
  cancel() {
    clearTimeout(this.#touch?.timer);
    this.#touch = null;
    this.#act.press(null);
    this.#act.hold(null);
  }

  // Browsers send mouse events after a tap too; the tap has been handled already.
  #isEcho() {
    return performance.now() - this.#touched < ECHO;
  }

  #show() {
    this.#act.press(this.#press && this.#press.kind !== "done" ? this.#press.cell : null);
  }

  #mouseDown(event, cell) {
    if (cell === null || this.#isEcho()) return;
    this.#act.move(cell);
    if (event.button === 1) event.preventDefault();
    if (event.buttons === 3 || event.button === 1) {
      this.#press = { cell, kind: "chord" };
    } else if (event.button === 0) {
      this.#press = { cell, kind: "open" };
    } else if (event.button === 2) {
      event.preventDefault();
      this.#act.focus(cell);
      this.#act.mark(cell);
    }
    this.#show();
  }

  #mouseUp(event, cell) {
    const press = this.#press;
    if (!press) return;
    // Releasing the first of two buttons is the chord; releasing the second means nothing.
    const half = press.kind === "chord" && event.buttons !== 0;
    this.#press = half ? { cell: press.cell, kind: "done" } : null;
    this.#act.press(null);
    if (cell === null || press.kind === "done") return;
    if (press.kind === "chord") this.#act.chord(cell);
    else if (event.button === 0) this.#act.primary(cell);
  }

  #mouseMove(event, cell) {
    if (cell === null || cell === this.#over || this.#isEcho()) return;
    this.#over = cell;
    if (this.#press && event.buttons) {
      this.#press.cell = cell;
      this.#show();
    }
    this.#act.hover(cell);
  }

  #mouseLeave() {
    this.#over = null;
    if (this.#press) {
      this.#press.cell = null;
      this.#show();
    }
    this.#act.hover(null);
  }

  #touchDown(event, cell) {
    if (event.pointerType === "mouse" || cell === null) return;
    this.cancel();
    if (!event.isPrimary) return;
    const long = longPress();
    const timer = setTimeout(() => {
      this.cancel();
      this.#touched = performance.now();
      navigator.vibrate?.(25);
      this.#act.move(cell);
      this.#act.long(cell);
    }, long);
    this.#touch = { cell, timer, id: event.pointerId, x: event.clientX, y: event.clientY };
    this.#act.press(cell);
    this.#act.hold(cell, long);
    // This shows the chance; a finger that then slides away has done nothing.
    this.#act.hover(cell);
  }

  #touchMove(event) {
    const touch = this.#touch;
    if (touch?.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > SLIDE) this.cancel();
  }

  #touchUp(event) {
    if (event.pointerType === "mouse") return;
    this.#touched = performance.now();
    const touch = this.#touch;
    this.cancel();
    if (touch?.id !== event.pointerId) return;
    this.#act.move(touch.cell);
    this.#act.tap(touch.cell);
  }

  #wheel(event, cell) {
    if (cell === null || !event.deltaY) return;
    if (!this.#act.wheel(cell, event.deltaY < 0 ? 1 : -1)) event.preventDefault();
  }
}
