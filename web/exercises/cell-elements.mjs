/** The elements of an exercise: buttons, regions, and lines that appear when there is something to say. */
import { html } from "../attn/kit/elements.js";
import { button } from "../editing/notice.mjs";
import { createRunStatus } from "../page_python/run-status.mjs";

/** @typedef {ReturnType<typeof createElements>} CellElements */

/**
 * Add the controls to an exercise.
 * @param {HTMLElement} root
 * @param {{title: string, hints: string[], runs: boolean}} exercise
 * @param {import("../editing/code-box.mjs").CodeBox} box
 */
export function addElements(root, { title, hints, runs }, box) {
  const elements = createElements(title);
  elements.hint.hidden = hints.length === 0;
  elements.status.append(elements.line, elements.verdict);
  root.append(...(runs ? arrange(elements, box) : arrangeHints(elements)));
  return elements;
}

/** @param {string} title */
function createElements(title) {
  const polite = { hidden: true, "aria-label": "Hints", "aria-live": "polite" };
  const region = { hidden: true, tabindex: 0, role: "region", "aria-label": `Output of ${title}` };
  return {
    run: button("Run", { class: "attn-button attn-button-main" }),
    stop: button("Stop", { hidden: true }),
    hint: button("Hint"),
    solution: button("Solution"),
    tab: html("input", { type: "checkbox" }),
    status: html("div", { class: "attn-exercise-status", role: "status" }),
    ...createRunStatus(),
    verdict: html("div"),
    output: html("pre", { class: "attn-exercise-output", ...region }),
    hints: html("ol", { class: "attn-exercise-hints", ...polite }),
  };
}

/**
 * The elements in their order.
 * @param {CellElements} elements
 * @param {import("../editing/code-box.mjs").CodeBox} box
 */
function arrange(elements, { notice, editor, reset, undo, help }) {
  const { run, stop, hint, solution, tab, progress, status, output, hints } = elements;
  const tabChoice = html("label", { class: "attn-exercise-tab" }, tab, " Tab indents");
  const buttons = bar(run, stop, hint, solution, reset, undo, tabChoice);
  return [notice, editor, buttons, help, progress, status, output, hints];
}

/** Without those of a run, where nothing can be run. @param {CellElements} elements */
function arrangeHints({ hint, solution, status, hints }) {
  return [bar(hint, solution), status, hints];
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
