/** The elements of an exercise: buttons, regions, and lines that appear when there is something to say. */
import { element } from "./verdict-card.mjs";

const button = (label, className = "") =>
  element("button", { type: "button", className: `attn-button ${className}`.trim() }, [label]);

/**
 * Add the controls to an exercise.
 * @param {HTMLElement} root
 * @param {{title: string, hints: string[], runs: boolean}} about
 */
export function buildParts(root, { title, hints, runs }) {
  const id = root.dataset.exercise;
  const parts = {
    run: button("Run", "attn-button-main"),
    stop: Object.assign(button("Stop"), { hidden: true }),
    hint: Object.assign(button("Hint"), { hidden: hints.length === 0 }),
    solution: button("Solution"),
    reset: button("Reset"),
    undo: Object.assign(button("Undo"), {
      hidden: true,
      title: "Bring back the text that was replaced",
    }),
    tab: element("input", { type: "checkbox" }),
    help: element("p", { className: "attn-exercise-help", id: `attn-help-${id}` }),
    editor: element("div", { className: "attn-exercise-editor" }),
    notice: element("div", { className: "attn-exercise-notice", hidden: true, role: "alert" }),
    download: element("progress", { hidden: true, max: 1, aria: { label: "Download of Python" } }),
    phase: element("span", { className: "attn-exercise-phase", hidden: true }),
    status: element("div", { className: "attn-exercise-status", role: "status" }),
    line: element("p", { className: "attn-exercise-line" }),
    verdict: element("div"),
    output: element("pre", {
      className: "attn-exercise-output",
      hidden: true,
      tabIndex: 0,
      role: "region",
    }),
    hints: element("ol", { className: "attn-exercise-hints", hidden: true }),
  };
  parts.status.append(parts.line, parts.verdict);
  parts.output.setAttribute("aria-label", `Output of ${title}`);
  parts.hints.setAttribute("aria-label", "Hints");
  parts.hints.setAttribute("aria-live", "polite");
  root.append(...arrange(parts, runs));
  return parts;
}

function arrange(parts, runs) {
  const tab = element("label", { className: "attn-exercise-tab" }, [parts.tab, " Tab indents"]);
  const always = [parts.hint, parts.solution];
  const buttons = runs ? [parts.run, parts.stop, ...always, parts.reset, parts.undo, tab] : always;
  const bar = element("div", { className: "attn-exercise-bar" }, buttons);
  const progress = element("div", { className: "attn-exercise-progress" }, [
    parts.download,
    parts.phase,
  ]);
  return [
    ...(runs ? [parts.notice, parts.editor] : []),
    bar,
    ...(runs ? [parts.help, progress] : []),
    parts.status,
    ...(runs ? [parts.output] : []),
    parts.hints,
  ];
}

/** Tell how the keys work; Tab is the reader's choice. */
export function showHelp(help, tabIndents) {
  help.textContent = tabIndents
    ? "Ctrl+Enter runs. Tab indents; press Esc, then Tab, to leave the editor."
    : "Ctrl+Enter runs. Tab leaves the editor; Ctrl+] indents.";
}

/**
 * Show a line above the editor, with buttons if the reader has to decide.
 * @param {HTMLElement} notice
 * @param {string} text
 * @param {[string, () => void][]} choices
 */
export function showNotice(notice, text, choices = []) {
  const same = notice.firstChild?.textContent === text && !notice.hidden;
  notice.hidden = text === "";
  if (same || text === "") return;
  const buttons = choices.map(([label, act]) => Object.assign(button(label), { onclick: act }));
  notice.replaceChildren(element("span", {}, [text]), ...buttons);
}

/** Show one more hint, until there are no more. */
export function showHint({ hints, hint }, texts) {
  const shown = hints.childElementCount;
  const left = texts.length - shown - 1;
  if (left < 0) return;
  hints.hidden = false;
  hints.append(element("li", {}, [texts[shown]]));
  hint.title = left ? `${left} more` : "That was the last hint";
  if (left === 0) hint.setAttribute("aria-disabled", "true");
}
