// Arrows: the followed word's line from matrix to matrix, keys from above, values from below, and one
// line that wraps. None crosses another.

import { svg } from "../kit/elements.js";
import { ALL_HEADS } from "./arithmetic.js";
import { steps } from "./journey.js";
import { roleOf } from "./matrix_squares.js";

// The head of an arrow, by where it points.
const HEADS = { right: "l-7 -4v8z", left: "l7 -4v8z", down: "l-4 -7h8z", up: "l-4 7h8z" };

// A line from point to point, with a head at its end.
function arrow(way, role, ...points) {
  const d = points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("");
  const [x, y] = points.at(-1);
  return svg(
    "g",
    {},
    svg("path", { class: "attn-flow", "data-role": role, d }),
    svg("path", { class: "attn-flow-head", "data-role": role, d: `M${x} ${y}${HEADS[way]}` }),
  );
}

const STACKED = ["queries", "scores", "scaled", "weights"]; // their sheets reach out to the right

// The followed word's own line: a group that moves with the word.
function along(state, plan) {
  const sheets = state.stage >= ALL_HEADS && !state.folded ? 6 : 0;
  const numbered = steps(state);
  return plan.lines.flatMap((line, k) => {
    const y = plan.tops[k] + plan.cell / 2;
    return line.slice(1).flatMap(([id], i) => {
      const [from, to] = [plan.boxes[line[i][0]], plan.boxes[id]];
      const start = from.right + 4 + (STACKED.includes(from.id) ? sheets : 0);
      const shaft = arrow("right", roleOf(from.id), [start, y], [to.x - 5, y]);
      const step = numbered.find(({ makes }) => makes[0] === id) ?? mixing(id, numbered);
      return step && !state.folded ? [shaft, badge((start + to.x) / 2 - 3, y, step)] : [shaft];
    });
  });
}

// W_o and W_1 stand between what a step takes and what it makes.
const mixing = (id, numbered) =>
  id === "W_o" ? numbered.find(({ name }) => name === "mix") : undefined;

const badge = (x, y, { number }) =>
  svg(
    "g",
    { class: "attn-badge", "data-step": number },
    svg("circle", { cx: x, cy: y - 13, r: 8 }),
    svg("text", { x, y: y - 9, "text-anchor": "middle", text: number }),
  );

const middle = ({ x, y, right, bottom }) => [(x + right) / 2, (y + bottom) / 2];

// What comes from above and from below.
function across(state, { boxes }) {
  const { keys, scores, values, weights, W_q, W_k, W_v, queries } = boxes;
  if (state.folded || !weights || !keys) return [];
  const [column, row] = [(box) => middle(box)[0], (box) => middle(box)[1]];
  const score = [column(scores), scores.y - (state.stage === 2 ? 5 : 20)];
  const found = [
    arrow("down", "key", [column(keys), keys.bottom + 4], score),
    arrow("up", "value", [column(values), values.y - 7], [column(weights), weights.bottom + 4]),
  ];
  if (!W_q) return found;
  const out = (W) => [W.right + 9, row(W)];
  const turn = column(queries);
  const end = queries.y - (state.stage >= ALL_HEADS ? 11 : 5);
  return [
    ...found,
    arrow("right", "key", out(W_k), [keys.x - 5, row(W_k)]),
    arrow("right", "value", out(W_v), [values.x - 5, row(W_v)]),
    arrow("down", "query", out(W_q), [turn, row(W_q)], [turn, end]),
  ];
}

// From the end of a line to the start of the next.
const wrapping = ({ lines, boxes, wraps }) =>
  wraps.map((wrap, k) => {
    const [from, to] = [boxes[lines[k].at(-1)[0]], boxes[lines[k + 1][0][0]]];
    const x = middle(from)[0];
    const end = k ? middle(to)[0] : to.x + 10;
    const [start, stop] = [from.bottom + (k ? 4 : 20), to.y - (k ? 22 : 5)];
    return arrow("down", "output", [x, start], [x, wrap], [end, wrap], [end, stop]);
  });

// What each sum of the block adds, its part's input: it comes from the line above, by its name.
const ADDED = { normed: "X + positions", block: "add, norm" };

function residuals({ boxes, lines }) {
  const sums = lines.length > 2 ? Object.entries(ADDED) : [];
  return sums.flatMap(([id, name]) => {
    const { right } = boxes[id];
    const y = middle(boxes[id])[1];
    const shaft = arrow("left", "output", [right + 36, y], [right + 8, y]);
    const words = { class: "attn-name attn-aside", x: right + 42, y: y + 4, text: `+ ${name}` };
    return [shaft, svg("text", words)];
  });
}

export function flow(state, plan) {
  const own = svg("g", { class: "attn-own-line" }, ...along(state, plan));
  const still = [...across(state, plan), ...wrapping(plan), ...residuals(plan)];
  const node = svg("g", { "aria-hidden": "true" }, ...still, own);
  const show = ({ word }) => {
    const down = state.folded ? 0 : plan.cell * word;
    own.toggleAttribute("data-first", down === 0);
    own.style.setProperty("transform", `translateY(${down}px)`);
  };
  return { node, show };
}
