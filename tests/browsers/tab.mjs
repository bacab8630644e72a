// What a tab asks of the page about one element: `at` counts among those that a selector finds and,
// where a text is asked for, that have it.

function find(selector, at, text = null) {
  const found = [...document.querySelectorAll(selector)];
  return found.filter((node) => text === null || node.textContent.trim() === text)[at];
}

export function listenForPress(selector, at, text) {
  window.pressed = false;
  const listener = () => {
    window.pressed = true;
  };
  find(selector, at, text)?.addEventListener("pointerdown", listener, {
    once: true,
    capture: true,
  });
}

/** An element's place in view, with a point of it that a finger reaches, or why there is none. */
export function placeOf(selector, at, text) {
  // Where a finger tries, across and down what is in view.
  const tries = [
    [0.5, 0.5],
    [0.2, 0.5],
    [0.8, 0.5],
    [0.95, 0.5],
    [0.5, 0.2],
    [0.5, 0.8],
  ];
  const node = find(selector, at, text);
  if (!node) return { problem: "it is not there" };
  node.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const { left, top, width, height } = node.getBoundingClientRect();
  if (!width || !height) return { problem: "it is hidden" };
  const [from, to] = [Math.max(0, left), Math.min(innerWidth, left + width)];
  for (const [across, down] of tries) {
    const [x, y] = [from + across * (to - from), top + down * height];
    const hit = document.elementFromPoint(x, y);
    if (hit && node.contains(hit)) return { left, width, x, y };
  }
  return { problem: "something covers it" };
}

/** Whether the element has the focus now. */
export function focus(selector, at) {
  const node = find(selector, at);
  node?.scrollIntoView({ block: "center", behavior: "instant" });
  node?.focus({ preventScroll: true }); // it would scroll smoothly, away under the next press
  return Boolean(node) && node === document.activeElement;
}

/** The visible text of an element. */
export function textOf(selector, at) {
  return find(selector, at).innerText;
}
