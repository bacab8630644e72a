// A drawing that is made anew takes over the nodes of the last one: what is in both stays, so that
// styles can move it to its new place, and it keeps its focus and its scroll. What stands in the
// place of something else fades in.

import { isCalm } from "./motion.js";

const ELEMENT = 1;
const LONG = 300; // milliseconds, as the glide in style.css

/**
 * Let `parent` hold `drawn`. A node is kept where one of its kind stood, with the same `data-key` if
 * it has one.
 * @param {Element} parent
 * @param {...Node} drawn
 */
export function redraw(parent, ...drawn) {
  const old = [...parent.childNodes];
  drawn.forEach((node, i) => {
    if (i >= old.length) parent.append(node);
    else if (isSame(old[i], node)) take(old[i], node);
    else replace(old[i], node);
  });
  for (const node of old.slice(drawn.length)) node.remove();
}

/** @type {(node: Node) => string | null} */
const key = (node) => /** @type {Element} */ (node).getAttribute("data-key");

/** @type {(old: Node, node: Node) => boolean} */
const isSame = (old, node) =>
  old.nodeName === node.nodeName && (node.nodeType !== ELEMENT || key(old) === key(node));

/** @type {(old: Node, node: Node) => void} */
function replace(old, node) {
  old.parentNode?.replaceChild(node, old);
  if (node.nodeType === ELEMENT && !isCalm())
    /** @type {Element} */ (node).animate([{ opacity: 0 }, {}], LONG);
}

/** @type {(old: Node, node: Node) => void} */
function take(old, node) {
  if (node.nodeType !== ELEMENT) {
    old.nodeValue = node.nodeValue;
    return;
  }
  const [kept, made] = [/** @type {Element} */ (old), /** @type {Element} */ (node)];
  const names = kept.getAttributeNames();
  if (names.join() !== made.getAttributeNames().join())
    for (const name of names) kept.removeAttribute(name); // so that their order is the new one too
  for (const { name, value } of made.attributes)
    if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  redraw(kept, ...made.childNodes);
}
