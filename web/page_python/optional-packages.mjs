/** Packages that Python lacks at its start and loads when a task asks for them. */
import { DownloadError } from "../downloads/download-error.mjs";

/**
 * @typedef {import("./python-worker.mjs").OptionalSet} OptionalSet
 * @typedef {Pick<import("./python-worker.mjs").Pyodide, "loadedPackages"|"loadPackage">} Loader
 */

/**
 * @typedef {object} Report
 * @property {(file: string) => Promise<boolean>} isAtHand  whether it need not be downloaded
 * @property {(what: string) => void} onLoading
 * @property {(what: string, bytes: number) => void} onDownload
 */

/**
 * Load those of the named sets that are not there; whether there were any. A set that did not arrive
 * whole is a DownloadError; the next call asks for what is missing.
 *
 * @param {Loader} python
 * @param {Record<string, OptionalSet>} sets
 * @param {string[]} names
 * @param {Report} report
 */
export async function loadOptional(python, sets, names, { isAtHand, onLoading, onDownload }) {
  const isMissing = (/** @type {string} */ name) => !(name in python.loadedPackages);
  const wanted = names.map((name) => sets[name]).filter((set) => set.packages.some(isMissing));
  if (!wanted.length) return false;
  const what = wanted.map(({ title }) => title).join(" and ");
  onLoading(what);
  const atHand = await Promise.all(wanted.map(({ probe }) => isAtHand(probe)));
  const bytes = wanted.reduce((sum, set, i) => sum + (atHand[i] ? 0 : set.bytes), 0);
  if (bytes) onDownload(what, bytes);
  const packages = wanted.flatMap((set) => set.packages);
  const quiet = () => {};
  // What does not arrive is missing afterwards, whether that is an error to Pyodide or not.
  await python.loadPackage(packages, { messageCallback: quiet, errorCallback: quiet }).catch(quiet);
  const missing = packages.filter(isMissing);
  if (missing.length) throw new DownloadError(`${missing.join(", ")} did not arrive`);
  return true;
}
