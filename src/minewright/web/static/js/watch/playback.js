// The playback of watched games: play, pause, step, scrub, and speed.
//
//   const playback = new Playback({length, show, stopped, playing})
//     length(): the number of turns; show(turn): show one; stopped(): no more turns come by themselves;
//     playing(is): playback has started or stopped
//   playback.node, playback.at, playback.running
//   playback.seek(turn), playback.play(), playback.pause(), playback.toggle()

import { pref, setPref } from "../shared/prefs.js";
import { el } from "../shared/shell.js";

const SLOWEST = 0.3;
const FASTEST = 30;

const button = (text, label, act) =>
  el("button.button", { type: "button", "aria-label": label, title: label, onclick: act }, text);

export class Playback {
  at = 0;
  #page;
  #timer = null;
  #toggle = el("button.button.primary.play", { type: "button", onclick: () => this.toggle() }, "Play");
  #scrub = el("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Turn",
    oninput: () => this.seek(Number(this.#scrub.value)),
  });
  #counter = el("output.count");
  #pace = el("input", {
    type: "range",
    min: 0,
    max: 100,
    value: pref("watch.speed", "35"),
    "aria-label": "Speed",
    oninput: () => this.#changeSpeed(),
  });
  #paceWords = el("small");

  constructor(page) {
    this.#page = page;
    this.node = el(
      "div.transport.panel",
      { role: "group", "aria-label": "Playback" },
      el(
        "div.buttons",
        {},
        button("«", "Start", () => this.seek(0)),
        button("‹", "Previous turn", () => this.seek(this.at - 1)),
        this.#toggle,
        button("›", "Next turn", () => this.seek(this.at + 1)),
        button("»", "End", () => this.seek(Infinity)),
      ),
      el("label.scrub", {}, this.#scrub, this.#counter),
      el("label.pace", {}, el("span", {}, "Speed"), this.#pace, this.#paceWords),
    );
    this.#changeSpeed();
  }

  get running() {
    return this.#timer !== null;
  }

  seek(to) {
    const end = this.#page.length();
    this.at = Math.max(0, Math.min(to, end));
    this.#page.show(this.at);
    this.#scrub.max = end;
    this.#scrub.value = this.at;
    const words = this.at < end ? `turn ${this.at + 1} of ${end}` : "the end";
    this.#scrub.setAttribute("aria-valuetext", words);
    this.#counter.textContent = this.at < end ? `${this.at + 1} / ${end}` : "end";
    if (this.at === end) this.pause();
    if (!this.running) this.#page.stopped();
  }

  play() {
    if (this.at >= this.#page.length()) this.seek(0);
    const next = () => {
      this.#timer = setTimeout(next, 1000 / this.#speed);
      this.seek(this.at + 1);
    };
    this.#timer = setTimeout(next, 1000 / this.#speed);
    this.#tell();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#tell();
  }

  toggle() {
    if (!this.running) return this.play();
    this.pause();
    this.#page.stopped();
  }

  /** Turns per second; the slider is logarithmic. */
  get #speed() {
    return SLOWEST * (FASTEST / SLOWEST) ** (Number(this.#pace.value) / 100);
  }

  #changeSpeed() {
    const now = this.#speed;
    this.#paceWords.textContent = `${now.toFixed(now < 10 ? 1 : 0)} turns/s`;
    this.#pace.setAttribute("aria-valuetext", `${now.toFixed(1)} turns per second`);
    setPref("watch.speed", this.#pace.value);
  }

  #tell() {
    this.#toggle.textContent = this.running ? "Pause" : "Play";
    this.#page.playing(this.running);
  }
}
