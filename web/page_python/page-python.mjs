/** The one Python that everything on this page shares. */
import { canShareMemory, Python } from "./python.mjs";

function createWorker() {
  return new Worker(new URL("./python-worker.mjs", import.meta.url), { type: "module" });
}

export const python = new Python(createWorker, canShareMemory(globalThis));
