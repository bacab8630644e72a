// Questions answered without code: compare the reader's answer and show the feedback written for it.
// The feedback is in the page (inside <details>), so nothing is fetched and
// a reader without JavaScript can open it.

import { reading, readNumber, Unreadable } from "./read-number.mjs";

const TRIES_BEFORE_ANSWERS = 2;

/** The key of the feedback for a typed number: the nearest listed one within the tolerance. */
function numberKey(value, keys, tolerance) {
  const close = keys
    .filter((key) => key !== "else")
    .map((key) => ({ key, distance: Math.abs(Number(key) - value) }))
    .filter(({ distance }) => distance <= tolerance + 1e-12 * Math.abs(value))
    .sort((a, b) => a.distance - b.distance);
  return close.length ? close[0].key : "else";
}

const fieldOf = (form) => form.querySelector('input[type="text"]');
const statusOf = (form) => form.querySelector('[role="status"]');

/** The key of the reader's answer, or null if there is none; Unreadable if it is no number. */
function givenKey(form) {
  if (form.dataset.kind === "choice") {
    return form.querySelector('input[type="radio"]:checked')?.value ?? null;
  }
  const value = readNumber(fieldOf(form).value);
  if (value === null) return null;
  const keys = [...form.querySelectorAll("[data-feedback]")].map((el) => el.dataset.feedback);
  return numberKey(value, keys, Number(form.dataset.tolerance));
}

/** Show how the text in the field is read; half-written text is not complained about. */
function showReading(form) {
  fieldOf(form).removeAttribute("aria-invalid");
  const shown = form.querySelector(".attn-question-reading");
  try {
    shown.textContent = reading(fieldOf(form).value);
  } catch {
    shown.textContent = "";
  }
}

function show(form, key) {
  const feedback = form.querySelector(`[data-feedback="${CSS.escape(key)}"]`);
  const passed = feedback.hasAttribute("data-right");
  const verdict = document.createElement("strong");
  verdict.textContent = passed ? "✓ Right. " : "✗ Not quite. ";
  const words = [...feedback.childNodes].map((node) => node.cloneNode(true));
  statusOf(form).replaceChildren(...spoken(form), verdict, ...words);
  form.dataset.state = passed ? "passed" : "failed";
  return passed;
}

/** The reading for those who hear the verdict: it is in sight, beside the field, but not announced. */
function spoken(form) {
  const words = form.querySelector(".attn-question-reading")?.textContent;
  if (!words) return [];
  const heard = document.createElement("span");
  heard.className = "attn-question-spoken";
  heard.textContent = `(${words}) `;
  return [heard];
}

/** Say why nothing was judged. */
function refuse(form, words) {
  statusOf(form).textContent = words;
  delete form.dataset.state;
}

function judge(form) {
  let key;
  try {
    key = givenKey(form);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    fieldOf(form).setAttribute("aria-invalid", "true");
    return refuse(form, error.message);
  }
  if (key === null) {
    const choice = form.dataset.kind === "choice";
    return refuse(form, choice ? "Choose an answer first." : "Type a number first.");
  }
  const passed = show(form, key);
  const tries = Number(form.dataset.tries ?? 0) + 1;
  form.dataset.tries = String(tries);
  form.querySelector("details").hidden = !passed && tries < TRIES_BEFORE_ANSWERS;
}

/** Bring one question to life: its answers fold away until it is solved or tried twice. */
export function mount(form) {
  form.querySelector(".attn-question-check").hidden = false;
  form.querySelector("details").hidden = true;
  form.querySelector(".attn-waiting").remove();
  if (form.dataset.kind === "number") {
    fieldOf(form).addEventListener("input", () => showReading(form));
    showReading(form); // a browser that goes back keeps what was typed
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge(form);
  });
}

if (typeof document !== "undefined") {
  document.querySelectorAll("form.attn-question").forEach(mount);
}
