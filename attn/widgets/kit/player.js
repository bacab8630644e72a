// Play: from step to step until the last one. Whatever else changes the step stops it.

import { button } from "./controls.js";

/** What a Play button says. @type {(playing: boolean) => string} */
export const face = (playing) => (playing ? "❚❚ Pause" : "▶ Play");

/**
 * A button that plays; from the last step it begins again at the first. Returns what shows it the
 * step that is drawn.
 * @typedef {object} PlayerOptions
 * @property {number} first
 * @property {() => number} last
 * @property {number} [each] milliseconds per step
 * @property {(step: number) => void} go
 * @param {Element} parent
 * @param {PlayerOptions} options
 */
export function player(parent, { first, last, each = 1100, go }) {
  let [timer, drawn, expected] = [0, first, first];
  const setTimer = (/** @type {number} */ to) => {
    timer = to;
    node.textContent = face(timer !== 0);
  };
  const stop = () => {
    clearTimeout(timer);
    setTimer(0);
  };
  const step = (/** @type {number} */ to) => {
    expected = to;
    go(to);
    setTimer(window.setTimeout(next, each));
  };
  const next = () => (node.isConnected && expected < last() ? step(expected + 1) : stop());
  const start = () => step(drawn >= last() ? first : drawn + 1);
  const click = () => (timer ? stop() : start());
  const node = button(parent, { label: face(false), kind: "attn-play", click });
  const show = (/** @type {number} */ now) => {
    drawn = now;
    if (timer && now !== expected) stop();
  };
  return Object.assign(show, { node });
}
