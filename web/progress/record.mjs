/** A reader's progress: a plain record, kept in this browser, that can be exported, imported and merged. */

/**
 * What the record holds of one exercise.
 * @typedef {object} Entry
 * @property {boolean} passed
 * @property {number} tries  up to the first pass
 * @property {string|null} at  when the last of them was, in ISO format
 * @property {string} starter  the version of the starter that was run
 */

/**
 * A cell that the reader changed.
 * @typedef {object} CellEdit
 * @property {string} text
 * @property {string} version  of the chapter's own code
 * @property {string} [at]  when it was changed, in ISO format
 */

/**
 * @typedef {object} ProgressRecord
 * @property {"attn-progress"} format
 * @property {1} version
 * @property {string} name  the reader's, for a teacher
 * @property {Record<string, Entry>} exercises  by the exercise's id
 * @property {Record<string, CellEdit>} [cells]  by page and number, "01-lookup/5"; in a file alone
 */

/**
 * One run of an exercise, as its cell reports it.
 * @typedef {object} Run
 * @property {string} id
 * @property {boolean|null} passed  null if it was no try
 * @property {string} starter
 */

const FORMAT = "attn-progress";
const ID = /^\d\d-[\w-]+$/;

/** @returns {ProgressRecord} */
export const emptyRecord = () => ({ format: FORMAT, version: 1, name: "", exercises: {} });

/** @param {Partial<Entry>|null} entry */
const isEntry = (entry) =>
  typeof entry?.passed === "boolean" && Number.isInteger(entry.tries) && Number(entry.tries) >= 0;

/**
 * Whether a page and a number, "01-lookup/5", and what was changed there are what a file may carry.
 * @param {string} id
 * @param {{text?: string, version?: string}|null} edit
 */
export const isCellEdit = (id, edit) =>
  /^[\w-]+\/\d+$/.test(id) &&
  typeof edit?.text === "string" &&
  /^[0-9a-f]+$/.test(edit.version ?? "");

/**
 * The record in a text; an Error states the rule that the text breaks.
 * @param {string} text
 * @returns {ProgressRecord}
 */
export function parseRecord(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("this is not a JSON file");
  }
  if (data?.format !== FORMAT) throw new Error(`a progress file has "format": "${FORMAT}"`);
  if (data.version !== 1)
    throw new Error(`version 1 can be read, not ${JSON.stringify(data.version)}`);
  const { name = "", exercises } = data;
  if (typeof name !== "string" || typeof exercises !== "object" || exercises === null) {
    throw new Error("name is text and exercises an object");
  }
  for (const [id, entry] of Object.entries(exercises)) {
    if (!ID.test(id)) throw new Error(`an exercise is named like 01-softmax, not ${id}`);
    if (!isEntry(entry)) throw new Error(`exercise ${id} has "passed" (true or false) and "tries"`);
  }
  return { format: FORMAT, version: 1, name, exercises, ...readCells(data) };
}

/**
 * The cells of a file, if it has any; an Error states the rule that they break.
 * @param {{cells?: any}} data
 * @returns {{cells?: Record<string, CellEdit>}}
 */
function readCells({ cells }) {
  if (cells === undefined) return {};
  if (typeof cells !== "object" || cells === null) throw new Error("cells is an object");
  for (const [id, edit] of Object.entries(cells)) {
    const rule = `cell ${id} is a page and a number and has "text" and "version"`;
    if (!isCellEdit(id, edit)) throw new Error(rule);
  }
  return { cells };
}

/**
 * What a run counts for: true is a pass, false a try that did not pass, null no try at all.
 * A try is a run of the reader's code that passed, failed or ended in an error; a run that left the
 * answer open, was stopped, or found no Python to run it is none.
 * @param {{state: string, broken?: string}} outcome
 */
export function tryResult({ state, broken }) {
  if (broken || !["passed", "failed", "error"].includes(state)) return null;
  return state === "passed";
}

/** @returns {Entry} */
const untriedEntry = (starter = "") => ({ passed: false, tries: 0, at: null, starter });

/**
 * What the record holds of one exercise.
 * @param {ProgressRecord} record
 * @param {string} id
 */
export const entryOf = (record, id) => record.exercises[id] ?? untriedEntry();

/**
 * The record after one more run. After a pass none counts.
 * @param {ProgressRecord} record
 * @param {Run} run
 * @param {Date} date
 * @returns {ProgressRecord}
 */
export function addRun(record, { id, passed, starter }, date) {
  const before = entryOf(record, id);
  if (passed === null || before.passed) return record;
  const entry = { passed, tries: before.tries + 1, at: date.toISOString(), starter };
  return { ...record, exercises: { ...record.exercises, [id]: entry } };
}

/**
 * Both records in one: nothing that was passed in either is lost.
 * @param {ProgressRecord} mine
 * @param {ProgressRecord} theirs
 * @returns {ProgressRecord}
 */
export function mergeRecords(mine, theirs) {
  const exercises = { ...mine.exercises };
  for (const [id, other] of Object.entries(theirs.exercises)) {
    const own = exercises[id];
    const better = !own || (other.passed && !own.passed) ? other : own;
    exercises[id] = { ...better, tries: Math.max(own?.tries ?? 0, other.tries) };
  }
  return { ...mine, name: mine.name || theirs.name, exercises };
}

/**
 * How many of these exercises are passed.
 * @param {ProgressRecord} record
 * @param {{id: string}[]} exercises
 */
export const countPassed = (record, exercises) =>
  exercises.filter(({ id }) => record.exercises[id]?.passed).length;
