/** Where the reader's record is kept: in this browser, or for as long as the page is open. */
import { emptyRecord, parseRecord } from "./record.mjs";

/** @typedef {import("./record.mjs").ProgressRecord} ProgressRecord */

const KEY = "attn:progress"; // in the browser's storage
const CHANGED = "attn:progress-changed"; // on the document, whichever tab changed it

/** The record of this page, where the browser keeps nothing. @type {ProgressRecord|null} */
let inMemory = null;

/** The record; a new one where there is none, or none that can be read. */
export function loadRecord() {
  if (inMemory) return inMemory;
  try {
    const text = localStorage.getItem(KEY);
    return text ? parseRecord(text) : emptyRecord();
  } catch {
    return emptyRecord();
  }
}

/**
 * Whether it could be stored.
 * @param {ProgressRecord} record
 */
export function saveRecord(record) {
  inMemory = record;
  try {
    localStorage.setItem(KEY, JSON.stringify(record));
    inMemory = null;
  } catch {
    return false;
  } finally {
    document.dispatchEvent(new Event(CHANGED));
  }
  return true;
}

/** Call `act` whenever this tab or another one changed the record. @param {() => void} act */
export function onRecordChange(act) {
  document.addEventListener(CHANGED, act);
  addEventListener("storage", ({ key }) => {
    if (key === KEY) act();
  });
}
