/** Which exercise a reader worked on last: the newest try, or the newest answer that is not the starter. */

/**
 * @typedef {import("./record.mjs").ProgressRecord} ProgressRecord
 * @typedef {{exercise: string, at: number}} Moment  milliseconds since 1970
 */

/**
 * The exercise, or null where nothing was tried or written.
 * @param {ProgressRecord} record
 * @param {Moment[]} drafts
 */
export function lastExercise(record, drafts) {
  const tries = Object.entries(record.exercises).map(([exercise, { at }]) => ({
    exercise,
    at: Date.parse(at ?? "") || 0,
  }));
  const moments = [...tries, ...drafts].sort((a, b) => b.at - a.at);
  return moments[0]?.exercise ?? null;
}
