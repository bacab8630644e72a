/** The one Python that everything on this page shares. */
import { canShareMemory, Python } from "./python.mjs";

const SCRIPT = new URL("./python-worker.mjs", import.meta.url).href;
// A worker that is a file has the security policy that its host sends along, which is often none;
// one that the page wrote has the page's, whatever a reader's code tries in it.
const bootstrap = new Blob([`import ${JSON.stringify(SCRIPT)};`], { type: "text/javascript" });
const address = URL.createObjectURL(bootstrap);

export const python = new Python(
  () => new Worker(address, { type: "module" }),
  canShareMemory(globalThis),
);
