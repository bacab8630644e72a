/** Keep every line that an exercise says. */
export function recordLines() {
  window.lines = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll(".attn-run-line")) {
      if (textContent && window.lines.at(-1) !== textContent) window.lines.push(textContent);
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** Each Python of a page lives in a worker: who makes one starts one. */
export function countWorkers() {
  window.workers = 0;
  window.Worker = class extends Worker {
    constructor(...options) {
      super(...options);
      window.workers += 1;
    }
  };
}

/** Timers of a page fire in order: whatever a resting mouse would have started has been started. */
export function workersLater() {
  return new Promise((resume) => setTimeout(() => resume(window.workers), 500));
}
