// What the page puts on the clipboard for a part of it; null if it leaves that to the browser.
export function copy([selector, start, end]) {
  const node = document.querySelector(`.bd-article ${selector}`);
  const range = document.createRange();
  range.selectNodeContents(node);
  if (start !== null) range.setStart(node, start);
  if (end !== null) range.setEnd(node, end);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  const clipboardData = new DataTransfer();
  const options = { clipboardData, bubbles: true, cancelable: true };
  const isOurs = !node.dispatchEvent(new ClipboardEvent("copy", options));
  return isOurs ? clipboardData.getData("text/plain") : null;
}
