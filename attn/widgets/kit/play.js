// Play for a trait that counts steps: from where it stands to the last one, then it stops.

import { button } from "./controls.js";

const EACH = 1100; // milliseconds a step

/**
 * A button that plays `name` from step to step; from the last it begins again. Any other change of
 * the step stops it.
 * @import { Page } from "./figure.js"
 * @param {Page} page
 * @param {string} name
 * @param {Element} parent
 */
export function play(page, name, parent = page.panel) {
  const { min, max } = page.state().spec.controls[name];
  let timer = 0;
  let meant = min;
  const face = () => {
    node.textContent = timer ? "❚❚ Pause" : "▶ Play";
  };
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    face();
  };
  const go = (/** @type {number} */ step) => {
    meant = step;
    page.change({ [name]: step });
    timer = window.setTimeout(next, EACH);
    face();
  };
  const next = () => {
    const step = page.get(name);
    if (!node.isConnected || step !== meant || step >= max) return stop();
    go(step + 1);
  };
  const start = () => go(page.get(name) >= max ? min : page.get(name) + 1);
  const node = button(parent, {
    label: "▶ Play",
    kind: "attn-play",
    click: () => (timer ? stop() : start()),
  });
  return node;
}
