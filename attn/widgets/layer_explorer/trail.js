// The traced cells, the last one pinned: how they change, and the buttons that change them.

import { button } from "../kit/controls.js";
import { add, html } from "../kit/elements.js";
import { compute, present } from "./arithmetic.js";
import { sameCell, sources, trace } from "./trace.js";

const asCell = ([id, row, col]) => ({ id, row, col });
const asList = ({ id, row, col }) => [id, row, col];

// The cells of the trail that the stage has.
export const trailOf = (state) =>
  state.trail.filter(([id]) => present(state).includes(id)).map(asCell);

export const pinned = (state) => trailOf(state).at(-1) ?? null;

// What a reader may ask; focus(cell) moves the keyboard's place there.
export function traceActions(page, focus) {
  const now = () => page.state();
  const found = () => trace(now(), compute(now()), pinned(now()));
  const follow = ({ head, ...source }) => {
    const front = head === undefined ? {} : { head };
    page.change({ trail: [...now().trail, asList(source)], step: 0, ...front });
    queueMicrotask(() => focus(source)); // when it is drawn
  };
  const from = () => {
    const { main } = found();
    if (main) follow(main);
  };
  const press = (at) => {
    const pin = pinned(now());
    if (sameCell(pin, at)) return from();
    if (pin && sources(found()).some((source) => sameCell(source, at))) return follow(at);
    page.change({ trail: [asList(at)], step: 0 });
  };
  const back = () => page.change({ trail: now().trail.slice(0, -1) });
  const end = () => page.change({ trail: [] });
  return { press, follow, from, back, end };
}

// The buttons of a trace, and a place for the words of a preview, over the box of words.
export function traceButtons(parent, ask) {
  const node = add(parent, html("div", { class: "attn-below" }));
  const preview = add(node, html("div", { class: "attn-preview", "aria-hidden": "true" }));
  const row = add(node, html("div", { class: "attn-ask", role: "group", "aria-label": "trace" }));
  const from = button(row, { label: "Where from?", click: ask.from });
  const back = button(row, { label: "Undo", click: ask.back });
  const close = button(row, { label: "✕", click: ask.end });
  close.setAttribute("aria-label", "end the trace");
  const show = (state, result) => {
    const at = pinned(state);
    row.hidden = !at;
    back.hidden = state.trail.length < 2;
    from.disabled = !at || !trace(state, result, at).main;
  };
  return { preview, show };
}
