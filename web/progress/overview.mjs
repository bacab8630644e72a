/** On the start page: every chapter's exercises, the reader's name, export, import, clear and undo. */
import { html } from "../attn/kit/elements.js";
import { browserStorage } from "../editing/draft-storage.mjs";
import { keepCellEdits, withCellEdits } from "./cell-edits.mjs";
import { addressOf, loadCourse } from "./course.mjs";
import { countPassed, emptyRecord, mergeRecords, parseRecord } from "./record.mjs";
import { loadRecord, onRecordChange, saveRecord } from "./storage.mjs";

/**
 * @typedef {import("./course.mjs").Chapter} Chapter
 * @typedef {import("./course.mjs").Headings} Headings
 * @typedef {import("./record.mjs").Entry} Entry
 * @typedef {import("./record.mjs").ProgressRecord} ProgressRecord
 */

/**
 * "✓ Passed", "✗ Not yet", or that it was not tried, as a mark and words.
 * @param {Entry|undefined} entry
 * @param {Headings} headings
 */
function describeEntry(entry, headings) {
  const heading = entry ? headings[entry.passed ? "passed" : "failed"] : "○ Not tried";
  const [mark, ...words] = heading.split(" ");
  return { mark, words: words.join(" ").toLowerCase() };
}

/**
 * @param {Chapter} chapter
 * @param {ProgressRecord} record
 * @param {Headings} headings
 */
function chapterRow({ page, title, exercises }, record, headings) {
  const items = exercises.map(({ id, title: text }) => {
    const { mark, words } = describeEntry(record.exercises[id], headings);
    const link = html("a", { href: addressOf(`${page}#ex-${id}`).href, text });
    return html("li", {}, `${mark} `, link, ` (${words})`);
  });
  const count = `${countPassed(record, exercises)} of ${exercises.length}`;
  const summary = html("summary", {}, `${title}, ${count}`);
  return html("details", {}, summary, html("ul", {}, ...items));
}

/** @param {ProgressRecord} record */
function download(record) {
  const text = encodeURIComponent(JSON.stringify(record, null, 1));
  const name = record.name.replace(/[^\p{L}\p{N}]+/gu, "-");
  html("a", {
    href: `data:application/json;charset=utf-8,${text}`,
    download: `attn-progress${name && `-${name}`}.json`,
  }).click();
}

class Overview {
  #course;
  #chapters = html("div");
  #status = html("p", { class: "attn-progress-status", role: "status" });
  #name = html("input", {
    type: "text",
    autocomplete: "name",
    maxlength: 80,
    onchange: () => this.#save({ ...loadRecord(), name: this.#name.value.trim() }, "Name kept."),
  });
  #file = html("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: () => this.#import(),
  });
  #undo = button("Undo", () => this.#restore());
  /** What *Undo* adds to what there is by then. @type {ProgressRecord|null} */
  #cleared = null;

  /** @param {{chapters: Chapter[], headings: Headings}} course */
  constructor(course) {
    this.#course = course;
  }

  get elements() {
    const label = ["Your name, for the exported file (optional) ", this.#name];
    const buttons = [
      button("Export", () => this.#export()),
      button("Import", () => this.#file.click()),
      button("Clear", () => this.#clear()),
      this.#undo,
      this.#file,
    ];
    return [
      this.#chapters,
      html("label", {}, ...label),
      html("div", { class: "attn-progress-buttons" }, ...buttons),
      this.#status,
    ];
  }

  draw() {
    const record = loadRecord();
    const { chapters, headings } = this.#course;
    if (document.activeElement !== this.#name) this.#name.value = record.name;
    const rows = chapters.map((chapter) => chapterRow(chapter, record, headings));
    this.#chapters.replaceChildren(...rows);
    this.#undo.hidden = this.#cleared === null;
  }

  /**
   * @param {ProgressRecord} record
   * @param {string} message
   */
  #save(record, message) {
    this.#status.textContent = saveRecord(record)
      ? message
      : "This browser does not keep anything: export to save your progress.";
  }

  #export() {
    download(withCellEdits(loadRecord(), browserStorage()));
    const message = "Exported: a file with your progress and your changed cells was downloaded.";
    this.#status.textContent = message;
  }

  async #import() {
    try {
      const theirs = parseRecord((await this.#file.files?.[0].text()) ?? "");
      this.#save(mergeRecords(loadRecord(), theirs), "Imported: nothing you had solved was lost.");
      const lost = keepCellEdits(theirs, browserStorage());
      if (lost) this.#status.append(` ${lostCells(lost)}`);
    } catch (error) {
      this.#status.textContent = `Not imported: ${/** @type {Error} */ (error).message}.`;
    }
    this.#file.value = "";
  }

  #clear() {
    this.#cleared = mergeRecords(loadRecord(), this.#cleared ?? emptyRecord());
    const message = "Progress cleared. What you wrote in the exercises is still there.";
    this.#save(emptyRecord(), message);
  }

  #restore() {
    const record = mergeRecords(loadRecord(), this.#cleared ?? emptyRecord());
    this.#cleared = null;
    this.#save(record, "Your progress is back.");
  }
}

/** @param {number} count */
const lostCells = (count) =>
  `${count === 1 ? "One changed cell was" : `${count} changed cells were`} not: ` +
  "this browser has no room for more. Keep the file.";

/**
 * @param {string} text
 * @param {() => void} onclick
 */
function button(text, onclick) {
  return html("button", { type: "button", text, onclick });
}

/** @param {Element} section */
export async function mount(section) {
  const overview = new Overview(await loadCourse());
  section.append(...overview.elements);
  onRecordChange(() => overview.draw());
  overview.draw();
}
