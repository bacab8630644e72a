// The view that the width has room for: the whole layer, or one matrix at a time.

import { add, html } from "../kit/elements.js";
import { stepAnimation } from "./animation.js";
import { layout } from "./layout.js";
import { narrowView } from "./narrow_view.js";
import { picture } from "./picture.js";
import { listen } from "./pointer_and_keys.js";
import { traceOverlay } from "./trace_overlay.js";

const [NARROW, WIDEST, USUAL] = [560, 860, 654];

const HEIGHT = 426;

// The whole layer in one picture, as a desk has room for. A view: {show(state, result), light(state, result, cell, trail), focus(cell)}.
function wideView(host, state, width, hear) {
  const plan = layout(state, { width, height: HEIGHT });
  const drawn = picture(state, plan);
  add(host, drawn.node);
  const touch = listen(plan, drawn, hear);
  const glide = stepAnimation(plan, drawn);
  return {
    show: (now, result) => {
      drawn.show(now, result);
      glide(now, result);
    },
    light: traceOverlay(plan, drawn),
    focus: (at) => touch.holdsFocus() && plan.boxes[at.id] && touch.focus(at),
  };
}

// A view that is made anew when the width asks for another, or when another word's line is folded.
export function responsiveView(parent, state, hear) {
  const host = add(parent, html("div", { class: "attn-view" }));
  let [key, view, last] = [];
  const fit = () => {
    const [now] = last ?? [state];
    const width = Math.min(host.clientWidth || USUAL, WIDEST);
    const next = JSON.stringify([width, now.folded, now.folded && now.word]);
    if (next === key) return;
    key = next;
    host.replaceChildren();
    view = (width < NARROW ? narrowView : wideView)(host, now, width, hear);
  };
  const again = () => {
    const before = key;
    fit();
    if (key === before || !last) return;
    view.show(...last);
    hear.preview(null);
  };
  fit();
  // In the next frame: what is drawn changes the size that is observed.
  new ResizeObserver(() => requestAnimationFrame(again)).observe(host);
  return {
    show: (...now) => {
      last = now;
      fit();
      view.show(...now);
    },
    light: (...rest) => view.light(...rest),
    focus: (at) => view.focus(at),
  };
}
