// A figure that comes late pushes down what stands below it. Most browsers then hold the reader's place; Safari does not.

/** Whether the browser holds the place itself. */
const holdsPlace = () => getComputedStyle(document.documentElement).overflowAnchor === "auto";

/**
 * Change the height of an element; who reads below it goes on reading where they were.
 * @type {(element: Element, change: () => void) => void}
 */
export function keepPlace(element, change) {
  const page = document.documentElement;
  const isAbove = element.getBoundingClientRect().bottom <= 0;
  const height = page.scrollHeight;
  change();
  if (!isAbove || holdsPlace()) return;
  scrollBy({ top: page.scrollHeight - height, behavior: "instant" });
}
