// How long what runs in a figure takes in all, after one step of its slider.
export async function durationsAfterKey(slider) {
  const root = slider.closest(".attn-widget");
  const quiet = new Set(root.getAnimations({ subtree: true }));
  slider.stepUp();
  slider.dispatchEvent(new Event("input"));
  await null; // a figure draws once for all changes of one moment, right after it
  return root
    .getAnimations({ subtree: true })
    .filter((one) => !quiet.has(one))
    .map((one) => one.effect.getComputedTiming().duration);
}
