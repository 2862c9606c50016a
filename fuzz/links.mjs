// Fuzz the Analyse page's links, which only a browser reads: node fuzz/links.mjs [inputs] [seed]
//
// A damaged link gives null or some text, never an error; a packed one gives at most 200,000
// characters. What `link` writes is read back.

// The page's modules ask the browser for some things when they are loaded.
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
const { link, textOf } = await import("../src/minewright/web/static/js/shared/position.js");

const [inputs, seed] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 1)];
const MOST = 200_000;
const SIGNS = "0123456789.#F-!()x?\n box%~/é\u{1f6a9}";
const LETTERS = "ABCabc019-_=+/%#pz&\0\ud800\u00ff\u{1f6a9}";

process.on("unhandledRejection", (error) => {
  console.error("nobody caught this:", error);
  process.exit(1);
});

// Mulberry32: the same seed, the same inputs.
let state = seed;
function below(bound) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % bound;
}

const pick = (signs) => [...signs][below([...signs].length)];
const some = (signs, length) => Array.from({ length }, () => pick(signs)).join("");

function damaged(text) {
  for (let times = 1 + below(4); times > 0; times--) {
    const at = below(text.length + 1);
    text = text.slice(0, at) + some(LETTERS, below(4)) + text.slice(at + below(6));
  }
  return text;
}

let read = 0;
for (let number = 0; number < inputs; number++) {
  // Every tenth is long, so that it is packed.
  const text = some(SIGNS, below(10) ? below(60) : 1_500 + below(2_000));
  const whole = (await link(text)).replace("/analyse", "");
  const plain = whole.startsWith("#p=");
  const same = plain ? text.replaceAll("#", "H").replaceAll("/", "\n").replaceAll("~", " ") : text;
  const hash = damaged(whole);
  const [again, found] = [await textOf(whole), await textOf(hash)];
  const wrong = hash.includes("z=") && (found?.length ?? 0) > MOST;
  if (again !== same || wrong || (found !== null && typeof found !== "string")) {
    console.error("a finding:", JSON.stringify({ text, whole, hash, again, found }));
    process.exit(1);
  }
  read += found !== null;
}
console.log(`${inputs} links written and read again, as many damaged, of which ${read} still hold a text`);
