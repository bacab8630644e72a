import assert from "node:assert/strict";
import { test } from "node:test";

import { DraftStorage } from "../../web/editing/draft-storage.mjs";
import { keepCellEdits, withCellEdits } from "../../web/progress/cell-edits.mjs";
import { lastExercise } from "../../web/progress/last-exercise.mjs";
import {
  addRun,
  countPassed,
  emptyRecord,
  entryOf,
  mergeRecords,
  parseRecord,
  tryResult,
} from "../../web/progress/record.mjs";

const NOW = new Date("2026-01-02T03:04:05Z");
const failed = { id: "01-softmax", passed: false, starter: "abc" };
const passed = { ...failed, passed: true };

test("a failed and a passed run are two tries", () => {
  const record = addRun(addRun(emptyRecord(), failed, NOW), passed, NOW);
  assert.deepEqual(record.exercises["01-softmax"], {
    passed: true,
    tries: 2,
    at: "2026-01-02T03:04:05.000Z",
    starter: "abc",
  });
});

for (const [outcome, meaning] of [
  [{ state: "passed" }, true],
  [{ state: "failed" }, false],
  [{ state: "error" }, false],
  [{ state: "error", broken: "start" }, null],
  [{ state: "error", broken: "crash" }, null],
  [{ state: "unanswered" }, null],
  [{ state: "stopped", stopped: "limit" }, null],
]) {
  test(`what a run counts for: ${JSON.stringify(outcome)}`, () => {
    assert.equal(tryResult(outcome), meaning);
  });
}

test("an exercise that was never run has no tries", () => {
  const { passed: done, tries } = entryOf(emptyRecord(), "01-softmax");
  assert.deepEqual({ done, tries }, { done: false, tries: 0 });
});

test("an unanswered run is no try", () => {
  assert.deepEqual(addRun(emptyRecord(), { ...failed, passed: null }, NOW), emptyRecord());
});

test("what was passed stays passed", () => {
  const record = addRun(addRun(emptyRecord(), passed, NOW), failed, NOW);
  assert.equal(record.exercises["01-softmax"].passed, true);
  assert.equal(record.exercises["01-softmax"].tries, 1);
});

test("an import loses nothing that was solved on either side", () => {
  const mine = addRun(emptyRecord(), passed, NOW);
  const theirs = addRun(
    { ...emptyRecord(), name: "Ada" },
    { ...passed, id: "01-soft-lookup" },
    NOW,
  );
  const both = mergeRecords(mine, theirs);
  assert.equal(countPassed(both, [{ id: "01-softmax" }, { id: "01-soft-lookup" }]), 2);
  assert.equal(both.name, "Ada");
});

test("an import does not undo a pass", () => {
  const both = mergeRecords(addRun(emptyRecord(), passed, NOW), addRun(emptyRecord(), failed, NOW));
  assert.equal(both.exercises["01-softmax"].passed, true);
});

test("an exported record is read back as it was", () => {
  const record = addRun({ ...emptyRecord(), name: "Ada" }, passed, NOW);
  assert.deepEqual(parseRecord(JSON.stringify(record)), record);
});

for (const [text, rule] of [
  ["{", /not a JSON file/],
  ["[]", /"format": "attn-progress"/],
  ['{"format": "attn-progress", "version": 2}', /version 1 can be read, not 2/],
  ['{"format": "attn-progress", "version": 1}', /exercises an object/],
  [
    '{"format": "attn-progress", "version": 1, "exercises": {"01-x": 1}}',
    /exercise 01-x has "passed"/,
  ],
  [
    '{"format": "attn-progress", "version": 1, "exercises": {"__proto__": {}}}',
    /named like 01-softmax, not __proto__/,
  ],
]) {
  test(`a file that is not a progress file is refused: ${text}`, () => {
    assert.throws(() => parseRecord(text), rule);
  });
}

test("a reader who did nothing left off nowhere", () => {
  assert.equal(lastExercise(emptyRecord(), []), null);
});

test("a try at a time that cannot be read is the oldest", () => {
  const entry = { passed: false, tries: 1, starter: "" };
  const exercises = { "01-a": { ...entry, at: "soon" }, "01-b": { ...entry, at: "2026-01-01" } };
  assert.equal(lastExercise({ ...emptyRecord(), exercises }, []), "01-b");
});

