// The form of the Watch page: board, topology, start rule, seed, and one or two players.
//
//   const form = new WatchForm({changed, another, share})   called when something was changed or pressed
//   form.node
//   form.fill(meta, players)        the answers of GET /api/meta and GET /api/watch/players
//   form.write(want), form.read()   {board, topology, start, seed, one, guesser, first, two, …}
//   form.seed                       the seed as it was typed
//   form.offer(address)             where the same board can be played

import { el } from "../shared/shell.js";
import { SEED, STARTS, capital, readSeed, size, topologyName } from "../shared/words.js";
import { PlayerForm } from "./player.js";

const SEEDS = 2 ** 32;

export function randomSeed() {
  return Math.floor(Math.random() * SEEDS);
}

const field = (name, control, more = {}) =>
  el("label.field", more, el("span", {}, name), control);

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
}

export class WatchForm {
  #meta = null;
  #boards = el("select", { name: "preset", "aria-label": "Board" });
  #custom = el("input", {
    name: "board",
    "aria-label": "Width, height and mines",
    placeholder: "30x16x99",
    maxlength: 60,
    autocomplete: "off",
    spellcheck: "false",
  });
  #topologies = el("select", { name: "topology" });
  #starts = el("select", { name: "start" });
  #seed = el("input", { name: "seed", inputmode: "numeric", pattern: SEED, autocomplete: "off" });
  #beside = el("input", { type: "checkbox", role: "switch", onchange: () => this.#showSecond() });
  #one = new PlayerForm("Player");
  #two = new PlayerForm("Second player");
  #playIt = el("a.button.quiet.small", {}, "Play this board");

  constructor({ changed, another, share }) {
    this.node = el(
      "form.panel.choices",
      {
        "aria-label": "What to watch",
        onsubmit: (event) => event.preventDefault(),
        onchange: () => changed(),
      },
      field("Board", this.#boards),
      field("Width, height, mines", this.#custom, { hidden: true }),
      el("div.pair", {}, field("Topology", this.#topologies), field("Start rule", this.#starts)),
      field("Seed", this.#seed),
      el("hr"),
      this.#one.node,
      el(
        "label.switch",
        {},
        el(
          "span",
          {},
          "Two side by side",
          el("small", {}, "on the same mines, apart from what the start rule clears"),
        ),
        this.#beside,
      ),
      this.#two.node,
      el("hr"),
      el(
        "div.cluster",
        {},
        el("button.button.primary.small", { type: "button", onclick: another }, "Another board"),
        el("button.button.quiet.small", { type: "button", onclick: share }, "Share"),
        this.#playIt,
      ),
    );
  }

  get seed() {
    return this.#seed.value;
  }

  set seed(seed) {
    this.#seed.value = seed;
  }

  offer(address) {
    this.#playIt.href = address;
  }

  fill(meta, players) {
    this.#meta = meta;
    fill(this.#boards, [
      ...meta.presets.map((preset) => [preset.board, `${capital(preset.name)}: ${size(preset)}`]),
      ["", "Custom…"],
    ]);
    fill(
      this.#topologies,
      meta.topologies.map(({ name }) => [name, topologyName(name)]),
    );
    fill(
      this.#starts,
      meta.starts.map(({ name }) => [name, STARTS[name] ?? name]),
    );
    this.#one.fill(players);
    this.#two.fill(players);
  }

  write(want) {
    // Whoever types a board can go on typing.
    const typed = document.activeElement === this.#custom;
    const known = !typed && this.#meta.presets.some(({ board }) => board === want.board);
    this.#boards.value = known ? want.board : "";
    this.#custom.value = want.board;
    this.#showCustom();
    this.#topologies.value = want.topology;
    this.#starts.value = want.start;
    this.seed = want.seed;
    this.#one.write(want.one, want.guesser, want.first);
    this.#beside.checked = Boolean(want.two);
    this.#two.write(want.two || "single-point", want.guesser2, want.first2);
    this.#showSecond();
  }

  read() {
    this.#showCustom();
    this.#explainStart();
    if (this.#boards.value) this.#custom.value = this.#boards.value;
    const want = {
      board: this.#custom.value.trim(),
      topology: this.#topologies.value,
      start: this.#starts.value,
      seed: String(readSeed(this.seed) ?? randomSeed()),
      ...this.#one.read(),
    };
    if (this.#beside.checked) {
      const { one: strategy, guesser, first } = this.#two.read();
      Object.assign(want, { two: strategy, guesser2: guesser, first2: first });
    }
    return want;
  }

  #showCustom() {
    this.#custom.closest("label").hidden = this.#boards.value !== "";
  }

  /** Explain the start rule in a tooltip. */
  #explainStart() {
    const chosen = this.#meta.starts.find(({ name }) => name === this.#starts.value);
    this.#starts.title = chosen?.summary ?? "";
  }

  #showSecond() {
    this.#two.node.hidden = !this.#beside.checked;
  }
}
