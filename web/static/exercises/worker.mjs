/**
 * Python for the exercises of a page, in a thread of its own.
 *
 * In:  {type: "start", interrupt?}, {type: "run", code, exercise}
 * Out: {type: "download", loaded, total}, {type: "starting"}, {type: "ready"}, {type: "broken", message},
 *      {type: "output", kind, text}, {type: "done", outcome, heap}
 */
import { countingFetch } from "./counting-fetch.mjs";

const root = new URL("../python/", import.meta.url);
let python;
let runCell;

async function fetched(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${url.pathname}`);
  return response;
}

async function start({ interrupt }) {
  const manifest = await (
    await fetched(new URL("runtime.json", root), { cache: "no-cache" })
  ).json();
  self.fetch = countingFetch(self.fetch.bind(self), (loaded) =>
    postMessage({ type: "download", loaded, total: manifest.bytes }),
  );
  const index = new URL(manifest.pyodide, root).href;
  const { loadPyodide } = await import(`${index}pyodide.mjs`);
  const harness = fetched(new URL("./run_cell.py", import.meta.url)).then((answer) =>
    answer.text(),
  );
  python = await loadPyodide({
    indexURL: index,
    lockFileURL: new URL(manifest.lock, root).href,
    packageBaseUrl: root.href,
    packages: manifest.packages,
  });
  postMessage({ type: "starting" });
  const missing = manifest.packages.filter((name) => !(name in python.loadedPackages));
  if (missing.length) throw new Error(`not downloaded: ${missing.join(", ")}`);
  if (interrupt) python.setInterruptBuffer(interrupt);
  runCell = await prepare(await harness);
  postMessage({ type: "ready" });
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
