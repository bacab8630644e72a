// The layer on a phone: a small map of all of it to tap on, and one matrix large with its numbers.

import { button } from "../kit/controls.js";
import { add, html } from "../kit/elements.js";
import { swipe } from "../kit/swipe.js";
import { stepOf, steps } from "./journey.js";
import { layout } from "./layout.js";
import { title } from "./matrix_squares.js";
import { picture } from "./picture.js";
import { listen } from "./pointer_and_keys.js";
import { stationOf, stationPlan, stations } from "./station_layout.js";
import { traceOverlay } from "./trace_overlay.js";
import { pinned } from "./trail.js";

const MAP = { width: 654, height: 420 };

// A view as a desk's, with a station that follows the trace and the journey.
export function narrowView(host, state, width, hear) {
  let [at, view, seen] = ["weights", null, {}];
  const map = picture(state, layout(state, MAP));
  map.svg.setAttribute("class", "attn-layer attn-minimap");
  map.svg.setAttribute("aria-hidden", "true");
  for (const cell of map.svg.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
  const nav = html("div", { class: "attn-stations", role: "group", "aria-label": "matrix" });
  const place = html("div", { class: "attn-station" });
  host.append(map.node, nav, place);
  const go = (id) => {
    at = id;
    build();
    draw();
  };
  const by = (way) => () => {
    const all = stations(seen.state);
    go(all[(all.indexOf(at) + way + all.length) % all.length]);
  };
  const back = button(nav, { label: "‹", click: by(-1) });
  const name = add(nav, html("span", { class: "attn-station-name" }));
  const forth = button(nav, { label: "›", click: by(1) });
  back.setAttribute("aria-label", "previous matrix");
  forth.setAttribute("aria-label", "next matrix");
  swipe(place, { left: by(1), right: by(-1) });
  map.svg.addEventListener("click", ({ target }) => {
    const id = target.closest?.("[data-matrix]")?.dataset.matrix;
    if (id) go(stationOf(seen.state, { id, row: seen.state.word }));
  });

  const build = () => {
    const now = seen.state ?? state;
    const plan = stationPlan(now, at, width);
    const drawn = picture(now, plan);
    place.replaceChildren(drawn.node);
    const touch = listen(plan, drawn, hear);
    view = { plan, drawn, touch, light: traceOverlay(plan, drawn), word: now.word };
    const all = stations(now);
    name.textContent = `${all.indexOf(at) + 1} of ${all.length} · ${title(now, at)}`;
    for (const [id, { node }] of Object.entries(map.maps))
      node.toggleAttribute("data-here", Boolean(plan.boxes[id]));
  };
  const draw = () => {
    if (!seen.result) return;
    view.drawn.show(seen.state, seen.result);
    view.light(seen.state, seen.result, seen.at ?? null, seen.trail ?? []);
  };
  // The station that the state asks for, if it asks for another than before.
  const asked = (now) => {
    const [pin, step] = [pinned(now), stepOf(now)];
    const result = step ? steps(now)[step - 1].makes.at(-1) : null;
    const wanted = pin ? stationOf(now, pin) : result;
    const key = JSON.stringify([pin, step]);
    const changed = key !== seen.key;
    seen.key = key;
    return changed ? wanted : null;
  };
  return {
    show: (now, result) => {
      const wanted = asked(now);
      Object.assign(seen, { state: now, result, at: null, trail: [] });
      map.show(now, result);
      if (wanted) at = wanted;
      if (wanted || !view || view.word !== now.word) build();
      view.drawn.show(now, result);
    },
    light: (now, result, cell, trail) => {
      Object.assign(seen, { at: cell, trail });
      view.light(now, result, cell, trail);
    },
    focus: (cell) => view.touch.holdsFocus() && view.plan.boxes[cell.id] && view.touch.focus(cell),
  };
}
