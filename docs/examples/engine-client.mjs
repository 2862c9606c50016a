// A client of `minewright engine` for Node. MINEWRIGHT names the program if it is not on the path.
//     node engine-client.mjs FILE …      explains the positions in these files
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const engine = spawn(process.env.MINEWRIGHT ?? "minewright", ["engine"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const waiting = new Map();

createInterface({ input: engine.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  const [resolve, reject] = waiting.get(id);
  waiting.delete(id);
  error ? reject(new Error(error.message)) : resolve(result);
});

const ask = (id, query) =>
  new Promise((...both) => {
    waiting.set(id, both);
    engine.stdin.write(`${JSON.stringify({ id, ...query })}\n`);
  });

for (const file of process.argv.slice(2)) {
  const { steps, guess } = await ask(file, { action: "explain", position: readFileSync(file, "utf8") });
  for (const { sentence } of [...steps, guess].filter(Boolean)) console.log(sentence);
}
engine.stdin.end();
