// Vectors in the plane: arrows to look at, handles to drag or to move with the arrow keys.
import { svg } from "./elements.js";
import { RING } from "./labels.js";

const WIDE = 340;
const HIGH = 270;

// A picture of the plane: a vector as long as `reach` (one number, or one for each axis) fits, with
// room for its name (`letters` long) beyond it. A handle can be taken as far as `bounds`.
/**
 * @import { Vector } from "./arithmetic.js"
 * @typedef {ReturnType<typeof plane>} View
 * @param {Element} parent
 * @param {{ label: string, reach: number | Vector, letters?: number, high?: number }} options
 */
export function plane(parent, { label, reach, letters = 3, high = HIGH }) {
  const [across, up] = Array.isArray(reach) ? reach : [reach, reach];
  const room = [WIDE / 2 - 22 - 6.5 * letters, high / 2 - 30];
  const unit = Math.min(Math.max(60, room[0]) / across, Math.max(60, room[1]) / up);
  const still = svg("g");
  const live = svg("g");
  const box = { viewBox: `0 0 ${WIDE} ${high}`, role: "group", "aria-label": label };
  const node = svg("svg", { class: "attn-plane", ...box }, still, live);
  parent.append(node);
  const toPage = (/** @type {Vector} */ [x, y]) => [WIDE / 2 + unit * x, high / 2 - unit * y];
  const toPlane = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(node.getScreenCTM()?.inverse());
    return [(at.x - WIDE / 2) / unit, (high / 2 - at.y) / unit];
  };
  const draw = (/** @type {SVGElement[]} */ ...shapes) => still.replaceChildren(...shapes);
  const bounds = [WIDE, high].map((size) => Math.floor((10 * (size / 2 - RING)) / unit) / 10);
  return { node, live, toPage, toPlane, unit, wide: WIDE, high, bounds, draw };
}

// Two axes and a circle of radius 1: what the eye measures lengths and angles against.
/** @type {(view: View) => SVGGElement} */
export function grid({ toPage, unit, high }) {
  const [x, y] = toPage([0, 0]);
  return svg(
    "g",
    { class: "attn-grid", "aria-hidden": "true" },
    svg("line", { x1: 14, x2: WIDE - 14, y1: y, y2: y }),
    svg("line", { x1: x, x2: x, y1: 10, y2: high - 10 }),
    svg("circle", { cx: x, cy: y, r: unit }),
  );
}

// What the axes mean, at the ends that they point to; `beside` keeps off points on the axes.
/**
 * @typedef {{ right?: string, up?: string, down?: string, beside?: boolean }} AxisNames
 * @type {(view: View, names: AxisNames) => SVGGElement}
 */
export function axisNames({ toPage, wide, high }, { right, up, down, beside = false }) {
  const [x, y] = toPage([0, 0]);
  const name = (/** @type {object} */ place, /** @type {string | undefined} */ text) =>
    text ? [svg("text", { class: "attn-axis", ...place, text })] : [];
  return svg(
    "g",
    { "aria-hidden": "true" },
    ...name(
      { x: wide - 6, y: y + (beside ? 36 : 18), "text-anchor": "end" },
      right && `${right} →`,
    ),
    ...name(
      beside ? { x: x - 34, y: 22, "text-anchor": "end" } : { x: x + 8, y: 16 },
      up && `↑ ${up}`,
    ),
    ...name({ x: x + 8, y: high - 8 }, down && `↓ ${down}`),
  );
}

const HEAD = 11; // the length of an arrow's head

// The three corners of an arrow head, for an arrow that points from `tail` to `tip` on the page.
/** @type {(tail: Vector, tip: Vector) => Vector[]} */
export function head([x0, y0], [x1, y1]) {
  const turn = Math.atan2(y1 - y0, x1 - x0);
  const corner = (/** @type {number} */ angle) => [
    x1 - HEAD * Math.cos(turn + angle),
    y1 - HEAD * Math.sin(turn + angle),
  ];
  return [[x1, y1], corner(0.42), corner(-0.42)];
}

// gap: how far beyond the tip the name stands.
/**
 * @param {View} view
 * @param {Vector} vector
 * @param {{ role: string, text?: string, gap?: number }} options
 */
export function arrow(view, vector, { role, text, gap = 10 }) {
  const [tail, tip] = [view.toPage([0, 0]), view.toPage(vector)];
  const length = Math.hypot(tip[0] - tail[0], tip[1] - tail[1]);
  /** @type {SVGElement[]} */
  const shapes = [svg("line", { x1: tail[0], y1: tail[1], x2: tip[0], y2: tip[1] })];
  if (length > 4) shapes.push(svg("polygon", { points: head(tail, tip).join(" ") }));
  if (text) shapes.push(caption(tail, tip, text, gap));
  return svg("g", { class: "attn-arrow", "data-role": role }, ...shapes);
}

