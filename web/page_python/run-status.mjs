/** How far a run is: a line that is read out, and the bytes of a download, which are only shown. */
import { html } from "../attn/kit/elements.js";
import { phaseMessage } from "./run-messages.mjs";

/** @typedef {ReturnType<typeof createRunStatus>} RunStatus */

export function createRunStatus() {
  const download = html("progress", { hidden: true, max: 1, "aria-label": "Download of Python" });
  const phase = html("span", { class: "attn-run-phase", hidden: true });
  return {
    download,
    phase,
    progress: html("div", { class: "attn-run-progress" }, download, phase),
    line: html("p", { class: "attn-run-line" }),
  };
}

/**
 * Bytes are shown, not announced: only a change of phase reaches the status region.
 * @param {RunStatus} elements
 * @param {import("./python.mjs").Phase} phase
 */
export function showPhase(elements, phase) {
  const { download, phase: label } = elements;
  const downloading = phase.name === "download";
  download.hidden = label.hidden = !downloading;
  if (downloading) {
    download.value = Math.min(1, phase.loaded / phase.total);
    label.textContent = phaseMessage(phase);
  }
  say(
    elements,
    downloading ? `Downloading ${phase.what}, once for this course…` : phaseMessage(phase),
  );
}

/** @param {RunStatus} elements */
export function hideProgress({ download, phase }) {
  download.hidden = phase.hidden = true;
}

/**
 * @param {{line: HTMLElement}} elements
 * @param {string} text
 */
export function say({ line }, text) {
  if (line.textContent !== text) line.replaceChildren(text);
}
