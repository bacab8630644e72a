import assert from "node:assert/strict";
import { test } from "node:test";
import { allMessage, refusalMessage, statusMessage } from "../../web/cells/messages.mjs";
import { Sequence } from "../../web/cells/sequence.mjs";

/** A page of cells, all of which have run. */
function page(...codes) {
  const sequence = new Sequence(() => codes);
  const run = (...places) => places.forEach((place) => sequence.add(place, sequence.basis(place)));
  run(...codes.keys());
  return { codes, sequence, run };
}

test("before anything ran, all cells above are missing", () => {
  const sequence = new Sequence(() => ["a", "b", "c"]);
  assert.deepEqual(sequence.missing(0), []);
  assert.deepEqual(sequence.missing(2), [0, 1]);
});

test("what ran is not run again", () => {
  const { sequence } = page("a", "b", "c");
  assert.deepEqual(sequence.missing(2), []);
});

test("after an edit, the edited cell and all below it are missing, those above are not", () => {
  const { codes, sequence } = page("a", "b", "c", "d");
  codes[1] = "B";
  assert.deepEqual(sequence.missing(3), [1, 2]);
});

test("the edited cell alone does not make those below it run again", () => {
  const { codes, sequence, run } = page("a", "b", "c", "d");
  codes[1] = "B";
  run(1);
  assert.deepEqual(sequence.missing(1), []);
  assert.deepEqual(sequence.missing(3), [2]);
});

test("an edit that is taken back before a run leaves nothing to do", () => {
  const { codes, sequence } = page("a", "b", "c");
  codes[0] = "A";
  codes[0] = "a";
  assert.deepEqual(sequence.missing(2), []);
});

test("an edit that is taken back after a run is run again, but nothing below it", () => {
  const { codes, sequence, run } = page("a", "b", "c");
  codes[0] = "A";
  run(0);
  codes[0] = "a";
  assert.deepEqual(sequence.missing(2), [0]);
});

test("a cell that failed is missing", () => {
  const { sequence } = page("a", "b", "c");
  sequence.drop(1);
  assert.deepEqual(sequence.missing(2), [1]);
});

test("with the worker everything is lost", () => {
  const { sequence } = page("a", "b", "c");
  sequence.clear();
  assert.deepEqual(sequence.missing(2), [0, 1]);
});

test("the basis of an output changes with its own code and with any above, not with one below", () => {
  const { codes, sequence } = page("a", "b", "c");
  const before = sequence.basis(1);
  codes[2] = "C";
  assert.equal(sequence.basis(1), before);
  for (const place of [0, 1]) {
    const kept = codes[place];
    codes[place] = "other";
    assert.notEqual(sequence.basis(1), before);
    codes[place] = kept;
  }
});

const quiet = { outcome: null, refusal: "", isStale: false, isEdited: false, isShown: false };

test("a cell that was left alone says nothing, nor one that ran for another", () => {
  assert.equal(statusMessage(quiet), "");
  assert.equal(statusMessage({ ...quiet, outcome: { state: "ran" } }), "");
});

test("a cell says what is most urgent", () => {
  const error = { state: "error", summary: "NameError: x (line 1)" };
  const stale = { ...quiet, outcome: error, isStale: true, isShown: true };
  assert.equal(statusMessage(stale), "Made before your change.");
  assert.equal(statusMessage({ ...stale, refusal: "Not run." }), "Not run.");
  assert.match(statusMessage({ ...stale, isStale: false }), /NameError: x/);
  assert.match(statusMessage({ ...quiet, isEdited: true }), /not run yet/);
  assert.match(
    statusMessage({ ...quiet, outcome: { state: "stopped", stopped: "limit" } }),
    /after 60 seconds/,
  );
});

test("why a cell was not run names the one above and what happened to it", () => {
  assert.match(refusalMessage("cell 3", { state: "error", summary: "x" }), /cell 3.*error/);
  assert.match(refusalMessage("cell 3", { state: "stopped" }), /Stopped.*cell 3/);
  assert.match(
    refusalMessage("cell 3", { state: "error", broken: "start", summary: "Failed" }),
    /could not be started/,
  );
});

test("a run of all cells tells how many ran, or where it ended", () => {
  assert.equal(allMessage(null, 12), "All 12 cells ran.");
  const at = (state) => allMessage({ name: "cell 7", outcome: { state } }, 12);
  assert.match(at("error"), /^Cell 7 ended in an error/);
  assert.match(at("stopped"), /^Stopped at cell 7/);
});
