import assert from "node:assert/strict";
import { test } from "node:test";

import { lastExercise } from "../../web/static/progress/last-exercise.mjs";
import {
  addRun,
  countPassed,
  emptyRecord,
  entryOf,
  mergeRecords,
  parseRecord,
  tryResult,
} from "../../web/static/progress/record.mjs";

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
  ['{"format": "attn-progress", "version": 1, "exercises": {"x": 1}}', /exercise x has "passed"/],
]) {
  test(`a file that is not a progress file is refused: ${text}`, () => {
    assert.throws(() => parseRecord(text), rule);
  });
}

test("a reader who did nothing left off nowhere", () => {
  assert.equal(lastExercise(emptyRecord(), []), null);
});

test("a reader left off at the newest try or the newest answer", () => {
  const record = addRun(emptyRecord(), failed, NOW);
  const draft = (seconds) => ({ exercise: "02-order", at: NOW.getTime() + 1000 * seconds });
  assert.equal(lastExercise(record, [draft(-1)]), "01-softmax");
  assert.equal(lastExercise(record, [draft(-1), draft(1)]), "02-order");
});
