// How much of the first token reaches output n, through three recurrent layers and through attention.

import { range } from "../kit/arithmetic.js";
import { seriesLine, swatch, words } from "../kit/chart.js";
import { html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, list, scientific, tenTo } from "../kit/format.js";
import { lineChart } from "../kit/line_chart.js";
import { redraw } from "../kit/redraw.js";
import { table } from "../kit/table.js";
import { compute } from "./arithmetic.js";

const layersOf = ({ gates }) => ["attention", ...gates.map(([net]) => net)];

// 0.059, 12, 1.8·10⁻⁴².
export function normText(x) {
  if (x >= 0.001 && x < 1000)
    return x >= 10 ? fixed(x, 0) : fixed(x, x >= 1 ? 1 : x >= 0.1 ? 2 : x >= 0.01 ? 3 : 4);
  return scientific(x);
}

// By what a norm was multiplied per step, on average, from output 1 to output n.
export const perStep = (norms, n) => (norms[n - 1] / norms[0]) ** (1 / (n - 1));

export function sentence({ n, keep, gain, draw, spec }, norms) {
  const layers = layersOf(spec);
  const found = layers.map(
    (name) =>
      `${normText(norms[name][n - 1])} through ${name === "attention" ? name : `the ${name}`}`,
  );
  const way =
    n === 1
      ? "Output 1 reads x₁ itself"
      : `From x₁ to output ${n} a recurrence takes ${n - 1} ${n === 2 ? "step" : "steps"} from state to state, attention none`;
  const vanished = layers.filter((name) => norms[name][n - 1] < spec.least);
  return (
    `${way}. ‖∂out/∂x₁‖ is ${list(found)}. ` +
    (vanished.length ? `In float32 ${list(vanished)} would read 0. ` : "") +
    `Keep bias ${fixed(keep, 1)}, gain ${fixed(gain, 1)}, draw ${draw}.`
  );
}

// From which power of ten to which each axis goes, and its levels.
const AXES = {
  whole: { powers: [-76, 6], ticks: [0, -20, -40, -60] },
  top: { powers: [-4, 1], ticks: [1, 0, -1, -2, -3, -4] },
};

function chart({ n, axis, spec }, norms) {
  const layers = layersOf(spec);
  const { max } = spec.controls.n;
  const { powers, ticks } = AXES[axis];
  const said = layers.map((name) => `${name} ${normText(norms[name][n - 1])}`).join(", ");
  const area = [46, 326, 8, 208];
  return lineChart({
    label: `Norm of the derivative of output n by x₁ for n from 1 to ${max}, in powers of ten. At n = ${n}: ${said}.`,
    ...{ area, high: 246, clip: true, cursor: n },
    x: {
      ...{ ends: [1, max], name: "output n" },
      ticks: [1, max / 4, max / 2, (3 * max) / 4, max].map((at) => [at, `${at}`]),
    },
    y: { of: Math.log10, ends: powers, ticks: ticks.map((power) => [power, tenTo(power)]) },
    lines: layers.map((name, k) => ({
      points: norms[name].map((norm, i) => [i + 1, norm]),
      series: k + 1,
    })),
    dots: layers.map((name, k) => ({ at: [n, norms[name][n - 1]], series: k + 1 })),
    marks: (_, y) => (axis === "whole" ? limit(area, y(spec.least)) : []),
  });
}

const limit = ([x1, x2], y) => [
  svg("line", { class: "attn-limit", x1, x2, y1: y, y2: y }),
  svg("text", { class: "attn-over", x: x1 + 4, y: y + 15, text: "float32 rounds to 0 below" }),
];

// The tokens as dots: from state to state below, in one arc above.
function routes({ n }) {
  const [attention, recurrence] = [1, 2].map((series) => seriesLine(series));
  const names = n <= 6 ? range(n).map((i) => `${i + 1}`) : ["1", "2", "3", "…", `${n - 1}`, `${n}`];
  const x = (i) => (names.length === 1 ? 170 : 26 + (288 * i) / (names.length - 1));
  const end = x(names.length - 1);
  const arc = n === 1 ? "M170 52V40" : `M${x(0)} 52Q${(x(0) + end) / 2} -12 ${end} 52`;
  return svg(
    "svg",
    {
      class: "attn-chart",
      viewBox: "0 0 340 118",
      role: "img",
      "aria-label": `From token 1 to output ${n}: ${n - 1} steps from state to state in a recurrence, one look in attention.`,
    },
    svg("path", { d: arc, style: attention }),
    words(170, 14, "attention: 1 look"),
    ...names
      .slice(1)
      .map((_, i) =>
        svg("line", { x1: x(i) + 15, x2: x(i + 1) - 15, y1: 66, y2: 66, style: recurrence }),
      ),
    ...names.flatMap((text, i) => [
      ...(text === "…" ? [] : [svg("circle", { class: "attn-spot", cx: x(i), cy: 66, r: 15 })]),
      words(x(i), 70.5, text),
    ]),
    words(170, 106, `recurrence: ${n - 1} ${n === 2 ? "step" : "steps"} from state to state`),
  );
}

// What a norm is made of: a factor for each step, or one weight.
function law(name, norms, n) {
  if (name === "attention") return "one weight";
  return n === 1 ? "–" : `× ${fixed(perStep(norms, n), 2)} per step`;
}

const summary = ({ n, spec }, norms) =>
  table({
    kind: "attn-norms",
    heads: ["layer", "‖∂out/∂x₁‖", "on the way"],
    rows: layersOf(spec).map((name, k) => [
      html("span", {}, swatch(k + 1), ` ${name}`),
      normText(norms[name][n - 1]),
      law(name, norms[name], n),
    ]),
  });

function build(page) {
  page.slider("n", { label: "output n", role: "output" });
  page.slider("keep", { label: "keep bias (GRU, LSTM)", format: (x) => fixed(x, 1) });
  page.slider("gain", { label: "gain on the state", format: (x) => fixed(x, 1) });
  page.slider("draw", { label: "random draw" });
  page.select("axis", { label: "axis" });
  return (state, norms) =>
    redraw(
      page.stage,
      titled("‖∂out/∂x₁‖, in powers of ten", chart(state, norms)),
      html("div", { class: "attn-side" }, routes(state), summary(state, norms)),
    );
}

export default figure({
  name: "GradientPaths",
  title: "What is left of the first word",
  lead: ({ spec }) =>
    `Four untrained layers read the same ${spec.controls.n.max} random tokens of size ${spec.size}. Computed in float64.`,
  compute,
  build,
  words: sentence,
  tall: true,
});
