/** The elements of an exercise: buttons, regions, and lines that appear when there is something to say. */
import { html } from "../attn/kit/elements.js";
import { button } from "../editing/notice.mjs";
import { createRunStatus } from "../page_python/run-status.mjs";

/** @typedef {ReturnType<typeof createElements>} CellElements */

/**
 * Add the controls to an exercise.
 * @param {HTMLElement} root
 * @param {{title: string, hints: string[], runs: boolean}} exercise
 */
export function addElements(root, { title, hints, runs }) {
  const elements = createElements(root.dataset.exercise ?? "", title);
  elements.hint.hidden = hints.length === 0;
  elements.status.append(elements.line, elements.verdict);
  root.append(...arrange(elements, runs));
  return elements;
}

/**
 * @param {string} id  of the exercise
 * @param {string} title
 */
function createElements(id, title) {
  const polite = { hidden: true, "aria-label": "Hints", "aria-live": "polite" };
  const region = { hidden: true, tabindex: 0, role: "region", "aria-label": `Output of ${title}` };
  return {
    run: button("Run", { class: "attn-button attn-button-main" }),
    stop: button("Stop", { hidden: true }),
    hint: button("Hint"),
    solution: button("Solution"),
    reset: button("Reset"),
    undo: button("Undo", { hidden: true, title: "Bring back the text that was replaced" }),
    tab: html("input", { type: "checkbox" }),
    help: html("p", { class: "attn-exercise-help", id: `attn-help-${id}` }),
    editor: html("div", { class: "attn-editor" }),
    notice: html("div", { class: "attn-notice", hidden: true, role: "alert" }),
    status: html("div", { class: "attn-exercise-status", role: "status" }),
    ...createRunStatus(),
    verdict: html("div"),
    output: html("pre", { class: "attn-exercise-output", ...region }),
    hints: html("ol", { class: "attn-exercise-hints", ...polite }),
  };
}

/**
 * The elements in their order; without those of a run where nothing can be run.
 * @param {CellElements} elements
 * @param {boolean} runs
 */
function arrange(elements, runs) {
  const { hint, solution, status, hints } = elements;
  if (!runs) return [bar(hint, solution), status, hints];
  const { run, stop, reset, undo, tab, notice, editor, help, progress, output } = elements;
  const tabChoice = html("label", { class: "attn-exercise-tab" }, tab, " Tab indents");
  const buttons = bar(run, stop, hint, solution, reset, undo, tabChoice);
  return [notice, editor, buttons, help, progress, status, output, hints];
}

/** @param {HTMLElement[]} controls */
const bar = (...controls) => html("div", { class: "attn-exercise-bar" }, ...controls);

/**
 * Show one more hint, until there are no more.
 * @param {CellElements} elements
 * @param {string[]} texts
 */
export function showHint({ hints, hint }, texts) {
  const shown = hints.childElementCount;
  const left = texts.length - shown - 1;
  if (left < 0) return;
  hints.hidden = false;
  hints.append(html("li", { text: texts[shown] }));
  hint.title = left ? `${left} more` : "That was the last hint";
  if (left === 0) hint.setAttribute("aria-disabled", "true");
}
