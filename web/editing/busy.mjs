/** While something runs, *Stop* is there and *Run* does nothing; the focus is never lost. */

/**
 * @param {object} elements
 * @param {HTMLElement} elements.root
 * @param {HTMLElement[]} elements.runs  the buttons that start something; the first one that is seen gets the focus of *Stop*
 * @param {HTMLElement} [elements.stop]
 * @param {boolean} isBusy
 */
export function showBusy({ root, runs, stop }, isBusy) {
  const hadFocus = stop && document.activeElement === stop;
  if (stop) stop.hidden = !isBusy;
  mark(root, "aria-busy", isBusy);
  for (const run of runs) mark(run, "aria-disabled", isBusy);
  if (hadFocus && !isBusy) runs.find(({ offsetParent }) => offsetParent)?.focus();
}

/**
 * Say of an element that it is busy, or does nothing now. A button that is disabled outright would
 * lose the focus.
 * @param {HTMLElement} element
 * @param {"aria-busy"|"aria-disabled"} attribute
 * @param {boolean} isSo
 */
export function mark(element, attribute, isSo) {
  if (isSo) element.setAttribute(attribute, "true");
  else element.removeAttribute(attribute);
}
