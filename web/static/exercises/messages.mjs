/** What an exercise says about itself, in words. */

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/**
 * What Python is doing before and during a run.
 * @param {import("../page_python/python.mjs").Phase} phase
 */
export function phaseMessage(phase) {
  if (phase.name === "download")
    return `Downloading ${phase.what}: ${megabytes(phase.loaded)} of ${megabytes(phase.total)} MB`;
  if (phase.name === "loading") return `Loading ${phase.what}…`;
  if (phase.name === "waiting") return "Waiting for another exercise of this page to finish…";
  return phase.name === "starting" ? "Starting Python…" : "Running…";
}

/**
 * One line for an outcome that has no verdict.
 * @param {import("../page_python/python.mjs").Outcome} outcome
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

/**
 * Why the reader's work is not kept.
 * @param {import("./draft-storage.mjs").StorageProblem} problem
 */
export function storageMessage(problem) {
  const reason = problem === "full" ? "its storage is full" : "this page may not store anything";
  return `Your browser is not keeping your answer: ${reason}. Copy it before you leave.`;
}

/** The decision a draft waits for, by its kind: a sentence and the labels of its two buttons. */
export const conflictMessages = {
  starter: {
    text: "This exercise has changed since you wrote this answer.",
    keep: "Keep mine",
    take: "Take the new one",
  },
  tab: {
    text: "This exercise was edited in another tab.",
    keep: "Keep this one",
    take: "Take the other one",
  },
};

/** What a click on *Solution* came to. */
export const solutionMessages = {
  ask: "You have not passed yet. Press Solution again to see it all the same.",
  shown: "The solution is shown below the exercise.",
  hidden: "The solution is hidden again.",
};
