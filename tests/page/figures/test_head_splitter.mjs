/** Count in `window.messages` how often a figure would send its values to Python. */
export async function countMessages() {
  const { Model } = await import(new URL("_static/figures/model.mjs", location.href));
  window.messages = 0;
  Model.prototype.save_changes = () => {
    window.messages += 1;
  };
}

/** How many words and shapes of each picture lie beyond its edges. */
export function shapesOutside(pictures) {
  return pictures.map((picture) => {
    const box = picture.getBoundingClientRect();
    const boxes = [...picture.querySelectorAll("text, rect")].map((t) => t.getBoundingClientRect());
    const beside = (t) => t.left < box.left - 1 || t.right > box.right + 1;
    const above = (t) => t.top < box.top - 1 || t.bottom > box.bottom + 1;
    return boxes.filter((t) => beside(t) || above(t)).length;
  });
}
