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

/** The record after one more verdict; an unanswered run (`passed` null) is no try. */
export function noted(record, { id, passed, starter }, now) {
  if (passed === null) return record;
  const before = record.exercises[id] ?? { passed: false, tries: 0, at: null, starter };
  const entry = before.passed
    ? before
    : { passed, tries: before.tries + 1, at: now.toISOString(), starter };
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
