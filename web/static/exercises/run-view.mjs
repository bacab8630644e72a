/** What a run shows, from the click to its outcome, in the parts of an exercise. */

import { outcomeWords, phaseWords } from "./messages.mjs";
import { element, verdictCard } from "./verdict-card.mjs";

export function showStart(parts) {
  const { run, stop, verdict, output } = parts;
  stop.hidden = false;
  run.setAttribute("aria-disabled", "true"); // a disabled button would lose the focus
  verdict.replaceChildren();
  output.replaceChildren();
  output.hidden = true;
  say(parts, "Getting Python ready…");
}

/** Bytes are shown, not announced: only a change of phase reaches the status region. */
export function showPhase(parts, phase) {
  const { download, phase: words } = parts;
  const downloading = phase.name === "download";
  download.hidden = words.hidden = !downloading;
  if (downloading) {
    download.value = Math.min(1, phase.loaded / phase.total);
    words.textContent = phaseWords(phase);
  }
  say(parts, downloading ? "Downloading Python, once for this course…" : phaseWords(phase));
}

/** Append text of a run; each stretch of one kind is one element, always text. */
export function appendOutput(output, kind, text) {
  output.hidden = false;
  const last = output.lastElementChild;
  if (last?.dataset.kind === kind) last.firstChild.appendData(text);
  else output.append(element("span", { data: { kind } }, [text]));
}

export function showEnd({ run, stop, download, phase }) {
  const stopHadFocus = document.activeElement === stop;
  stop.hidden = download.hidden = phase.hidden = true;
  run.removeAttribute("aria-disabled");
  if (stopHadFocus) run.focus();
}

/**
 * @param {object} parts
 * @param {import("./python.mjs").Outcome} outcome
 * @param {{limit: number, section: {href: string, title: string}|null, again: () => void}} context
 */
export function showOutcome(parts, outcome, { limit, section, again }) {
  const { state, verdict } = outcome;
  say(parts, verdict ? "" : outcomeWords(outcome, limit));
  if (verdict) {
    const explained = section && state !== "passed" ? [sectionLink(section)] : [];
    parts.verdict.replaceChildren(verdictCard(verdict), ...explained);
  }
  if (outcome.broken) parts.line.append(" ", tryAgain(parts.run, again));
}

export function say({ line }, text) {
  if (line.textContent !== text) line.replaceChildren(text);
}

function sectionLink({ href, title }) {
  const link = element("a", { href }, [title]);
  return element("p", { className: "attn-exercise-section" }, ["Explained in ", link, "."]);
}

function tryAgain(run, again) {
  const button = element("button", { type: "button", className: "attn-button" }, ["Try again"]);
  button.onclick = () => {
    run.focus(); // this button goes away with the message
    again();
  };
  return button;
}
