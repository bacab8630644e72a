/**
 * Run a Python script in Pyodide, outside of a browser.
 *
 *     node run.mjs <folder of Pyodide> <script> <folder>
 *
 * The script finds the folder at /job, reads what it needs there and leaves its answer there.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, script, folder] = process.argv.slice(2).map((path) => resolve(path));

// Errors of Pyodide quote its one-line source, a megabyte of it: only what Python said is passed on.
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
  const python = await loadPyodide({ indexURL: `${pyodide}/` });
  python.mountNodeFS("/job", folder);
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  process.stderr.write(`${error?.message ?? error}\n`);
  process.exitCode = 1;
}