test("a reader left off at the newest try or the newest answer", () => {
  const record = addRun(emptyRecord(), failed, NOW);
  const draft = (seconds) => ({ exercise: "02-order", at: NOW.getTime() + 1000 * seconds });
  assert.equal(lastExercise(record, [draft(-1)]), "01-softmax");
  assert.equal(lastExercise(record, [draft(-1), draft(1)]), "02-order");
});

/** A browser that keeps these texts. */
function browser(kept = {}) {
  const storage = {
    get length() {
      return Object.keys(kept).length;
    },
    key: (i) => Object.keys(kept)[i] ?? null,
    getItem: (key) => kept[key] ?? null,
    setItem: (key, text) => {
      kept[key] = text;
    },
  };
  return storage;
}
const draft = (text, edited = true) => JSON.stringify({ text, edited, undo: null, at: 0 });
const textsIn = (storage) =>
  Object.fromEntries(new DraftStorage(storage, "cell").edited().map(({ id, text }) => [id, text]));

test("an exported record carries the cells that were changed, and no others", () => {
  const storage = browser({
    "attn:cell:01-lookup/5:ab12": draft("print(1)"),
    "attn:cell:01-lookup/6:cd34": draft("as it was", false),
    "attn:draft:01-softmax:ef56": draft("an answer"),
  });
  const record = withCellEdits(emptyRecord(), storage);
  assert.deepEqual(record.cells, {
    "01-lookup/5": { text: "print(1)", version: "ab12", at: "1970-01-01T00:00:00.000Z" },
  });
  assert.deepEqual(parseRecord(JSON.stringify(record)), record);
});

test("a cell's record without a time, or with one that no calendar has, is exported", () => {
  const times = [undefined, null, "x", 1e300, []];
  const kept = times.map((at, i) => [
    `attn:cell:01-lookup/${i}:ab12`,
    JSON.stringify({ text: "mine", edited: true, at }),
  ]);
  const odd = [["attn:cell:01-lookup/9", draft("no version")]];
  const storage = browser(Object.fromEntries([...kept, ...odd]));
  const record = withCellEdits(emptyRecord(), storage);
  assert.deepEqual(
    Object.values(record.cells).map(({ at }) => at),
    times.map(() => "1970-01-01T00:00:00.000Z"),
  );
  assert.deepEqual(parseRecord(JSON.stringify(record)), record);
});

test("cells for which there is no room are counted", () => {
  const cells = {
    "01-lookup/1": { text: "x", version: "ab" },
    "01-lookup/2": { text: "y", version: "ab" },
  };
  const storage = browser();
  storage.setItem = () => {
    throw new DOMException("quota", "QuotaExceededError");
  };
  assert.equal(keepCellEdits({ ...emptyRecord(), cells }, storage), 2);
  assert.equal(keepCellEdits({ ...emptyRecord(), cells }, browser()), 0);
  assert.equal(keepCellEdits({ ...emptyRecord(), cells }, null), 2);
});

test("without a changed cell the exported record has the form that it always had", () => {
  assert.deepEqual(withCellEdits(emptyRecord(), browser()), emptyRecord());
});

test("an import brings cells to another browser, and replaces none that was changed there", () => {
  const from = browser({
    "attn:cell:01-lookup/5:ab12": draft("theirs"),
    "attn:cell:02-self-attention/3:cd34": draft("theirs too"),
  });
  const to = browser({ "attn:cell:01-lookup/5:ab12": draft("mine") });
  keepCellEdits(parseRecord(JSON.stringify(withCellEdits(emptyRecord(), from))), to);
  assert.deepEqual(textsIn(to), { "01-lookup/5": "mine", "02-self-attention/3": "theirs too" });
});

for (const cells of [
  null,
  3,
  { "01-lookup/5": "x" },
  { "01-lookup/5": { text: "x" } },
  { a: {} },
]) {
  test(`cells of a file that break the rule are refused: ${JSON.stringify(cells)}`, () => {
    const text = JSON.stringify({ ...emptyRecord(), cells });
    assert.throws(() => parseRecord(text), /cell/);
  });
}
