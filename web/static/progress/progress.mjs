// On every page: notes each run that counts, and ticks the chapters in the sidebar.

import { merged, noted, solved } from "./record.mjs";
import { load, RECORD, save } from "./storage.mjs";

/** The chapters, their exercises and the words of a verdict, written when the site was built. */
const course = async () => (await fetch(new URL("./course.json", import.meta.url))).json();

const SITE = new URL("../../", import.meta.url);

function tick(link, done, all) {
  let mark = link.querySelector(".attn-tick");
  if (!mark) {
    mark = document.createElement("span");
    mark.className = "attn-tick";
    link.append(" ", mark);
  }
  mark.textContent = done === all ? "✓" : `${done}/${all}`;
  mark.title = `${done} of ${all} exercises solved`;
}

/** Ticks beside the chapters; nothing is fetched while there is nothing to tick. */
async function tickSidebar(record) {
  if (!Object.keys(record.exercises).length) {
    document.querySelectorAll(".attn-tick").forEach((mark) => mark.remove());
    return;
  }
  for (const { page, exercises } of (await course()).chapters) {
    const done = solved(
      record,
      exercises.map(({ id }) => id),
    );
    const target = new URL(page, SITE).pathname;
    for (const link of document.querySelectorAll(".bd-links a.reference")) {
      if (done && new URL(link.href).pathname === target) tick(link, done, exercises.length);
    }
  }
}

document.addEventListener("attn:progress", ({ detail }) => {
  const before = load();
  const after = noted(before, detail, new Date());
  if (after !== before) save(after);
});
document.addEventListener("attn:progress-changed", ({ detail }) => tickSidebar(detail));
addEventListener("storage", ({ key }) => {
  if (key === RECORD)
    document.dispatchEvent(new CustomEvent("attn:progress-changed", { detail: load() }));
});
tickSidebar(load());

const overview = document.querySelector("#your-progress");
if (overview) (await import("./overview.mjs")).mount(overview, { load, save, course, merged });
