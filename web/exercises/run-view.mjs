/** What a run shows, from the click to its outcome, in the elements of an exercise. */
import { html } from "../attn/kit/elements.js";
import { button } from "../editing/notice.mjs";
import { outcomeMessage } from "../page_python/run-messages.mjs";
import { say } from "../page_python/run-status.mjs";
import { verdictCard } from "./verdict-card.mjs";

/**
 * @typedef {import("./cell-elements.mjs").CellElements} CellElements
 * @typedef {import("../page_python/python.mjs").Outcome} Outcome
 * @typedef {{href: string, title: string}} SectionLink
 */

/** @param {CellElements} elements */
export function showStart(elements) {
  const { verdict, output } = elements;
  verdict.replaceChildren();
  output.replaceChildren();
  output.hidden = true;
  say(elements, "Getting Python ready…");
}

/**
 * Append text of a run; each stretch of one kind is one element, always text.
 * @param {HTMLElement} output
 * @param {string} kind
 * @param {string} text
 */
export function appendOutput(output, kind, text) {
  output.hidden = false;
  const last = output.lastElementChild;
  if (last?.getAttribute("data-kind") === kind) last.append(text);
  else output.append(html("span", { "data-kind": kind, text }));
}

/**
 * @param {CellElements} elements
 * @param {Outcome} outcome
 * @param {{limit: number, section: SectionLink|null, runAgain: () => void}} context
 */
export function showOutcome(elements, outcome, { limit, section, runAgain }) {
  const { state, verdict } = outcome;
  say(elements, verdict ? "" : outcomeMessage(outcome, limit));
  if (verdict) {
    const explained = section && state !== "passed" ? [sectionLink(section)] : [];
    elements.verdict.replaceChildren(verdictCard(verdict), ...explained);
    elements.verdict.scrollIntoView({ block: "nearest" });
  }
  if (outcome.broken) elements.line.append(" ", tryAgainButton(elements.run, runAgain));
}

/** @param {SectionLink} section */
function sectionLink({ href, title }) {
  const link = html("a", { href, text: title });
  const end = title.endsWith("?") ? "" : ".";
  return html("p", { class: "attn-exercise-section" }, "Explained in ", link, end);
}

/**
 * @param {HTMLElement} run
 * @param {() => void} runAgain
 */
function tryAgainButton(run, runAgain) {
  const onclick = () => {
    run.focus(); // this button goes away with the message
    runAgain();
  };
  return button("Try again", { onclick });
}
