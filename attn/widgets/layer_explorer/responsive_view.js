// The view that the width has room for: the whole layer, or one matrix at a time.

import { add, html } from "../kit/elements.js";
import { narrowView } from "./narrow_view.js";
import { wideView } from "./wide_view.js";

const [NARROW, WIDEST, USUAL] = [560, 860, 654];

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
