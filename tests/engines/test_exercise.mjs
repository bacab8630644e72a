/** The text in an editor. */
export function editorText(editor) {
  const lines = [...document.querySelectorAll(`${editor} .cm-line`)];
  return lines.map((line) => line.textContent).join("\n");
}

export function hasText(editor, text) {
  return editorText(editor) === text;
}
