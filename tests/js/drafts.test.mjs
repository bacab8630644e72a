import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft } from "../../web/editing/draft.mjs";
import { browserStorage, DraftStorage, draftKey } from "../../web/editing/draft-storage.mjs";

/** A stand-in for localStorage; `limit` is how many characters it holds. */
function memory(limit = Infinity) {
  const kept = new Map();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (i) => [...kept.keys()][i] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
  };
}

const STARTER = { text: "...\n", version: "v1" };
const open = (storage, starter = STARTER) =>
  new Draft({ id: "01-softmax", original: starter, storage: new DraftStorage(storage) });

function write(draft, text) {
  draft.edit(text);
  draft.save();
}

test("a page that is opened again shows the text that was left", () => {
  const storage = memory();
  write(open(storage), "mine");
  assert.equal(open(storage).text, "mine");
});

test("a page that was never edited stores nothing", () => {
  const storage = memory();
  open(storage).save();
  assert.equal(storage.length, 0);
});

test("reset shows the starter, and undo brings the answer back after a reload too", () => {
  const storage = memory();
  const draft = open(storage);
  write(draft, "mine");
  draft.reset();
  assert.equal(draft.text, STARTER.text);
  const reloaded = open(storage);
  assert.equal(reloaded.text, STARTER.text);
  reloaded.undoReset();
  assert.equal(reloaded.text, "mine");
  assert.equal(open(storage).text, "mine");
});

test("a changed starter leaves the reader's text in place and asks", () => {
  const storage = memory();
  write(open(storage), "mine");
  const draft = open(storage, { text: "new\n", version: "v2" });
  assert.equal(draft.text, "mine");
  assert.deepEqual(draft.conflict, { kind: "original", theirs: "new\n" });
});

test("taking the new starter can be undone, and is not asked twice", () => {
  const storage = memory();
  write(open(storage), "mine");
  const changed = { text: "new\n", version: "v2" };
  const draft = open(storage, changed);
  draft.decide(false);
  assert.equal(draft.text, "new\n");
  const reloaded = open(storage, changed);
  assert.equal(reloaded.conflict, null);
  reloaded.undoReset();
  assert.equal(reloaded.text, "mine");
});

test("keeping the old text under a new starter is remembered", () => {
  const storage = memory();
  write(open(storage), "mine");
  const changed = { text: "new\n", version: "v2" };
  open(storage, changed).decide(true);
  const reloaded = open(storage, changed);
  assert.equal(reloaded.text, "mine");
  assert.equal(reloaded.conflict, null);
});

test("an answer that was reset before the starter changed is not offered again", () => {
  const storage = memory();
  const draft = open(storage);
  write(draft, "mine");
  draft.reset();
  assert.equal(open(storage, { text: "new\n", version: "v2" }).conflict, null);
});

test("a tab without edits of its own follows the other tab", () => {
  const storage = memory();
  const [here, there] = [open(storage), open(storage)];
  write(there, "theirs");
  here.onStorageEvent(draftKey("draft", "01-softmax", "v1"));
  assert.equal(here.text, "theirs");
  assert.equal(here.conflict, null);
});

test("a tab with unsaved edits asks before either text is lost", () => {
  const storage = memory();
  const [here, there] = [open(storage), open(storage)];
  here.edit("mine");
  write(there, "theirs");
  here.onStorageEvent(draftKey("draft", "01-softmax", "v1"));
  assert.equal(here.text, "mine");
  assert.deepEqual(here.conflict, { kind: "tab", theirs: "theirs" });
  here.save();
  assert.equal(open(storage).text, "theirs");
  here.decide(true);
  assert.equal(open(storage).text, "mine");
});

test("a tab that missed the news does not overwrite what the other tab stored", () => {
  const storage = memory();
  const [here, there] = [open(storage), open(storage)];
  write(there, "theirs");
  write(here, "mine");
  assert.equal(here.conflict.kind, "tab");
  assert.equal(open(storage).text, "theirs");
});

test("news about another exercise changes nothing", () => {
  const storage = memory();
  const draft = open(storage);
  storage.setItem(draftKey("draft", "01-other", "v1"), JSON.stringify({ text: "x" }));
  draft.onStorageEvent(draftKey("draft", "01-other", "v1"));
  assert.equal(draft.text, STARTER.text);
});

test("full storage is reported, and the text stays in the page as unsaved", () => {
  const draft = open(memory(10));
  write(draft, "a longer answer");
  assert.equal(draft.problem, "full");
  assert.equal(draft.unsaved, true);
  assert.equal(draft.text, "a longer answer");
});

test("forbidden storage is reported on the first edit, not before", () => {
  const scope = {
    get localStorage() {
      throw new DOMException("no", "SecurityError");
    },
  };
  const draft = open(browserStorage(scope));
  assert.equal(draft.problem, null);
  write(draft, "mine");
  assert.equal(draft.problem, "forbidden");
});

test("a damaged record is ignored", () => {
  const storage = memory();
  for (const raw of ["{", "null", "[]", '{"text": 3}']) {
    storage.setItem(draftKey("draft", "01-softmax", "v1"), raw);
    assert.equal(open(storage).text, STARTER.text);
  }
});

test("a stored answer is not unsaved, and its tab follows later edits of another", () => {
  const storage = memory();
  const here = open(storage);
  write(here, "mine");
  assert.equal(here.unsaved, false);
  write(open(storage), "a later edit");
  here.onStorageEvent(draftKey("draft", "01-softmax", "v1"));
  assert.equal(here.text, "a later edit");
  assert.equal(here.conflict, null);
});

test("of all stored answers, those that are still the starter do not count as edited", () => {
  const storage = memory();
  write(open(storage), "mine");
  const [key, mine] = [...storage.kept][0];
  storage.setItem(draftKey("draft", "01-slope", "v1"), mine.replace("true", "false"));
  storage.setItem(draftKey("draft", "01-hull", "v1"), "not a draft");
  storage.setItem("attn:progress", "{}");
  const { at } = JSON.parse(storage.getItem(key));
  assert.deepEqual(new DraftStorage(storage).edited(), [
    { id: "01-softmax", version: "v1", text: "mine", at },
  ]);
});

test("the edits of cells are kept apart from the answers to exercises", () => {
  const storage = memory();
  write(open(storage), "an answer");
  const cells = new DraftStorage(storage, "cell");
  write(new Draft({ id: "01-lookup/3", original: STARTER, storage: cells }), "a cell");
  assert.deepEqual(
    cells.edited().map(({ id, text }) => [id, text]),
    [["01-lookup/3", "a cell"]],
  );
  assert.equal(new DraftStorage(storage).edited().length, 1);
});
