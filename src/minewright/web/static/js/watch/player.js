// A form for a player: strategy, guesser, first move, and their options.

import { el } from "../shared/shell.js";
import { capital } from "../shared/words.js";

/** Read `name:option=value,option=value`. */
function parse(written) {
  const [name, ...rest] = (written ?? "").split(":");
  const options = {};
  for (const part of rest.join(":").split(",").filter(Boolean)) {
    const [key, ...value] = part.split("=");
    options[key] = value.join("=");
  }
  return { name, options };
}

/** Those to look at first, from the strongest to the simplest. */
const FIRST = ["champion", "pseq", "exact", "csp", "minebot", "single-point"];
const DOCUMENTS = {
  "Collet 2004": "Oz Minesweeper",
  MineBot: "MineBot",
  Kofford: "Max Minesweeper",
  "Postolaki and Rahman 2020": "Final Report",
};

/** Strategies under headings: the most interesting, one heading per document, and the rest. */
function grouped(strategies) {
  const groups = new Map([["Good to start with", []]]);
  for (const name of FIRST) {
    const kind = strategies.find((one) => one.name === name);
    if (kind) groups.get("Good to start with").push(kind);
  }
  for (const kind of strategies.filter(({ name }) => !FIRST.includes(name))) {
    const heading = DOCUMENTS[kind.origin.split(/[,;]/)[0]] ?? "Others";
    if (!groups.has(heading)) groups.set(heading, []);
    groups.get(heading).push(kind);
  }
  const others = groups.get("Others");
  groups.delete("Others");
  return others ? [...groups, ["Others", others]] : [...groups];
}

export class PlayerForm {
  #players = null;
  #label;

  constructor(label) {
    this.#label = label;
    this.strategy = el("select", { onchange: () => this.#changed({}) });
    this.summary = el("p.note");
    this.name = el("code");
    this.known = el("p.note.known", {}, "On the command line: ", this.name);
    this.guesser = el("select", { onchange: () => this.#guesserChanged({}) });
    this.first = el("select");
    this.options = el("div.options", { onchange: () => this.#named() });
    this.guesserOptions = el("div.options");
    this.node = el(
      "fieldset.player",
      {},
      el("label.field", {}, el("span", {}, label), this.strategy),
      this.summary,
      this.known,
      el(
        "details",
        {},
        el("summary", {}, "Guesser, first move, options"),
        el(
          "div.stack",
          {},
          this.options,
          el("label.field", {}, el("span", {}, "Guesser"), this.guesser),
          this.guesserOptions,
          el("label.field", {}, el("span", {}, "First move"), this.first),
        ),
      ),
    );
  }

  /** @param {object} players the answer of GET /api/watch/players */
  fill(players) {
    this.#players = players;
    this.strategy.replaceChildren(
      ...grouped(players.strategies).map(([label, kinds]) =>
        el(
          "optgroup",
          { label },
          kinds.map(({ name, title }) => el("option", { value: name }, title)),
        ),
      ),
    );
  }

  /** Show a player given as text; an unknown name is kept, and the server will refuse it. */
  write(written, guesser = "", first = "") {
    const { name, options } = parse(written);
    const focused = this.#focused();
    if (!this.#kind(name)) this.strategy.append(el("option", { value: name }, name));
    this.strategy.value = name;
    this.#changed(options);
    const own = parse(guesser);
    if (own.name && ![...this.guesser.options].some(({ value }) => value === own.name)) {
      this.guesser.append(el("option", { value: own.name }, own.name));
    }
    this.guesser.value = own.name;
    this.#guesserChanged(own.options);
    if (first && ![...this.first.options].some(({ value }) => value === first)) {
      this.first.append(el("option", { value: first }, first));
    }
    this.first.value = first;
    const special = guesser || first || Object.keys(options).length;
    if (special) this.node.querySelector("details").open = true;
    // The fields of options are new: the focus must not be lost with the old ones.
    if (focused) this.node.querySelector(`[data-option="${focused}"] :is(input, select)`)?.focus();
  }

  /** The name of the option that has the focus, if any. */
  #focused() {
    const { activeElement: at } = document;
    return this.node.contains(at) ? at.closest("[data-option]")?.dataset.option : null;
  }

  read() {
    return {
      one: this.strategy.value + chosen(this.options),
      guesser: this.guesser.value && this.guesser.value + chosen(this.guesserOptions),
      first: this.first.value,
    };
  }

  /** Show what the command line calls the strategy, with its options. */
  #named() {
    this.name.textContent = this.read().one;
  }

  #kind(name) {
    return this.#players.strategies.find((kind) => kind.name === name);
  }

  /** Show the defaults and options of the strategy just chosen. */
  #changed(options) {
    const kind = this.#kind(this.strategy.value);
    this.summary.textContent = kind ? `${capital(kind.summary)}.` : "";
    this.options.replaceChildren(
      ...(kind?.options ?? []).map((option) => field(option, options[option.name])),
    );
    this.#named();
    const guesser = this.guesser.value;
    const first = this.first.value;
    const { guessers, first_moves: firsts } = this.#players;
    this.guesser.replaceChildren(
      defaultChoice(guessers, kind?.guesser),
      ...guessers.map(({ name, title }) => el("option", { value: name }, title)),
    );
    this.first.replaceChildren(
      defaultChoice(firsts, kind?.first),
      ...firsts.map(({ name, title, summary }) =>
        el("option", { value: name }, `${title}: ${summary}`),
      ),
    );
    this.guesser.value = guesser;
    this.first.value = first;
    this.strategy.setAttribute("aria-label", this.#label);
  }

  #guesserChanged(options) {
    const kind = this.#players.guessers.find(({ name }) => name === this.guesser.value);
    this.guesserOptions.replaceChildren(
      ...(kind?.options ?? []).map((option) => field(option, options[option.name])),
    );
  }
}

/** The choice that leaves a strategy its own guesser or first move. */
function defaultChoice(known, written) {
  const { name } = parse(written);
  const title = known.find((one) => one.name === name)?.title;
  return el("option", { value: "" }, title ? `Default: ${title}` : "Default");
}

/** A field for an option: choices, several of them, or a number. */
function field(option, value = option.default) {
  const data = { "data-option": option.name, "data-default": option.default };
  const words = [capital(option.name), el("small", {}, ` ${option.summary}`)];
  const label = el("span", {}, words);
  if (option.many) {
    const on = value.split("+");
    return el(
      "fieldset",
      data,
      el("legend", {}, words),
      el(
        "div.cluster",
        {},
        option.choices.map((choice) =>
          el(
            "label.tick",
            {},
            el("input", { type: "checkbox", value: choice, checked: on.includes(choice) }),
            choice,
          ),
        ),
      ),
    );
  }
  if (option.choices.length) {
    const select = el(
      "select",
      {},
      option.choices.map((choice) =>
        el("option", { value: choice, selected: choice === value }, choice),
      ),
    );
    return el("label.field", data, label, select);
  }
  return el(
    "label.field",
    data,
    label,
    el("input", { inputmode: "numeric", value, autocomplete: "off" }),
  );
}

/** Write the options that differ from their defaults: `:option=value,option=value`. */
function chosen(fields) {
  const written = [];
  for (const one of fields.children) {
    const boxes = [...one.querySelectorAll("[type=checkbox]")];
    const value = boxes.length
      ? boxes
          .filter(({ checked }) => checked)
          .map((box) => box.value)
          .join("+")
      : one.querySelector("select, input").value;
    if (value !== one.dataset.default) written.push(`${one.dataset.option}=${value}`);
  }
  return written.length ? `:${written.join(",")}` : "";
}
