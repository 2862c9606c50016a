// Questions to the server. Each gives the answer's JSON or throws a Problem whose message is fit to show.
//
//   await get("/api/meta");  await post("/api/games", {board: "9x9x10"});  put(...);  del(...)
//   await layout("hex", [30, 16])       GET /api/layout, asked once a page
//   await post("/api/analyse/file", blob)       a Blob goes as its bytes, anything else as JSON
//   Options, last: {headers}; {signal} to give up a question that has been overtaken; {keepalive: true} for a
//   last word that outlives the page.

export class Problem extends Error {
  constructor(message, status = 0, body = {}) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.body = body;
  }
}

async function ask(method, path, body, { signal, keepalive, headers, again = true } = {}) {
  const accept = { Accept: "application/json", ...headers };
  const request = { method, signal, keepalive, headers: accept };
  if (body !== undefined) {
    const bytes = body instanceof Blob;
    request.headers["Content-Type"] = bytes ? "application/octet-stream" : "application/json";
    request.body = bytes ? body : JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("Minewright does not answer: is `minewright serve` still running?");
  }
  if (response.status === 429 && again) {
    const wait = Number(response.headers.get("Retry-After")) || 1;
    if (wait <= 5) {
      await new Promise((done) => setTimeout(done, wait * 1000));
      return ask(method, path, body, { signal, keepalive, headers, again: false });
    }
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    const said = answer?.problem ?? `the server refused this (${response.status})`;
    throw new Problem(said, response.status, answer ?? {});
  }
  if (answer === null) {
    if (signal?.aborted) throw new DOMException("overtaken", "AbortError");
    throw new Problem("the answer broke off");
  }
  return answer;
}

export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, body = {}, options) => ask("POST", path, body, options);
export const put = (path, body = {}, options) => ask("PUT", path, body, options);
export const del = (path, options) => ask("DELETE", path, undefined, options);

const layouts = new Map();

export function layout(topology, shape) {
  const sides = Array.isArray(shape) ? shape.join("x") : shape;
  const path = `/api/layout?topology=${encodeURIComponent(topology)}&shape=${encodeURIComponent(sides)}`;
  if (!layouts.has(path)) {
    const answer = get(path);
    answer.catch(() => layouts.delete(path));
    layouts.set(path, answer);
  }
  return layouts.get(path);
}
