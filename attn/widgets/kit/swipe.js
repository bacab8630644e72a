// A finger drawn sideways over an element; the page still scrolls up and down under it.

const FAR = 40; // pixels that a finger goes before it means it

// Which way a finger went: "left", "right", or null if it went up or down, or hardly anywhere.
/** @type {(from: number[], to: number[]) => "left" | "right" | null} */
export function wayOf([x0, y0], [x1, y1]) {
  const [across, along] = [x1 - x0, y1 - y0];
  if (Math.abs(across) < FAR || Math.abs(across) < 1.5 * Math.abs(along)) return null;
  return across < 0 ? "left" : "right";
}

// Call go.left() or go.right() when a finger has gone that way. The style must have `touch-action: pan-y`.
/** @type {(node: HTMLElement, go: { left: () => void, right: () => void }) => void} */
export function swipe(node, go) {
  /** @type {number[] | null} */
  let from = null;
  const at = (/** @type {PointerEvent} */ { clientX, clientY }) => [clientX, clientY];
  node.addEventListener("pointerdown", (event) => {
    from = event.pointerType === "mouse" || !event.isPrimary ? null : at(event);
  });
  node.addEventListener("pointerup", (event) => {
    const way = from && wayOf(from, at(event));
    from = null;
    if (way) go[way]();
  });
  node.addEventListener("pointercancel", () => {
    from = null;
  });
}
