// Which inputs reach one output: through a stack of convolutions, and through one layer of attention.

import { range } from "../kit/arithmetic.js";
import { svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { percent, scale, scientific } from "../kit/format.js";
import { redraw } from "../kit/redraw.js";

const step = (dilated, layer) => (dilated ? 2 ** layer : 1);

// The positions that matter, layer by layer from the inputs (first) to the chosen output (last).
export function reach({ layers, size, dilated, position, spec: { positions } }) {
  const half = (size - 1) / 2;
  const rows = [[position - 1]];
  for (let layer = layers - 1; layer >= 0; layer -= 1) {
    const heard = new Set();
    for (const at of rows[0])
      for (let cell = -half; cell <= half; cell += 1) {
        const place = at + cell * step(dilated, layer);
        if (place >= 0 && place < positions) heard.add(place);
      }
    rows.unshift([...heard].sort((a, b) => a - b));
  }
  return rows;
}

// How far a stack looks if nothing stands in its way.
export const field = ({ layers, size, dilated }) =>
  1 + (size - 1) * (dilated ? 2 ** layers - 1 : layers);

// The fewest layers through which the chosen output hears everything; none if the kernel has one cell.
export function needed({ size, dilated, position, spec: { positions } }) {
  if (size === 1) return null;
  const far = Math.max(position - 1, positions - position);
  const half = (size - 1) / 2;
  for (let layers = 1; ; layers += 1)
    if (half * (dilated ? 2 ** layers - 1 : layers) >= far) return layers;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export function sentence(state, { rows }) {
  const { layers, size, dilated, position, spec } = state;
  const [heard, all] = [rows[0].length, spec.positions];
  const wide = field(state);
  const cut = wide > heard && heard < all ? " (the end of the row cuts it off)" : "";
  const doubling = dilated ? " and doubling steps" : "";
  return (
    `${plural(layers, "layer")} of kernels with ${plural(size, "cell")}${doubling} ${layers === 1 ? "has" : "have"} a receptive field of ${wide < 1e6 ? wide : scientific(wide)}: ` +
    `output ${position} hears ${heard} of ${all} inputs, ${percent(heard / all)}${cut}. ${verdict(state, heard)} ` +
    `One layer of attention hears all ${all}, wherever they are.`
  );
}

// Whether the stack is deep enough; how deep it must be is for the reader to find.
function verdict(state, heard) {
  const least = needed(state);
  if (least === null) return "A kernel with one cell never hears a neighbour, at any depth.";
  if (heard < state.spec.positions) return "Not deep enough to hear them all.";
  return state.layers === least
    ? "One layer fewer would not hear them all."
    : `${plural(least, "layer")} would already hear them all.`;
}

const [WIDE, LEFT, RIGHT, TOP] = [640, 112, 632, 18];
const STACK = 216; // from the first row to the last, however many layers stand between
const PLAIN = 48; // the same for one layer
const ROOM = 18; // rows that are closer have no room for their names

// Rows of dots, outputs on top; lines from a dot to those it reads. A dot that matters is filled and
// larger. `high` is fixed, so that the figure keeps its size while layers come and go.
function cone(rows, lines, names, { positions, high }, label) {
  const x = scale([0, positions - 1], [LEFT, RIGHT]);
  const last = rows.length - 1;
  const gap = high / last;
  const y = (row) => TOP + gap * (last - row);
  const dot = (row) => (i) => {
    const on = rows[row].includes(i);
    const role = row === last ? "output" : undefined;
    const r = on ? Math.min(5, 0.4 * gap) : Math.min(2.2, 0.22 * gap);
    const place = { class: "attn-glides", cx: x(i), cy: y(row), r };
    return svg("circle", { ...place, "data-on": on, "data-role": role });
  };
  const hasName = (row) => gap >= ROOM || row === 0 || row === last;
  const wire = ([row, from, to]) => `M${x(from)} ${y(row)}L${x(to)} ${y(row - 1)}`;
  const d = lines.map(wire).join("");
  return svg(
    "svg",
    {
      class: "attn-cone",
      viewBox: `0 0 ${WIDE} ${high + 2 * TOP}`,
      role: "img",
      "aria-label": label,
    },
    svg("path", { d, "data-key": d }),
    ...rows.flatMap((_, row) => [
      svg("text", { x: 2, y: y(row) + 4.5, text: hasName(row) ? names[row] : "" }),
      ...range(positions).map(dot(row)),
    ]),
  );
}

function wires(rows, { size, dilated, spec: { positions } }) {
  const half = (size - 1) / 2;
  return rows.slice(1).flatMap((heard, below) =>
    heard.flatMap((at) =>
      range(size)
        .map((cell) => at + (cell - half) * step(dilated, below))
        .filter((place) => place >= 0 && place < positions)
        .map((place) => [below + 1, at, place]),
    ),
  );
}

function pictures(state, { rows }) {
  const {
    spec: { positions },
    position,
    layers,
  } = state;
  const all = range(positions);
  const names = rows.map((_, i) => (i === 0 ? "inputs" : i === layers ? "outputs" : `layer ${i}`));
  const part = (title, ...more) => titled(title, cone(...more));
  return [
    part(
      `convolution, ${plural(layers, "layer")}`,
      rows,
      wires(rows, state),
      names,
      { positions, high: STACK },
      `Output ${position} hears ${rows[0].length} of ${positions} inputs, from ${rows[0][0] + 1} to ${rows[0].at(-1) + 1}.`,
    ),
    part(
      "attention, 1 layer",
      [all, [position - 1]],
      all.map((place) => [1, position - 1, place]),
      ["inputs", "outputs"],
      { positions, high: PLAIN },
      `Output ${position} hears all ${positions} inputs.`,
    ),
  ];
}

function build(page) {
  page.stage.classList.add("attn-single");
  page.slider("layers", { label: "layers" });
  page.slider("size", { label: "kernel size s" });
  page.slider("position", { label: "output", role: "output" });
  page.checkbox("dilated", { label: "doubling steps" });
  return (state, result) => redraw(page.stage, ...pictures(state, result));
}

export default figure({
  name: "ReceptiveField",
  title: "How far a layer looks",
  lead: "Filled dots matter to the output that is followed; small ones do not.",
  compute: (state) => ({ rows: reach(state) }),
  build,
  words: sentence,
});
