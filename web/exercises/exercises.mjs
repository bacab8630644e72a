/** Turn the exercises of a page into cells that run. Loaded only by pages that have exercises. */

import { keepDrafts } from "../editing/code-box.mjs";
import { browserStorage, DraftStorage } from "../editing/draft-storage.mjs";
import { whenNear } from "../editing/editor-loader.mjs";
import { python } from "../page_python/page-python.mjs";
import { onRunIntent, savesData } from "../page_python/run-intent.mjs";
import { ExerciseCell } from "./exercise-cell.mjs";

const storage = browserStorage();
const services = { python, drafts: new DraftStorage(storage), storage };

/** @param {HTMLElement} root */
function createCell(root) {
  const data = JSON.parse(root.querySelector("script.attn-exercise-data")?.textContent ?? "");
  const cell = new ExerciseCell(root, data, services);
  whenNear(root, mountEditors);
  if (cell.runs && !savesData(globalThis)) onRunIntent(root, () => python.warmUp());
  return cell;
}

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll(".attn-exercise[data-exercise]");
const cells = [...roots].map(createCell);

function mountEditors() {
  cells.forEach((cell) => cell.mountEditor());
}

keepDrafts(() => cells.map(({ draft }) => draft));
addEventListener("hashchange", () => cells.forEach((cell) => cell.solution.follow(location.hash)));