// The place `gap` beyond the tip of an arrow on the page.
/** @type {(tail: Vector, tip: Vector, gap: number) => Vector} */
export function beyond([x0, y0], [x1, y1], gap) {
  const far = Math.hypot(x1 - x0, y1 - y0) || 1;
  return [x1 + (gap * (x1 - x0)) / far, y1 + (gap * (y1 - y0)) / far];
}

// The name of a vector, beyond its tip and on the side it points to.
/** @type {(tail: Vector, tip: Vector, text: string, gap: number) => SVGTextElement} */
function caption([x0, y0], [x1, y1], text, gap) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const anchor = Math.abs(ux) < 0.35 ? "middle" : ux > 0 ? "start" : "end";
  return svg("text", { x: x1 + gap * ux, y: y1 + (gap + 5) * uy + 5, "text-anchor": anchor, text });
}

/** @type {(vector: Vector) => number} */
export const degrees = ([x, y]) => Math.round((180 * Math.atan2(y, x)) / Math.PI);
/** @type {(angle: number) => Vector} */
export const direction = (angle) => {
  const turn = (Math.PI * angle) / 180;
  // cos 90° is 6e-17 in binary; on a figure a right angle is a right angle.
  return [Math.cos(turn), Math.sin(turn)].map((x) => (Math.abs(x) < 1e-15 ? 0 : x));
};

// Degrees folded into [-180, 180].
/** @type {(angle: number) => number} */
export const fold = (angle) => (angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle);

/** @type {Record<string, number>} */
const TURN = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 15, PageDown: -15 };
/** @type {Record<string, Vector>} */
export const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
  PageUp: [0, 1],
  PageDown: [0, -1],
};
/** @type {(label: string, role: string, letter: string) => SVGGElement} */
const knob = (label, role, letter) =>
  svg(
    "g",
    { class: "attn-handle", "data-role": role, role: "slider", tabindex: "0", "aria-label": label },
    svg("line", { class: "attn-leader", x1: 0, y1: 0 }),
    svg("circle", { class: "attn-hit", r: 24 }),
    svg("circle", { class: "attn-ring", r: RING }),
    svg("circle", { class: "attn-knob", r: 11 }),
    svg("text", { y: 4.5, "text-anchor": "middle", text: letter }),
  );

// A knob to drag to a place in the plane. `move` gets the place; `nudge` the steps an arrow key asks
// for. Returns set(vector, value, at): a knob that stands elsewhere (`at`, on the page) than its
// vector's tip has a line to it.
/**
 * @typedef {object} HandleOptions
 * @property {string} label
 * @property {string} role
 * @property {string} letter
 * @property {(place: Vector) => void} move
 * @property {(steps: number, key: string) => void} nudge
 * @typedef {{ value: number, min: number, max: number, words: string }} HandleValue
 * @param {View} view
 * @param {HandleOptions} options
 */
export function handle(view, { label, role, letter, move, nudge }) {
  const node = knob(label, role, letter);
  const [leader] = node.children;
  let [tip, held] = [
    [0, 0],
    [0, 0],
  ];
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = view.toPlane(event);
    held = tip.map((x, i) => x - place[i]);
    node.setPointerCapture(event.pointerId);
    event.preventDefault();
    node.setAttribute("data-dragged", ""); // whoever drags it sees where it is: no ring
    node.focus({ preventScroll: true });
  });
  node.addEventListener("blur", () => node.removeAttribute("data-dragged"));
  node.addEventListener("pointermove", (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    move(view.toPlane(event).map((x, i) => x + held[i]));
  });
  node.addEventListener("keydown", (event) => {
    node.removeAttribute("data-dragged");
    if (!(event.key in TURN)) return;
    event.preventDefault();
    nudge(TURN[event.key] * (event.shiftKey ? 10 : 1), event.key);
  });
  view.live.append(node);
  /** @type {(vector: Vector, value: HandleValue, at?: Vector) => void} */
  const set = (vector, { value, min, max, words }, at = view.toPage(vector)) => {
    tip = vector;
    const [dx, dy] = view.toPage(vector).map((x, i) => x - at[i]);
    node.setAttribute("transform", `translate(${at.join(" ")})`);
    leader.setAttribute("x2", String(dx));
    leader.setAttribute("y2", String(dy));
    const valued = { now: value, min, max, text: words };
    for (const [name, part] of Object.entries(valued))
      node.setAttribute(`aria-value${name}`, String(part));
  };
  return Object.assign(set, { node });
}
