/** A colour of a node's computed style as red, green and blue, whatever notation it is in. */
export function computedRgb(node, property) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = getComputedStyle(node)[property];
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}
