/** Python for a page, in a thread of its own. What it is asked to do are the modules of page_tasks. */
import { abortableFetch, countingFetch, wasDownloaded } from "../downloads/counting-fetch.mjs";
import { DownloadError } from "../downloads/download-error.mjs";
import { judgedFetch, verdicts } from "../downloads/judged-fetch.mjs";
import { loadOptional } from "./optional-packages.mjs";

/**
 * What the page sends.
 * @typedef {{type: "start", interrupt: Uint8Array|null, suspects: string[]}} StartRequest  `suspects` are
 *   files that an earlier start found damaged
 * @typedef {{type: "run", task: string, input: object}} RunRequest
 * @typedef {{type: "abort"}} AbortRequest  give up what the run under way downloads
 */

/**
 * What it is sent.
 * @typedef {{type: "download", what: string, loaded: number, total: number}
 *   | {type: "starting"}
 *   | {type: "loading", what: string}
 *   | {type: "running"}
 *   | {type: "ready"}
 *   | {type: "output", kind: string, content: any}
 *   | {type: "done", outcome: import("./python.mjs").Outcome, heap: number}
 *   | {type: "broken", message: string, suspects: string[]}} WorkerMessage
 */

/**
 * `runtime.json`: where Python's files are, how many bytes those of a start have together, the hash of
 * each, and what can be loaded later.
 * @typedef {{pyodide: string, stdlib: string, lock: string, packages: string[], bytes: number,
 *   sha256: Record<string, string>, optional: Record<string, OptionalSet>}} Runtime
 *
 * A set of packages; `probe` is its smallest file.
 * @typedef {{title: string, packages: string[], probe: string, bytes: number}} OptionalSet
 */

/**
 * What is used of Pyodide.
 * @typedef {object} Pyodide
 * @property {Record<string, string>} loadedPackages
 * @property {{writeFile: (path: string, text: string) => void, mkdirTree: (path: string) => void}} FS
 * @property {{HEAPU8: Uint8Array}} _module
 * @property {(names: string[], options: object) => Promise<unknown>} loadPackage
 * @property {(name: string) => Task} pyimport
 * @property {(value: object) => {destroy: () => void}} toPy
 * @property {(buffer: Uint8Array) => void} setInterruptBuffer
 * @property {(code: string, options?: object) => unknown} runPython
 *
 * A task's module. Its `run` sends text, or data that JSON can hold, and returns JSON;
 * its `packages`, if it has one, names what must be loaded before.
 * @typedef {{run: (task: object, send: (kind: string, content: any) => void) => string,
 *   packages?: (task: object) => {toJs: () => string[]}}} Task
 */

// A worker of this one would be a file again, and without the page's policy (see page-python.mjs).
for (const name of ["Worker", "SharedWorker"]) Reflect.deleteProperty(self, name);

const root = new URL("../python/", import.meta.url);
/** @type {Pyodide} */
let python;
/** @type {Runtime} */
let runtime;
/** Where the page says that a run shall stop, if it can. @type {Uint8Array|null} */
let stopped = null;
/** Ends the downloads of the run under way. */
let aborting = new AbortController();
/** The download under way, if its bytes are to be told. @type {{what: string, before: number, total: number}|null} */
let download = null;
let bytes = 0; // that have arrived altogether
/** Files that the browser's cache may have damaged. @type {Set<string>} */
let suspects = new Set();
/** The tasks whose modules are there. @type {Map<string, Task>} */
const tasks = new Map();
const PACKAGE = "page_tasks";
const IMPORT = /^from page_tasks\.(\w+) import /gm;
/** The modules of the tasks that are there. @type {Set<string>} */
const written = new Set();

/** @param {WorkerMessage} message */
const send = (message) => postMessage(message);

/** @param {string} message */
const fail = (message) => send({ type: "broken", message, suspects: [...suspects] });

/**
 * @param {URL} url
 * @param {RequestInit} [options]
 */
async function textOf(url, options) {
  const name = url.pathname.split("/").pop();
  const response = await fetch(url, options).catch(() => {
    throw new Error(`${name} did not arrive`);
  });
  if (!response.ok) throw new Error(`${name} is missing: the site answers ${response.status}`);
  return response.text();
}

/** @param {StartRequest} request */
async function start(request) {
  const shared = taskSource("running");
  stopped = request.interrupt;
  suspects = new Set(request.suspects);
  runtime = await readRuntime();
  const [{ loadPyodide }, options] = await Promise.all([
    script("pyodide.mjs"),
    settings(),
    script("pyodide.asm.mjs"), // which Pyodide asks for itself, later
  ]);
  reportFailingWebAssembly();
  python = await loadPyodide(options);
  const missing = runtime.packages.filter((name) => !(name in python.loadedPackages));
  if (missing.length) throw new Error(`not downloaded: ${missing.join(", ")}`);
  // Even one that nobody else can write to: in WebKit, a loop can only be ended if there is one.
  python.setInterruptBuffer(stopped ?? new Uint8Array(1));
  writeTask("running", await shared);
  // What every exercise imports, so that the first run is as quick as the others.
  python.runPython("import numpy, attn.exercises");
  send({ type: "ready" });
}

/** @returns {Promise<Runtime>} */
async function readRuntime() {
  const text = await textOf(new URL("runtime.json", root), { cache: "no-cache" });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("runtime.json arrived damaged");
  }
}

/** A module of Pyodide's. @param {string} name */
async function script(name) {
  const { href } = new URL(runtime.pyodide + name, root);
  try {
    if (suspects.has(href)) await fetch(href, { cache: "reload" });
    return await import(href);
  } catch {
    suspects.add(href);
    throw new Error(`${name} is missing or damaged`);
  }
}

