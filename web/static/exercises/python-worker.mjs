/** Python for the exercises of a page, in a thread of its own. */
import { countingFetch, wasDownloaded } from "./counting-fetch.mjs";

/**
 * What the page sends.
 * @typedef {{type: "start", interrupt: Uint8Array|null}} StartRequest
 * @typedef {{type: "run", code: string, exercise: string}} RunRequest
 */

/**
 * What it is sent.
 * @typedef {{type: "download", loaded: number, total: number}
 *   | {type: "starting"}
 *   | {type: "ready"}
 *   | {type: "output", kind: string, text: string}
 *   | {type: "done", outcome: import("./python.mjs").Outcome, heap: number}
 *   | {type: "broken", message: string}} WorkerMessage
 */

/**
 * `runtime.json`: where Python's files are, and how many bytes they have together.
 * @typedef {{pyodide: string, stdlib: string, lock: string, packages: string[], bytes: number}} Runtime
 */

/**
 * What is used of Pyodide.
 * @typedef {object} Pyodide
 * @property {Record<string, string>} loadedPackages
 * @property {{get: (name: string) => () => Map<string, RunCell>}} globals
 * @property {{HEAPU8: Uint8Array}} _module
 * @property {(buffer: Uint8Array) => void} setInterruptBuffer
 * @property {(code: string, options?: object) => unknown} runPython
 *
 * @typedef {(code: string, exercise: string, send: (kind: string, text: string) => void) => string} RunCell
 */

const root = new URL("../python/", import.meta.url);
/** @type {Pyodide} */
let python;
/** @type {RunCell} */
let runCell;

/** @param {WorkerMessage} message */
const send = (message) => postMessage(message);

/**
 * @param {URL} url
 * @param {RequestInit} [options]
 */
async function textOf(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${url.pathname}`);
  return response.text();
}

/** @param {StartRequest} request */
async function start({ interrupt }) {
  const harness = textOf(new URL("./run_cell.py", import.meta.url));
  /** @type {Runtime} */
  const runtime = JSON.parse(await textOf(new URL("runtime.json", root), { cache: "no-cache" }));
  const [{ loadPyodide }, options] = await Promise.all([
    import(new URL(`${runtime.pyodide}pyodide.mjs`, root).href),
    settings(runtime),
  ]);
  python = await loadPyodide(options);
  const missing = runtime.packages.filter((name) => !(name in python.loadedPackages));
  if (missing.length) throw new Error(`not downloaded: ${missing.join(", ")}`);
  // Even one that nobody else can write to: in WebKit, a loop can only be ended if there is one.
  python.setInterruptBuffer(interrupt ?? new Uint8Array(1));
  runCell = prepare(await harness);
  send({ type: "ready" });
}

/**
 * Where Pyodide finds its parts; from here on, what is downloaded is counted.
 * @param {Runtime} runtime
 */
async function settings(runtime) {
  const lock = new URL(runtime.lock, root);
  let downloading = false;
  self.fetch = countingFetch(self.fetch.bind(self), (loaded) => {
    if (downloading) send({ type: "download", loaded, total: runtime.bytes });
    if (downloading && loaded >= runtime.bytes) send({ type: "starting" });
  });
  const lockFileContents = await textOf(lock);
  // The lock file names all the others by their hash: if it is at hand from an earlier visit, so
  // are they, and nothing is downloaded.
  downloading = wasDownloaded(lock.href, performance);
  if (!downloading) send({ type: "starting" });
  return {
    indexURL: new URL(runtime.pyodide, root).href,
    stdLibURL: new URL(runtime.stdlib, root).href,
    packageBaseUrl: root.href,
    packages: runtime.packages,
    lockFileContents,
  };
}

/**
 * Import what every exercise imports, so that the first run is as quick as the others.
 * @param {string} source  of run_cell.py
 */
function prepare(source) {
  const module = python.globals.get("dict")();
  python.runPython(source, { globals: module, filename: "run_cell.py" });
  python.runPython("import numpy, attn.exercises");
  return /** @type {RunCell} */ (module.get("run"));
}

/** @param {RunRequest} request */
function run({ code, exercise }) {
  const outcome = JSON.parse(
    runCell(code, exercise, (kind, text) => send({ type: "output", kind, text })),
  );
  send({ type: "done", outcome, heap: python._module.HEAPU8.length });
}

/** @param {MessageEvent<StartRequest|RunRequest>} event */
self.onmessage = async ({ data }) => {
  try {
    if (data.type === "start") await start(data);
    else run(data);
  } catch (error) {
    send({ type: "broken", message: String(/** @type {Error} */ (error)?.message ?? error) });
  }
};
