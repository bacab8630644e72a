/** On the start page: a link to where the reader left off, and each chapter's progress on its card. */
import { html } from "../attn/kit/elements.js";
import { browserStorage, DraftStorage } from "../editing/draft-storage.mjs";
import { addressOf, loadCourse } from "./course.mjs";
import { lastExercise } from "./last-exercise.mjs";
import { countPassed } from "./record.mjs";
import { loadRecord, onRecordChange } from "./storage.mjs";

/**
 * @typedef {import("./course.mjs").Chapter} Chapter
 * @typedef {import("./record.mjs").ProgressRecord} ProgressRecord
 */

/**
 * @param {ProgressRecord} record
 * @param {Chapter} chapter
 */
function chapterProgress(record, { title, exercises }) {
  const passed = countPassed(record, exercises);
  const count = `${passed} of ${exercises.length} exercises`;
  const bar = { max: exercises.length, value: passed, "aria-label": `${title}: ${count} solved` };
  return html("p", { class: "attn-card-progress" }, html("progress", bar), ` ${count}`);
}

/** @param {string} page */
function cardOf(page) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("#the-chapters li strong a");
  const link = [...links].find(({ pathname }) => pathname === addressOf(page).pathname);
  return link?.closest("li");
}

/**
 * @param {Chapter[]} chapters
 * @param {ProgressRecord} record
 */
function drawCards(chapters, record) {
  document.querySelectorAll(".attn-card-progress").forEach((line) => line.remove());
  for (const chapter of chapters) {
    if (countPassed(record, chapter.exercises)) {
      cardOf(chapter.page)?.append(chapterProgress(record, chapter));
    }
  }
}

/**
 * @param {Chapter[]} chapters
 * @param {string|null} last  the exercise worked on last
 */
function drawContinue(chapters, last) {
  document.querySelector(".attn-continue")?.remove();
  const chapter = chapters.find(({ exercises }) => exercises.some(({ id }) => id === last));
  if (!chapter) return;
  const href = addressOf(`${chapter.page}#ex-${last}`).href;
  const link = html("a", { href, text: `Continue where you left off: ${chapter.title}` });
  const buttons = document.querySelector(".bd-article > section > ul");
  buttons?.prepend(html("li", { class: "attn-continue" }, link));
}

/** Nothing is fetched, and nothing changes, while there is nothing to show. */
async function draw() {
  const record = loadRecord();
  const drafts = new DraftStorage(browserStorage()).edited();
  const last = lastExercise(
    record,
    drafts.map(({ id, at }) => ({ exercise: id, at })),
  );
  const { chapters } = last ? await loadCourse() : { chapters: [] };
  drawCards(chapters, record);
  drawContinue(chapters, last);
}

export function mount() {
  onRecordChange(draw);
  return draw();
}
