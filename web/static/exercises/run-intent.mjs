/** Signs that a reader is about to run an exercise, so that Python may be started beforehand. */

const PLACES = ".attn-exercise-starter, .attn-exercise-editor, .attn-button-main";
const DWELL = 150; // ms a mouse rests before it means more than passing by

/** Call `act` when the editor or *Run* gets the focus, or when a mouse rests on it. */
export function onIntent(root, act) {
  let resting = null;
  const meant = (event) => event.target.closest(PLACES) !== null;
  root.addEventListener("focusin", (event) => {
    if (meant(event)) act();
  });
  root.addEventListener("pointerover", (event) => {
    clearTimeout(resting);
    if (event.pointerType === "mouse" && meant(event)) resting = setTimeout(act, DWELL);
  });
  root.addEventListener("pointerleave", () => clearTimeout(resting));
}

/** Whether the reader pays for bytes or asked to save them: then only a run downloads anything. */
export function savesData({ navigator, matchMedia }) {
  const { saveData, type } = navigator.connection ?? {};
  if (saveData || type === "cellular") return true;
  return matchMedia?.("(prefers-reduced-data: reduce)").matches ?? false;
}
