/**
 * Python for the exercises of a page, in a thread of its own.
 *
 * In:  {type: "start", interrupt?}, {type: "run", code, exercise}
 * Out: {type: "download", loaded, total}, {type: "starting"}, {type: "ready"}, {type: "broken", message},
 *      {type: "output", kind, text}, {type: "done", outcome, heap}
 */
import { countingFetch, wasDownloaded } from "./counting-fetch.mjs";

const root = new URL("../python/", import.meta.url);
let python;
let runCell;

async function textOf(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${url.pathname}`);
  return response.text();
}

async function start({ interrupt }) {
  const harness = textOf(new URL("./run_cell.py", import.meta.url));
  const manifest = JSON.parse(await textOf(new URL("runtime.json", root), { cache: "no-cache" }));
  const [{ loadPyodide }, options] = await Promise.all([
    import(new URL(`${manifest.pyodide}pyodide.mjs`, root).href),
    settings(manifest),
  ]);
  python = await loadPyodide(options);
  const missing = manifest.packages.filter((name) => !(name in python.loadedPackages));
  if (missing.length) throw new Error(`not downloaded: ${missing.join(", ")}`);
  // Even one that nobody else can write to: in WebKit, a loop can only be ended if there is one.
  python.setInterruptBuffer(interrupt ?? new Uint8Array(1));
  runCell = await prepare(await harness);
  postMessage({ type: "ready" });
}

/** Where Pyodide finds its parts; from here on, what is downloaded is counted. */
async function settings(manifest) {
  const lock = new URL(manifest.lock, root);
  let told = false;
  self.fetch = countingFetch(self.fetch.bind(self), (loaded) => {
    if (told) postMessage({ type: "download", loaded, total: manifest.bytes });
    if (told && loaded >= manifest.bytes) postMessage({ type: "starting" });
  });
  const lockFileContents = await textOf(lock);
  // The lock file names all the others by their hash: if it is at hand from an earlier visit, so
  // are they, and nothing is downloaded.
  told = wasDownloaded(lock.href, performance);
  if (!told) postMessage({ type: "starting" });
  return {
    indexURL: new URL(manifest.pyodide, root).href,
    stdLibURL: new URL(manifest.stdlib, root).href,
    packageBaseUrl: root.href,
    packages: manifest.packages,
    lockFileContents,
  };
}

/** Import what every exercise imports, so that the first run is as quick as the others. */
async function prepare(source) {
  const module = python.globals.get("dict")();
  python.runPython(source, { globals: module, filename: "run_cell.py" });
  python.runPython("import numpy, attn.exercises");
  return module.get("run");
}

function run({ code, exercise }) {
  const send = (kind, text) => postMessage({ type: "output", kind, text });
  const outcome = JSON.parse(runCell(code, exercise, send));
  postMessage({ type: "done", outcome, heap: python._module.HEAPU8.length });
}

const handlers = { start, run };

self.onmessage = async ({ data }) => {
  try {
    await handlers[data.type](data);
  } catch (error) {
    postMessage({ type: "broken", message: String(error?.message ?? error) });
  }
};
