/** Python for a page, in a thread of its own. What it is asked to do are the modules of page_tasks. */
import { countingFetch, wasDownloaded } from "./counting-fetch.mjs";

/**
 * What the page sends.
 * @typedef {{type: "start", interrupt: Uint8Array|null}} StartRequest
 * @typedef {{type: "run", task: string, input: object}} RunRequest
 */

/**
 * What it is sent.
 * @typedef {{type: "download", loaded: number, total: number}
 *   | {type: "starting"}
 *   | {type: "ready"}
 *   | {type: "output", kind: string, content: any}
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
 * @property {{writeFile: (path: string, text: string) => void, mkdirTree: (path: string) => void}} FS
 * @property {{HEAPU8: Uint8Array}} _module
 * @property {(name: string) => {run: RunTask}} pyimport
 * @property {(value: object) => {destroy: () => void}} toPy
 * @property {(buffer: Uint8Array) => void} setInterruptBuffer
 * @property {(code: string, options?: object) => unknown} runPython
 *
 * The `run` of a task: it sends text, or data that `toJs` turns into the page's, and returns JSON.
 * @typedef {(task: object, send: (kind: string, content: any) => void) => string} RunTask
 */

const root = new URL("../python/", import.meta.url);
/** @type {Pyodide} */
let python;
/** The tasks whose modules are there. @type {Map<string, RunTask>} */
const tasks = new Map();
const PACKAGE = "page_tasks";

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
  const shared = taskSource("running");
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
  writeTask("running", await shared);
  // What every exercise imports, so that the first run is as quick as the others.
  python.runPython("import numpy, attn.exercises");
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

/** @param {string} name */
const taskSource = (name) => textOf(new URL(`./${PACKAGE}/${name}.py`, import.meta.url));

/**
 * @param {string} name
 * @param {string} source
 */
function writeTask(name, source) {
  const folder = `/lib/page/${PACKAGE}`;
  if (!tasks.size) {
    python.FS.mkdirTree(folder);
    python.runPython('import sys; "/lib/page" in sys.path or sys.path.append("/lib/page")');
  }
  python.FS.writeFile(`${folder}/${name}.py`, source);
}

/** The task's module, fetched when it is first asked for. @param {string} name */
async function taskOf(name) {
  const found = tasks.get(name);
  if (found) return found;
  writeTask(name, await taskSource(name));
  python.runPython("import importlib; importlib.invalidate_caches()");
  const { run } = python.pyimport(`${PACKAGE}.${name}`);
  tasks.set(name, run);
  return run;
}

/** @param {RunRequest} request */
async function run({ task, input }) {
  const perform = await taskOf(task);
  const given = python.toPy(input);
  const outcome = JSON.parse(
    perform(given, (kind, content) =>
      send({ type: "output", kind, content: content?.toJs?.() ?? content }),
    ),
  );
  given.destroy();
  send({ type: "done", outcome, heap: python._module.HEAPU8.length });
}

/** @param {MessageEvent<StartRequest|RunRequest>} event */
self.onmessage = async ({ data }) => {
  try {
    if (data.type === "start") await start(data);
    else await run(data);
  } catch (error) {
    send({ type: "broken", message: String(/** @type {Error} */ (error)?.message ?? error) });
  }
};
