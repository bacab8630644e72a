// The picture: every matrix of the stage with its names and arrows. `show` repaints what changed.

import { html, svg, uniqueId } from "../kit/elements.js";
import * as annotations from "./annotations.js";
import { axes, matrix, present } from "./arithmetic.js";
import { flow } from "./flow.js";
import { isReached, madeAt } from "./journey.js";
import { isTurned } from "./layout.js";
import { scales, squares } from "./matrix_squares.js";

function hatchPattern(id) {
  const line = svg("path", { d: "M0 5L5 0", class: "attn-hatch" });
  return svg(
    "defs",
    {},
    svg("pattern", { id, width: 5, height: 5, patternUnits: "userSpaceOnUse" }, line),
  );
}

// Whether the rows of a matrix are the words, one below the other.
const isWordRows = (state, id) => axes(state, id).rows === state.words && !isTurned(id);

const FRONT = "attn-front"; // the frame round the front head's columns of the joined heads

function frontFrame({ boxes, cell }) {
  const node = svg("rect", { class: FRONT, rx: 3 });
  const show = (state) => {
    const wide = (boxes.joined.right - boxes.joined.x) / state.questions.length;
    node.setAttribute("x", boxes.joined.x - 1);
    node.setAttribute("y", boxes.joined.y - 1);
    node.style.setProperty("transform", `translateX(${wide * state.head}px)`);
    node.setAttribute("width", wide + 2);
    node.setAttribute("height", cell * boxes.joined.rows + 2);
  };
  return { node, show };
}

// The entry under the slider, ringed where it is drawn.
function ring({ boxes, cell }) {
  const node = svg("rect", { class: "attn-dial", width: cell + 1, height: cell + 1, rx: 3.5 });
  const show = (state) => {
    const { stage, strength_at, feature_at, head, W_q, questions } = state;
    const size = W_q[0].length / questions.length;
    const shown = stage === 2 || Math.floor(strength_at[1] / size) === head;
    const box = stage === 2 ? boxes.X : boxes.W_q;
    node.style.display = shown && box && !state.folded ? "" : "none";
    if (!box) return;
    const [row, col] = stage === 2 ? feature_at : [strength_at[0], strength_at[1] % size];
    const [x, y] = box.turned ? [row, col] : [col, row];
    node.setAttribute("x", box.x + cell * x - 0.5);
    node.setAttribute("y", box.y + cell * y - 0.5);
  };
  return { node, show };
}

// A band behind the followed word's row, on every line that has rows of words.
const band = ({ state, lines, cell, tops, boxes }, folded) => {
  const nodes = lines.flatMap((line, k) => {
    if (!line.some(([id]) => isWordRows(state, id))) return [];
    const width = boxes[line.at(-1)[0]].right + 8;
    const place = { x: 0, y: tops[k] - 1, width, height: cell + 2, rx: 4 };
    return [svg("rect", { class: "attn-band", ...place })];
  });
  const show = ({ word }) =>
    nodes.forEach((node) =>
      node.style.setProperty("transform", `translateY(${folded ? 0 : cell * word}px)`),
    );
  return { nodes, show };
};

const TURNING = 320; // milliseconds in which another head comes to the front

// Marks the picture while another head comes to the front: only then do colours and bars move to their
// new values. Under a slider they must follow at once.
function headTurns(node) {
  let [before, timer] = [null, 0];
  return ({ head }) => {
    const turns = before !== null && before !== head;
    before = head;
    if (!turns) return;
    node.setAttribute("data-turning", "");
    clearTimeout(timer);
    timer = setTimeout(() => node.removeAttribute("data-turning"), TURNING);
  };
}

const name = (state, plan, box) =>
  (plan.small ? annotations.shortName : annotations.nameOf)(state, box, plan);

export function picture(state, plan) {
  const numbers = Boolean(plan.small);
  const hatch = uniqueId("hatch");
  const drawn = present(state).filter((id) => plan.boxes[id]);
  const most = scales(state);
  const maps = Object.fromEntries(
    drawn.map((id) => [
      id,
      squares(state, plan.boxes[id], { most: most[id], hatch: `url(#${hatch})`, numbers }),
    ]),
  );
  const bars =
    state.folded || numbers
      ? null
      : annotations.weightBars(plan.boxes.weights, 44, annotations.sheetsOver(state, "weights"));
  const parts = {
    band: band(plan, state.folded),
    flow: flow(state, plan),
    bars,
    ring: ring(plan),
    gains: plan.wraps.length === 1 ? annotations.gains(plan.boxes.outputs, state.entries) : null,
    front: plan.boxes.joined ? frontFrame(plan) : null,
  };
  const firsts = plan.lines.map((line) => plan.boxes[line[0][0]]);
  const columnNames = plan.namedBoxes
    .map((id) => plan.boxes[id])
    .map((box) => annotations.slanted(box, annotations.namesAlong(state, box), plan.slant));
  const lineWords = firsts.filter(({ id }) => isWordRows(state, id));
  const flight = svg("g", { class: "attn-flight", "aria-hidden": "true" });
  const over = svg("g", { class: "attn-over", "aria-hidden": "true" });
  const node = svg(
    "svg",
    {
      class: plan.small ? "attn-layer attn-small" : "attn-layer",
      viewBox: `0 0 ${plan.width} ${plan.height}`,
      role: "group",
    },
    hatchPattern(hatch),
    ...parts.band.nodes,
    svg("g", {}, ...drawn.map((id) => annotations.frame(state, plan.boxes[id]))),
    parts.flow.node,
    svg(
      "g",
      { "aria-hidden": "true" },
      ...columnNames,
      ...lineWords.map((box) => annotations.words(state, box)),
    ),
    svg("g", { "aria-hidden": "true" }, ...drawn.map((id) => name(state, plan, plan.boxes[id]))),
    svg("g", { class: "attn-maps" }, ...drawn.map((id) => maps[id].node)),
    ...[parts.front?.node, bars?.node, parts.gains?.node, parts.ring.node].filter(Boolean),
    flight,
    over,
  );
  node.setAttribute(
    "aria-label",
    "Every number of the layer; arrow keys go from square to square.",
  );
  node.style.setProperty("max-width", `${plan.width}px`);
  // The first state stands; only changes of it move.
  requestAnimationFrame(() => requestAnimationFrame(() => node.setAttribute("data-moves", "")));
  const turn = headTurns(node);
  const show = (now, result) => {
    turn(now);
    for (const id of drawn) {
      maps[id].show(matrix(now, result, id), now);
      maps[id].node.toggleAttribute("data-later", !isReached(now, id));
      maps[id].node.toggleAttribute("data-now", now.step > 0 && madeAt(now, id) === now.step);
    }
    for (const part of Object.values(parts)) part?.show(now, result);
    parts.bars?.node.toggleAttribute("data-later", !isReached(now, "weights"));
    parts.gains?.node.toggleAttribute("data-later", !isReached(now, "outputs"));
    for (const word of node.querySelectorAll(".attn-word"))
      word.toggleAttribute("data-on", Number(word.dataset.word) === now.word);
  };
  return {
    node: html("div", { class: "attn-picture" }, node),
    svg: node,
    over,
    flight,
    maps,
    show,
  };
}
