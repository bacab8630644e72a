// A reader's progress: a plain record, kept in this browser, that can be exported, imported and merged.

const FORMAT = "attn-progress";

export const empty = () => ({ format: FORMAT, version: 1, name: "", exercises: {} });

const isEntry = (entry) =>
  typeof entry?.passed === "boolean" && Number.isInteger(entry.tries) && entry.tries >= 0;

/** The record in a text; an Error states the rule that the text breaks. */
export function parse(text) {
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
    if (!isEntry(entry)) throw new Error(`exercise ${id} has "passed" (true or false) and "tries"`);
  }
  return { format: FORMAT, version: 1, name, exercises };
}

/**
 * What a run counts for: true is a pass, false a try that did not pass, null no try at all.
 * A try is a run of the reader's code that passed, failed or ended in an error; a run that left the
 * answer open, was stopped, or found no Python to run it is none.
 * @param {{state: string, broken?: string}} outcome
 */
export function counted({ state, broken }) {
  if (broken || !["passed", "failed", "error"].includes(state)) return null;
  return state === "passed";
}

const untried = (starter = "") => ({ passed: false, tries: 0, at: null, starter });

/** What the record holds of one exercise. */
export const entryOf = (record, id) => record.exercises[id] ?? untried();

/** The record after one more run; `passed` is what the run counted for. After a pass none counts. */
export function noted(record, { id, passed, starter }, now) {
  const before = record.exercises[id] ?? untried(starter);
  if (passed === null || before.passed) return record;
  const entry = { passed, tries: before.tries + 1, at: now.toISOString(), starter };
  return { ...record, exercises: { ...record.exercises, [id]: entry } };
}

/** Both records in one: nothing that was passed in either is lost. */
export function merged(mine, theirs) {
  const exercises = { ...mine.exercises };
  for (const [id, other] of Object.entries(theirs.exercises)) {
    const own = exercises[id];
    const better = !own || (other.passed && !own.passed) ? other : own;
    exercises[id] = { ...better, tries: Math.max(own?.tries ?? 0, other.tries) };
  }
  return { ...mine, name: mine.name || theirs.name, exercises };
}

/** How many of these exercises are passed. */
export const solved = (record, ids) => ids.filter((id) => record.exercises[id]?.passed).length;