/** Pyodide only warns of WebAssembly that does not start, and waits for it for ever. */
function reportFailingWebAssembly() {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const response = await source;
    try {
      // Not every host knows this type of file, and browsers insist on it.
      if (response.headers.get("Content-Type") === "application/wasm")
        return await instantiateStreaming(response, imports);
      return await WebAssembly.instantiate(await response.arrayBuffer(), imports);
    } catch (error) {
      await verdicts.get(response); // a file that is damaged has been refused by then
      fail(`its WebAssembly cannot be run here (${/** @type {Error} */ (error).message})`);
      throw error;
    }
  };
}

/** Where Pyodide finds its parts; from here on, what is downloaded is counted. */
async function settings() {
  const lock = new URL(runtime.lock, root);
  const abortable = abortableFetch(self.fetch.bind(self), () => aborting.signal);
  const hashes = new Map(
    Object.entries(runtime.sha256).map(([name, sha256]) => [new URL(name, root).href, sha256]),
  );
  const counting = countingFetch(abortable, count);
  self.fetch = judgedFetch(counting, { hashes, suspects, refuse: fail });
  const lockFileContents = await textOf(lock);
  // The lock file names all the others by their hash: if it is at hand from an earlier visit, so
  // are they, and nothing is downloaded.
  if (wasDownloaded(lock.href, performance))
    download = { what: "Python", before: 0, total: runtime.bytes };
  else send({ type: "starting" });
  return {
    indexURL: new URL(runtime.pyodide, root).href,
    stdLibURL: new URL(runtime.stdlib, root).href,
    packageBaseUrl: root.href,
    packages: runtime.packages,
    lockFileContents,
    env: { MPLBACKEND: "module://page_backend" },
  };
}

/** @param {number} loaded */
function count(loaded) {
  bytes = loaded;
  if (!download) return;
  const { what, before, total } = download;
  send({ type: "download", what, loaded: loaded - before, total });
  if (loaded - before < total) return;
  download = null;
  send(what === "Python" ? { type: "starting" } : { type: "loading", what });
}

/** @param {string} name */
const taskSource = (name) => textOf(new URL(`./${PACKAGE}/${name}.py`, import.meta.url));

/**
 * @param {string} name
 * @param {string} source
 */
function writeTask(name, source) {
  const folder = `/lib/page/${PACKAGE}`;
  if (!written.size) {
    python.FS.mkdirTree(folder);
    python.runPython('import sys; "/lib/page" in sys.path or sys.path.append("/lib/page")');
  }
  python.FS.writeFile(`${folder}/${name}.py`, source);
  written.add(name);
}

/** Put a module there, and those that it imports. @param {string} name */
async function provide(name) {
  if (written.has(name)) return;
  const source = await taskSource(name);
  writeTask(name, source);
  await Promise.all([...source.matchAll(IMPORT)].map(([, imported]) => provide(imported)));
}

/** The task's module, fetched when it is first asked for. @param {string} name */
async function taskOf(name) {
  const found = tasks.get(name);
  if (found) return found;
  await provide(name);
  python.runPython("import importlib; importlib.invalidate_caches()");
  const task = python.pyimport(`${PACKAGE}.${name}`);
  tasks.set(name, task);
  return task;
}

/** @param {RunRequest} request */
async function run({ task, input }) {
  aborting = new AbortController();
  const module = await taskOf(task);
  const given = python.toPy(input);
  const outcome = (await unready(module, given)) ?? perform(module, given);
  given.destroy();
  send({ type: "done", outcome, heap: python._module.HEAPU8.length });
}

/**
 * Load what the task needs; the outcome, if it cannot run.
 * @param {Task} task
 * @param {object} given
 * @returns {Promise<import("./python.mjs").Outcome|null>}
 */
async function unready(task, given) {
  const names = task.packages?.(given).toJs() ?? [];
  let hasLoaded;
  try {
    hasLoaded = await loadOptional(python, runtime.optional, names, {
      isAtHand,
      onLoading: (what) => send({ type: "loading", what }),
      onDownload: (what, total) => {
        download = { what, before: bytes, total };
      },
    });
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    return { state: "error", broken: "download", summary: error.message };
  } finally {
    download = null;
  }
  if (stopped?.[0]) return { state: "stopped" };
  if (hasLoaded) send({ type: "running" });
  return null;
}

/** Whether a file is in the browser's cache; it is afterwards. @param {string} file */
async function isAtHand(file) {
  const url = new URL(file, root);
  const answer = await fetch(url).then(
    (response) => response.arrayBuffer(),
    () => null,
  );
  return answer !== null && !wasDownloaded(url.href, performance);
}

/**
 * @param {Task} task
 * @param {object} given
 * @returns {import("./python.mjs").Outcome}
 */
function perform(task, given) {
  return JSON.parse(
    task.run(given, (kind, content) => send({ type: "output", kind, content: plain(content) })),
  );
}

/**
 * Text as it is; data through JSON, as a built page has them: Python's None is null, and no number is
 * too large for one.
 * @param {any} content
 */
function plain(content) {
  if (typeof content === "string") return content;
  const { dumps } = /** @type {any} */ (python.pyimport("json"));
  return JSON.parse(dumps(content));
}

/** @param {MessageEvent<StartRequest|RunRequest|AbortRequest>} event */
self.onmessage = async ({ data }) => {
  try {
    if (data.type === "start") await start(data);
    else if (data.type === "run") await run(data);
    else aborting.abort();
  } catch (error) {
    // Of a traceback of Python's insides, the last line says what it was.
    const message = String(/** @type {Error} */ (error)?.message ?? error);
    fail(message.trim().split("\n").at(-1) ?? message);
  }
};
