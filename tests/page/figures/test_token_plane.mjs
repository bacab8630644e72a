/** From the top of the plane to the bottom of the training's slider. */
// From the top of one part to the bottom of another, in pixels.
export function reach(root, [from, to]) {
  const box = (selector) => root.querySelector(selector).getBoundingClientRect();
  return box(to).bottom - box(from).top;
}

/** Where the names in the plane begin, and how wide they are. */
export function nameBoxes(root) {
  const names = [...root.querySelectorAll(".attn-plane .attn-arrow text")];
  return names.map((text) => text.getBBox()).map((box) => [box.x, box.width]);
}

function centre(node) {
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2, box.width];
}

/** Centres and widths of the handles that can be seen. */
export function handleCentres(root) {
  return [...root.querySelectorAll(".attn-handle")]
    .filter((handle) => handle.style.display !== "none")
    .map((handle) => centre(handle.querySelector(".attn-ring")));
}

/** Whether a handle has a line to its point. */
export function standsAside(handle) {
  const line = handle.querySelector(".attn-leader");
  return Math.hypot(Number(line.getAttribute("x2")), Number(line.getAttribute("y2"))) > 1;
}

/** What the plane holds, to a thousandth of a pixel. */
export function roundedDrawing(plane) {
  return plane.innerHTML.replace(/-?\d+\.\d+/g, (x) => Number(x).toFixed(3));
}
