/** Turn the exercises of a page into cells that run. Loaded only by pages that have exercises. */

import { browserStorage, Store } from "./draft-storage.mjs";
import { whenNear } from "./editor-loader.mjs";
import { ExerciseCell } from "./exercise-cell.mjs";
import { canShareMemory, Python } from "./python.mjs";
import { onIntent, savesData } from "./run-intent.mjs";

function createWorker() {
  return new Worker(new URL("./python-worker.mjs", import.meta.url), { type: "module" });
}

function openPage() {
  const storage = browserStorage();
  const page = {
    python: new Python(createWorker, canShareMemory(globalThis)),
    store: new Store(storage),
    storage,
  };
  return [...document.querySelectorAll(".attn-exercise[data-exercise]")].map((root) => {
    const about = JSON.parse(root.querySelector("script.attn-exercise-data").textContent);
    const cell = new ExerciseCell(root, about, page);
    whenNear(root, () => mountAll());
    if (about.needs.length === 0 && !savesData(globalThis))
      onIntent(root, () => page.python.warm());
    return cell;
  });
}

const cells = openPage();
const mountAll = () => cells.forEach((cell) => cell.mountEditor());

addEventListener("storage", ({ key }) => cells.forEach((cell) => cell.draft.heard(key)));
addEventListener("hashchange", () => cells.forEach((cell) => cell.solution.follow(location.hash)));
addEventListener("pagehide", () => cells.forEach((cell) => cell.draft.save()));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) cells.forEach((cell) => cell.draft.save());
});
addEventListener("beforeunload", (event) => {
  cells.forEach((cell) => cell.draft.save());
  if (cells.some((cell) => cell.draft.unsaved)) event.preventDefault();
});
