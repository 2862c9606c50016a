// Requests to the server. Each returns the answer's JSON or throws a Problem whose message can be shown.
//
//   await get("/api/meta");  await post("/api/games", {board: "9x9x10"});  put(...);  del(...)
//   await layout("hex", [30, 16])       GET /api/layout, requested once per page
//   await post("/api/analyse/file", blob)       a Blob is sent as bytes, anything else as JSON
//   Options come last: {headers}; {signal} to cancel a request; {keepalive: true} for a request that may
//   outlive the page.

import { hearTime } from "./time.js";

/** What a proxy answers while Minewright does not: it may be starting. Minewright itself never does. */
const NOBODY = [502, 504];
const NO_ANSWER = "No answer from Minewright. Is `minewright serve` still running?";

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
    throw new Problem(NO_ANSWER);
  }
  hearTime(response.headers.get("Date"));
  if (NOBODY.includes(response.status)) throw new Problem(NO_ANSWER);
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
    const said = answer?.problem ?? `the server refused this request (${response.status})`;
    throw new Problem(said, response.status, answer ?? {});
  }
  if (answer === null) {
    if (signal?.aborted) throw new DOMException("cancelled", "AbortError");
    throw new Problem("the server's answer was cut off");
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
