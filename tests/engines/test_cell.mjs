export function hasText(editor, text) {
  const lines = [...document.querySelectorAll(`${editor} .cm-line`)];
  return lines.map((line) => line.textContent).join("\n") === text;
}

/** A busy machine may take long. */
export function allowTime() {
  for (const root of document.querySelectorAll(".attn-cell, .attn-cell-unseen")) {
    root.dataset.timeLimit = "600";
  }
}
