/** Signs that a reader is about to run something, so that Python may be started beforehand. */

// An exercise's code waits for the reader to change it; a cell's code is there to be read.
const PLACES = [
  ...[".attn-exercise-starter", ".attn-editor", ".attn-button-main"],
  ...[".attn-cell-bar .attn-button", '.attn-cells [data-does="run"]'],
].join(", ");
const DWELL = 150; // ms a mouse rests before it means more than passing by

/** @param {Event} event */
const isOnPlace = ({ target }) => /** @type {Element} */ (target).closest(PLACES) !== null;

/**
 * Call `act` when an editor or a button that runs code gets the focus, or when a mouse rests on it.
 * @param {HTMLElement} root
 * @param {() => void} act
 */
export function onRunIntent(root, act) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  root.addEventListener("focusin", (event) => {
    if (isOnPlace(event)) act();
  });
  root.addEventListener("pointerover", (event) => {
    clearTimeout(timer);
    if (event.pointerType === "mouse" && isOnPlace(event)) timer = setTimeout(act, DWELL);
  });
  root.addEventListener("pointerleave", () => clearTimeout(timer));
}

/**
 * What some browsers tell of the connection; TypeScript's library does not know it.
 * @typedef {{connection?: {saveData?: boolean, type?: string}}} NetworkInformation
 */

/**
 * Whether the reader pays for bytes or asked to save them: then only a run downloads anything.
 * @param {{navigator: object, matchMedia?: typeof globalThis.matchMedia}} scope
 */
export function savesData({ navigator, matchMedia }) {
  const { saveData, type } = /** @type {NetworkInformation} */ (navigator).connection ?? {};
  if (saveData || type === "cellular") return true;
  return matchMedia?.("(prefers-reduced-data: reduce)").matches ?? false;
}
