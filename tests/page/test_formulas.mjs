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

// How far the content of each cell lies from the middle of the room between the cell's paddings.
export function offCentre(cells) {
  return cells.map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const [inner, outer] = [range, cell].map((part) => part.getBoundingClientRect());
    const { paddingLeft, paddingRight } = getComputedStyle(cell);
    const [left, right] = [
      outer.left + parseFloat(paddingLeft),
      outer.right - parseFloat(paddingRight),
    ];
    return (inner.left + inner.right - left - right) / 2;
  });
}

// From each bracket to the numerator or denominator beside it, whichever is wider, in pixels.
export function bracketGaps(fractions) {
  return fractions.flatMap((fraction) => {
    const open = fraction.previousElementSibling;
    if (open?.localName !== "mo" || !/[([]/.test(open.textContent)) return [];
    const starts = [...fraction.children].map((part) => part.getBoundingClientRect().left);
    return [Math.min(...starts) - open.getBoundingClientRect().right];
  });
}
