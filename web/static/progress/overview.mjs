// On the start page: every chapter's exercises, the reader's name, export, import, clear and undo.

import { empty, parse, solved } from "./record.mjs";

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** "✓ Passed", "✗ Not yet", or that there is no verdict, as a mark and words. */
function standing(entry, headings) {
  const heading = entry ? headings[entry.passed ? "passed" : "failed"] : "○ Not tried";
  const [mark, ...words] = heading.split(" ");
  return { mark, words: words.join(" ").toLowerCase() };
}

function chapterRow({ page, title, exercises }, record, { site, headings }) {
  const done = solved(
    record,
    exercises.map(({ id }) => id),
  );
  const items = exercises.map(({ id, title: name }) => {
    const { mark, words } = standing(record.exercises[id], headings);
    const link = make("a", { href: new URL(`${page}#ex-${id}`, site).href, textContent: name });
    return make("li", {}, `${mark} `, link, ` (${words})`);
  });
  const bar = make("progress", { max: exercises.length, value: done });
  bar.setAttribute("aria-label", `${title}: ${done} of ${exercises.length} exercises solved`);
  const count = `${done} of ${exercises.length}`;
  const summary = make("summary", {}, `${title} `, bar, ` ${count}`);
  return make("details", {}, summary, make("ul", {}, ...items));
}

function download(record) {
  const link = make("a", {
    href: `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(record, null, 1))}`,
    download: `attn-progress${record.name ? `-${record.name.replace(/[^\p{L}\p{N}]+/gu, "-")}` : ""}.json`,
  });
  link.click();
}

/** @param {{load, save, course, merged}} kept where the record is kept */
export async function mount(section, { load, save, course, merged }) {
  const site = new URL("../../", import.meta.url);
  const { chapters, headings } = await course();
  const list = make("div");
  const status = make("p", { className: "attn-progress-status" });
  status.setAttribute("role", "status");
  const name = make("input", { type: "text", autocomplete: "name", maxLength: 80 });
  const file = make("input", { type: "file", accept: ".json,application/json", hidden: true });
  const button = (text, act) => make("button", { type: "button", textContent: text, onclick: act });
  let undone = null;

  const keep = (record, said) => {
    status.textContent = save(record)
      ? said
      : "This browser does not keep anything: export to save your progress.";
  };
  const undo = button("Undo", () => {
    keep(undone, "Your progress is back.");
    undone = null;
    draw();
  });
  const draw = () => {
    const record = load();
    if (document.activeElement !== name) name.value = record.name;
    list.replaceChildren(
      ...chapters.map((chapter) => chapterRow(chapter, record, { site, headings })),
    );
    undo.hidden = undone === null;
  };

  name.onchange = () => keep({ ...load(), name: name.value.trim() }, "Name kept.");
  file.onchange = async () => {
    try {
      keep(
        merged(load(), parse(await file.files[0].text())),
        "Imported: nothing you had solved was lost.",
      );
    } catch (error) {
      status.textContent = `Not imported: ${error.message}.`;
    }
    file.value = "";
    draw();
  };
  const clear = button("Clear", () => {
    undone = load();
    keep(empty(), "Progress cleared. What you wrote in the exercises is still there.");
    draw();
  });
  const label = make("label", {}, "Your name, for the exported file (optional) ", name);
  const row = make("div", { className: "attn-progress-buttons" });
  row.append(
    button("Export", () => {
      download(load());
      status.textContent = "Exported: a file with your progress was downloaded.";
    }),
    button("Import", () => file.click()),
    clear,
    undo,
    file,
  );
  section.append(list, label, row, status);
  document.addEventListener("attn:progress-changed", draw);
  draw();
}
