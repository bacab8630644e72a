// On every page: notes each verdict, and ticks the chapters in the sidebar.

import { empty, merged, noted, parse, solved } from "./record.mjs";

const KEY = "attn:progress";

/** The stored record; a new one where there is none, or where storage is forbidden. */
export function load() {
  try {
    const text = localStorage.getItem(KEY);
    return text ? parse(text) : empty();
  } catch {
    return empty();
  }
}

/** Whether it could be stored. Other tabs hear of it by the browser's storage event, this one here. */
export function save(record) {
  try {
    localStorage.setItem(KEY, JSON.stringify(record));
  } catch {
    return false;
  } finally {
    document.dispatchEvent(new CustomEvent("attn:progress-changed", { detail: record }));
  }
  return true;
}

/** The chapters and their exercises, written when the site was built. */
export const course = async () => (await fetch(new URL("./course.json", import.meta.url))).json();

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
  for (const { page, exercises } of await course()) {
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
  if (detail.starter) save(noted(load(), detail, new Date()));
});
document.addEventListener("attn:progress-changed", ({ detail }) => tickSidebar(detail));
addEventListener("storage", ({ key }) => {
  if (key === KEY)
    document.dispatchEvent(new CustomEvent("attn:progress-changed", { detail: load() }));
});
tickSidebar(load());

const overview = document.querySelector("#your-progress");
if (overview) (await import("./overview.mjs")).mount(overview, { load, save, course, merged });
