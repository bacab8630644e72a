// Where the reader's record is kept: in this browser, or for as long as the page is open.

import { empty, parse } from "./record.mjs";

export const RECORD = "attn:progress"; // its name in the browser's storage

let unstored = null; // the record of this page, where the browser keeps nothing

/** The record; a new one where there is none, or none that can be read. */
export function load() {
  if (unstored) return unstored;
  try {
    const text = localStorage.getItem(RECORD);
    return text ? parse(text) : empty();
  } catch {
    return empty();
  }
}

/** Whether it could be stored. Other tabs hear of it by the browser's storage event, this one here. */
export function save(record) {
  unstored = record;
  try {
    localStorage.setItem(RECORD, JSON.stringify(record));
    unstored = null;
  } catch {
    return false;
  } finally {
    document.dispatchEvent(new CustomEvent("attn:progress-changed", { detail: record }));
  }
  return true;
}
