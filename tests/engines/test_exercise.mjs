/** The text in an editor. */
export function editorText(editor) {
  const lines = [...document.querySelectorAll(`${editor} .cm-line`)];
  return lines.map((line) => line.textContent).join("\n");
}

export function hasText(editor, text) {
  return editorText(editor) === text;
}

/** The editor, once the exercise is in view; a page that still grows is scrolled again. */
export function comeNear(root, editor) {
  document.querySelector(root).scrollIntoView({ behavior: "instant" });
  return document.querySelector(editor);
}
