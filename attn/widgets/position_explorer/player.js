// Play moves the query on, one position at a time, until the last.

import { button } from "../kit/controls.js";

const EACH = 700; // milliseconds per position

export function playButton(parent, page) {
  let [timer, meant] = [0, null]; // `meant`: the position that Play has set; another one stops it
  const { min, max } = page.state().spec.controls.position;
  const face = () => {
    node.textContent = timer ? "❚❚ Pause" : "▶ Play";
  };
  const stop = () => {
    clearTimeout(timer);
    [timer, meant] = [0, null];
    face();
  };
  const go = (position) => {
    if (!node.isConnected) return;
    meant = position;
    page.change({ position });
    timer = setTimeout(() => (position < max ? go(position + 1) : stop()), EACH);
    face();
  };
  const start = () => {
    const { position } = page.state();
    go(position < max ? position + 1 : min);
  };
  const node = button(parent, {
    label: "▶ Play",
    kind: "attn-play",
    click: () => (timer ? stop() : start()),
  });
  return ({ position }) => {
    if (timer && position !== meant) stop();
  };
}
