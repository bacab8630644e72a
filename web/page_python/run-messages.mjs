/** What a run says about itself, in words. */

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/**
 * What Python is doing before and during a run.
 * @param {import("./python.mjs").Phase} phase
 */
export function phaseMessage(phase) {
  if (phase.name === "download")
    return `Downloading ${phase.what}: ${megabytes(phase.loaded)} of ${megabytes(phase.total)} MB`;
  if (phase.name === "loading") return `Loading ${phase.what}…`;
  if (phase.name === "waiting") return "Waiting for another run on this page to finish…";
  return phase.name === "starting" ? "Starting Python…" : "Running…";
}

/**
 * One line for an outcome that has no verdict.
 * @param {import("./python.mjs").Outcome} outcome
 * @param {number} limit  seconds that a run may take
 */
export function outcomeMessage(outcome, limit) {
  if (outcome.stopped === "limit") {
    return `Stopped after ${limit} seconds. Is there a loop that never ends?`;
  }
  if (outcome.state === "stopped") return "Stopped. Your text is unchanged.";
  if (outcome.memory) {
    return "Out of memory: a page has about 2 GB for Python. Try smaller arrays.";
  }
  if (outcome.broken === "start")
    return `Python could not be started: ${outcome.summary}. Are you online?`;
  if (outcome.broken === "download")
    return `Not everything that this needs could be downloaded: ${outcome.summary}. Are you online?`;
  if (outcome.broken === "crash")
    return `Python crashed (${outcome.summary}). Run again to start a new one.`;
  return outcome.summary ?? outcome.note ?? "";
}
