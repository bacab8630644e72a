import assert from "node:assert/strict";
import { test } from "node:test";
import { allMessage, refusalMessage, statusMessage } from "../../web/cells/messages.mjs";

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
