// The whole layer in one picture, as a desk has room for.

import { add } from "../kit/elements.js";
import { stepAnimation } from "./animation.js";
import { layout } from "./layout.js";
import { picture } from "./picture.js";
import { listen } from "./pointer_and_keys.js";
import { traceOverlay } from "./trace_overlay.js";

const HEIGHT = 426;

// A view: {show(state, result), light(state, result, cell, trail), focus(cell)}.
export function wideView(host, state, width, hear) {
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
