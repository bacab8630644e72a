/** On every page: adds each run to the reader's record, and ticks the chapters in the sidebar. */
import { addressOf, loadCourse } from "./course.mjs";
import { addRun, countPassed } from "./record.mjs";
import { loadRecord, onRecordChange, saveRecord } from "./storage.mjs";

/**
 * @param {Element} link
 * @param {number} passed
 * @param {number} total
 */
function tick(link, passed, total) {
  let mark = /** @type {HTMLElement|null} */ (link.querySelector(".attn-tick"));
  if (!mark) {
    mark = document.createElement("span");
    mark.className = "attn-tick";
    link.append(" ", mark);
  }
  mark.textContent = passed === total ? "✓" : `${passed}/${total}`;
  mark.title = `${passed} of ${total} exercises solved`;
}

/** Ticks beside the chapters; nothing is fetched while there is nothing to tick. */
async function tickSidebar() {
  if (!Object.keys(loadRecord().exercises).length) {
    document.querySelectorAll(".attn-tick").forEach((mark) => mark.remove());
    return;
  }
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".bd-links a.reference");
  const { chapters } = await loadCourse();
  const record = loadRecord(); // as it is now: a run may have ended meanwhile
  for (const { page, exercises } of chapters) {
    const passed = countPassed(record, exercises);
    const path = addressOf(page).pathname;
    for (const link of links) {
      if (passed && new URL(link.href).pathname === path) tick(link, passed, exercises.length);
    }
  }
}

document.addEventListener("attn:progress", (event) => {
  const { detail } = /** @type {CustomEvent<import("./record.mjs").Run>} */ (event);
  const before = loadRecord();
  const after = addRun(before, detail, new Date());
  if (after !== before) saveRecord(after);
});
onRecordChange(tickSidebar);
tickSidebar();

const overview = document.querySelector("#your-progress");
if (overview) {
  const [list, start] = await Promise.all([import("./overview.mjs"), import("./start-page.mjs")]);
  await Promise.all([list.mount(overview), start.mount()]);
}
