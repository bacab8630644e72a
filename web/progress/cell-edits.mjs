/** The code that a reader changed in the cells of chapters, as an exported record carries it. */
import { DraftStorage } from "../editing/draft-storage.mjs";
import { isCellEdit } from "./record.mjs";

/**
 * @typedef {import("./record.mjs").ProgressRecord} ProgressRecord
 * @typedef {import("./record.mjs").CellEdit} CellEdit
 */

/**
 * The record with the edits of this browser; without any, as it was.
 * @param {ProgressRecord} record
 * @param {Storage|null} storage
 * @returns {ProgressRecord}
 */
export function withCellEdits(record, storage) {
  const edits = new DraftStorage(storage, "cell").edited().sort((a, b) => a.at - b.at);
  const cells = edits
    .filter((edit) => isCellEdit(edit.id, edit))
    .map(({ id, version, text, at }) => [id, { text, version, at: new Date(at).toISOString() }]);
  return cells.length ? { ...record, cells: Object.fromEntries(cells) } : record;
}

/**
 * Keep the edits of a record in this browser, but for cells that were edited here too; how many it
 * did not keep.
 * @param {ProgressRecord} record
 * @param {Storage|null} storage
 */
export function keepCellEdits({ cells = {} }, storage) {
  const drafts = new DraftStorage(storage, "cell");
  const mine = new Set(drafts.edited().map(({ id }) => id));
  const theirs = Object.entries(cells).filter(([id]) => !mine.has(id));
  const problems = theirs.map(([id, { text, version, at }]) => {
    const draft = { text, edited: true, undo: null, at: Date.parse(at ?? "") || 0 };
    return drafts.write(drafts.key(id, version), JSON.stringify(draft));
  });
  return problems.filter((problem) => problem !== null).length;
}
