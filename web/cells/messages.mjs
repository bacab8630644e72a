/** What a cell says about itself, in words. */
import { outcomeMessage } from "../page_python/run-messages.mjs";

export const TIME_LIMIT = 60; // seconds that a cell may run

/**
 * What the line below a cell tells, most urgent first; nothing of a cell that was left alone.
 * @param {object} cell
 * @param {import("../page_python/python.mjs").Outcome|null} cell.outcome  of its last run
 * @param {string} cell.refusal  why the run that was asked for did not come about
 * @param {boolean} cell.isStale  a code that its output was made from has changed
 * @param {boolean} cell.isEdited
 * @param {boolean} cell.isShown  the output of a run is shown, not the built one
 * @param {number} [cell.limit]
 */
export function statusMessage({
  outcome,
  refusal,
  isStale,
  isEdited,
  isShown,
  limit = TIME_LIMIT,
}) {
  if (refusal) return refusal;
  if (isStale) return "Made before your change.";
  if (outcome && outcome.state !== "ran") return outcomeMessage(outcome, limit);
  if (isEdited && !isShown) return "Changed, not run yet.";
  return isShown && outcome ? "Ran in this page." : "";
}

/**
 * Why a cell did not run: one above it did not.
 * @param {string} above  its name
 * @param {import("../page_python/python.mjs").Outcome} outcome
 */
export function refusalMessage(above, outcome) {
  if (outcome.state === "stopped") return `Stopped while ${above}, above, was running.`;
  if (outcome.broken) return outcomeMessage(outcome, TIME_LIMIT);
  return `Not run: ${above}, above, ended in an error.`;
}

/**
 * How a run of all cells ended.
 * @param {{name: string, outcome: import("../page_python/python.mjs").Outcome}|null} stoppedAt
 * @param {number} count  of the cells
 */
export function allMessage(stoppedAt, count) {
  if (!stoppedAt) return `All ${count} cells ran.`;
  const { name, outcome } = stoppedAt;
  if (outcome.state === "stopped") return `Stopped at ${name}.`;
  return `${name[0].toUpperCase()}${name.slice(1)} ended in an error; those below were not run.`;
}
