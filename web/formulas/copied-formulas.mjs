// A formula is copied as its TeX: browsers would write each of its signs on a line of its own.

/** @type {(node: Node) => Element | null} */
const formulaAround = (node) =>
  (node instanceof Element ? node : node.parentElement)?.closest("math") ?? null;

/** @type {(math: Element) => string} */
const source = (math) => math.querySelector("annotation")?.textContent ?? "";

// Write TeX in the place of a formula, and of the other parts of its equation.
/** @param {Element} math */
function writeTex(math) {
  const isEquation = math.matches("[display=block]");
  const parts = [source(math)];
  for (let next = math.nextElementSibling; isEquation && next?.matches("math[display=block]"); ) {
    parts.push(source(next));
    next.remove();
    next = math.nextElementSibling;
  }
  const sign = isEquation ? "$$" : "$";
  math.replaceWith(sign + parts.join(" \\qquad ") + sign);
}

// The text of a part of the page, with the line breaks that a reader sees.
/** @type {(part: DocumentFragment) => string} */
function textOf(part) {
  const box = document.createElement("div");
  box.style.cssText = "position: fixed; opacity: 0";
  box.append(part);
  document.body.append(box);
  // biome-ignore lint/performance/useDomNodeTextContent: its line breaks are wanted
  const text = box.innerText;
  box.remove();
  return text;
}

document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  const range = selection.getRangeAt(0).cloneRange();
  const [first, last] = [range.startContainer, range.endContainer].map(formulaAround);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  const part = range.cloneContents();
  const formulas = part.querySelectorAll("math");
  if (!formulas.length) return;
  for (const math of formulas) if (math.parentNode) writeTex(math);
  event.clipboardData.setData("text/plain", textOf(part));
  event.preventDefault();
});
