/**
 * Questions answered without code: compare the reader's answer and show the feedback written for it.
 * The feedback is in the page (inside <details>), so nothing is fetched and a reader without
 * JavaScript can open it.
 */
import { html } from "../attn/kit/elements.js";
import { describeReading, readNumber, Unreadable } from "./read-number.mjs";

const TRIES_BEFORE_ANSWERS = 2;

/**
 * The key of the feedback for a typed number: the nearest listed one within the tolerance.
 * @param {number} value
 * @param {string[]} keys
 * @param {number} tolerance
 */
function nearestKey(value, keys, tolerance) {
  const near = keys
    .filter((key) => key !== "else")
    .map((key) => ({ key, distance: Math.abs(Number(key) - value) }))
    .filter(({ distance }) => distance <= tolerance + 1e-12 * Math.abs(value))
    .sort((a, b) => a.distance - b.distance);
  return near.length ? near[0].key : "else";
}

/** One question of a page. Its answers fold away until it was tried twice in vain. */
class Question {
  #form;
  #status;
  #answers;
  #tries = 0;
  /** A choice has none. @type {HTMLInputElement|null} */
  #field;
  /** How the text in the field is read. @type {Element|null} */
  #reading;

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.#form = form;
    this.#status = /** @type {HTMLElement} */ (form.querySelector('[role="status"]'));
    this.#answers = /** @type {HTMLElement} */ (form.querySelector("details"));
    this.#field = form.querySelector('input[type="text"]');
    this.#reading = form.querySelector(".attn-question-reading");
  }

  mount() {
    this.#form.querySelector(".attn-question-check")?.removeAttribute("hidden");
    this.#form.querySelector(".attn-waiting")?.remove();
    this.#answers.hidden = true;
    this.#field?.addEventListener("input", () => this.#showReading());
    this.#showReading(); // a browser that goes back keeps what was typed
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#check();
    });
  }

  /** Show how the text in the field is read; half-written text is not complained about. */
  #showReading() {
    if (!this.#field || !this.#reading) return;
    this.#field.removeAttribute("aria-invalid");
    try {
      this.#reading.textContent = describeReading(this.#field.value);
    } catch {
      this.#reading.textContent = "";
    }
  }

  #check() {
    try {
      const key = this.#answerKey();
      if (key === null)
        this.#refuse(`${this.#field ? "Type a number" : "Choose an answer"} first.`);
      else this.#judge(key);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#field?.setAttribute("aria-invalid", "true");
      this.#refuse(error.message);
    }
  }

  /** The key of the reader's answer, or null if there is none; Unreadable if it is no number. */
  #answerKey() {
    if (!this.#field) {
      /** @type {HTMLInputElement|null} */
      const chosen = this.#form.querySelector('input[type="radio"]:checked');
      return chosen?.value ?? null;
    }
    const value = readNumber(this.#field.value);
    if (value === null) return null;
    const feedback = [...this.#form.querySelectorAll("[data-feedback]")];
    const keys = feedback.map((node) => node.getAttribute("data-feedback") ?? "");
    return nearestKey(value, keys, Number(this.#form.dataset.tolerance));
  }

  /**
   * Say why nothing was judged.
   * @param {string} message
   */
  #refuse(message) {
    this.#status.textContent = message;
    delete this.#form.dataset.state;
  }

  /** @param {string} key  of the answer */
  #judge(key) {
    const feedback = this.#form.querySelector(`[data-feedback="${CSS.escape(key)}"]`);
    const passed = feedback?.hasAttribute("data-right") ?? false;
    const verdict = html("strong", { text: passed ? "✓ Right. " : "✗ Not quite. " });
    const nodes = feedback?.cloneNode(true).childNodes ?? [];
    this.#status.replaceChildren(...this.#spokenReading(), verdict, ...nodes);
    this.#form.dataset.state = passed ? "passed" : "failed";
    this.#tries += 1;
    // Who is right has read why; who tried twice may look it up.
    this.#answers.hidden = passed || this.#tries < TRIES_BEFORE_ANSWERS;
  }

  /** The reading for those who hear the verdict: it is in sight, beside the field, but not announced. */
  #spokenReading() {
    const text = this.#reading?.textContent;
    return text ? [html("span", { class: "attn-question-spoken", text: `(${text}) ` })] : [];
  }
}

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form.attn-question");
for (const form of forms) new Question(form).mount();
