// Questions answered without code: compare the reader's answer, show the feedback written for it,
// and report the result. The feedback is in the page (inside <details>), so nothing is fetched and
// a reader without JavaScript can open it.

const TRIES_BEFORE_ANSWERS = 2;

/** The key of the feedback for a typed number: the nearest listed one within the tolerance. */
export function numberKey(value, keys, tolerance) {
  const close = keys
    .filter((key) => key !== "else")
    .map((key) => ({ key, distance: Math.abs(Number(key) - value) }))
    .filter(({ distance }) => distance <= tolerance + 1e-12 * Math.abs(value))
    .sort((a, b) => a.distance - b.distance);
  return close.length ? close[0].key : "else";
}

/** The key of the reader's answer, or null if there is none to judge yet. */
function givenKey(form) {
  if (form.dataset.kind === "choice") {
    return form.querySelector('input[type="radio"]:checked')?.value ?? null;
  }
  const value = form.querySelector('input[type="number"]').valueAsNumber;
  if (!Number.isFinite(value)) return null;
  const keys = [...form.querySelectorAll("[data-feedback]")].map((el) => el.dataset.feedback);
  return numberKey(value, keys, Number(form.dataset.tolerance));
}

function show(form, key) {
  const feedback = form.querySelector(`[data-feedback="${CSS.escape(key)}"]`);
  const passed = feedback.hasAttribute("data-right");
  const verdict = document.createElement("strong");
  verdict.textContent = passed ? "✓ Right. " : "✗ Not quite. ";
  const words = [...feedback.childNodes].map((node) => node.cloneNode(true));
  form.querySelector('[role="status"]').replaceChildren(verdict, ...words);
  form.dataset.state = passed ? "passed" : "failed";
  return passed;
}

function judge(form) {
  const key = givenKey(form);
  if (key === null) {
    const wish =
      form.dataset.kind === "choice" ? "Choose an answer first." : "Type a number first.";
    form.querySelector('[role="status"]').textContent = wish;
    delete form.dataset.state;
    return;
  }
  const passed = show(form, key);
  const tries = Number(form.dataset.tries ?? 0) + 1;
  form.dataset.tries = String(tries);
  form.querySelector("details").hidden = !passed && tries < TRIES_BEFORE_ANSWERS;
  const detail = { id: form.dataset.question, passed };
  document.dispatchEvent(new CustomEvent("attn:progress", { detail }));
}

/** Bring one question to life: its answers fold away until it is solved or tried twice. */
export function mount(form) {
  form.querySelector(".attn-question-check").hidden = false;
  form.querySelector("details").hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge(form);
  });
}

if (typeof document !== "undefined") {
  document.querySelectorAll("form.attn-question").forEach(mount);
}
