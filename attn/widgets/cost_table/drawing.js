// What attention, a recurrence and a convolution cost at n tokens of size d, counted in full.

import { range } from "../kit/arithmetic.js";
import { swatch } from "../kit/chart.js";
import { html, scrollBox, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, scientific, tenTo } from "../kit/format.js";
import { lineChart } from "../kit/line_chart.js";
import { redraw } from "../kit/redraw.js";
import { table } from "../kit/table.js";

const cellName = ({ cell, spec }) => Object.fromEntries(spec.controls.cell)[cell];

// Multiply-adds of one layer at any n; `part` lines are what attention's total is made of.
function costs(n, { d, s, cell, spec }) {
  const projections = 4 * n * d * d;
  const scores = 2 * n * n * d;
  return {
    projections,
    scores,
    attention: projections + scores,
    recurrence: spec.matrices[cell] * n * d * d,
    convolution: s * n * d * d,
  };
}

// Layers, or steps in time, until the last output has seen the first token.
function paths({ n, s }) {
  let dilated = 1;
  while (s ** dilated < n) dilated += 1;
  return { attention: 1, recurrence: n, convolution: Math.ceil((n - 1) / (s - 1)), dilated };
}

// 4 n d² + 2 n² d = c n d² at n = (c/2 − 2) d: up to there attention costs less; never if it is not above 0.
const crossing = (c, d) => (c / 2 - 2) * d;

export const compute = (state) => ({
  current: costs(state.n, state),
  paths: paths(state),
  crossings: {
    recurrence: crossing(state.spec.matrices[state.cell], state.d),
    convolution: crossing(state.s, state.d),
  },
});

// 7.1·10⁷; below a thousand in full.
export const count = (x) => (x < 1000 ? whole(x) : scientific(x));

const whole = (x) => Math.round(x).toLocaleString("en");

// A ratio above 1 in digits that count: 1.41, 23.
const ratio = (x) => (x >= 10 ? whole(x) : fixed(x, 2));

// Who takes more, by how much.
function rival({ attention, recurrence }, name) {
  if (attention === recurrence) return `The ${name} takes just as many`;
  if (attention < recurrence)
    return `The ${name} takes ${ratio(recurrence / attention)} times as many`;
  return `That is ${ratio(attention / recurrence)} times what the ${name} takes`;
}

export function sentence(state, { current, crossings }) {
  const { n, d, s, plain } = state;
  const recurrence = cellName(state);
  const from = (at, name) =>
    at > 0
      ? `Attention costs less than ${name} below n = ${whole(at)}, more above.`
      : `Attention costs more than ${name} at every n.`;
  const split =
    n < 2 * d
      ? `the projections are the larger part; that changes at n = 2d = ${whole(2 * d)}`
      : n === 2 * d
        ? "projections and scores with blend cost the same: n = 2d"
        : `scores and blend are the larger part, as they are above n = 2d = ${whole(2 * d)}`;
  const told =
    `At n = ${whole(n)} and d = ${whole(d)} attention takes ${count(current.attention)} multiply-adds, and ${split}. ` +
    `${rival(current, recurrence)} in its ${whole(n)} steps, one after another.`;
  if (plain) return told;
  return (
    `${told} ` +
    `${from(crossings.recurrence, `the ${recurrence}`)} ${from(crossings.convolution, `a convolution with s = ${s}`)}`
  );
}

// Each line's series and width: the parts of attention are thinner than the layers.
const LINES = [
  ["attention", "attention", 1, 2.4],
  ["recurrence", "recurrence", 2, 2.4],
  ["convolution", "convolution", 3, 2.4],
  ["projections", "projections", 4, 1.4],
  ["scores", "scores and blend", 5, 1.4],
];
const linesOf = ({ plain }) => LINES.filter(([name]) => !(plain && name === "convolution"));
const POINTS = 53;

const each = (at, state) =>
  Object.fromEntries(Object.entries(costs(at, state)).map(([name, c]) => [name, c / at]));

// Where lines cross within the chart: which two, and at which n.
function crossed({ d, plain, spec }, { recurrence, convolution }) {
  const { min, max } = spec.controls.n;
  return [
    ["attention", "recurrence", recurrence],
    ...(plain ? [] : [["attention", "convolution", convolution]]),
    ["projections", "scores", 2 * d],
  ].filter(([, , at]) => at >= min && at <= max);
}

// Cost for one token, against n, both in powers: what grows with n beyond its tokens slopes.
function chart(state, { crossings }) {
  const { n, d, spec } = state;
  const { min, max } = spec.controls.n;
  const [low, high] = [0.5 * Math.min(2 * min * d, 2 * d * d), 2 * (4 * d * d + 2 * max * d)];
  const powers = range(Math.ceil(Math.log10(high))).filter((e) => 10 ** e > low);
  const lengths = range(POINTS).map((i) => min * (max / min) ** (i / (POINTS - 1)));
  const ticks = range(Math.floor(Math.log2(max / min) / 3) + 1).map((k) => min * 8 ** k);
  const found = crossed(state, crossings);
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const says = ([one, other, at]) =>
    one === "attention"
      ? `${capital(one)} crosses ${other} at n = ${whole(at)}.`
      : `${capital(one)} and ${other} cross at n = ${whole(at)}.`;
  return lineChart({
    label: `Multiply-adds per token against n from ${min} to ${whole(max)}. ${found.map(says).join(" ") || "No lines cross."}`,
    ...{ high: 212, area: [44, 326, 8, 174] },
    x: {
      ...{ of: Math.log2, ends: [Math.log2(min), Math.log2(max)], name: "n" },
      ticks: ticks.map((at) => [Math.log2(at), whole(at)]),
    },
    y: {
      ...{ of: Math.log10, ends: [Math.log10(low), Math.log10(high)] },
      ticks: powers.map((e) => [e, tenTo(e)]),
    },
    lines: linesOf(state).map(([name, , series, width]) => ({
      points: lengths.map((at) => [at, each(at, state)[name]]),
      ...{ series, width },
    })),
    cursor: n,
    dots: found.map(([one, name, at]) => ({
      ...{ at: [at, each(at, state)[name]], r: 5 },
      ...{ class: "attn-crossing", "data-key": `${one} ${name}` },
    })),
  });
}

const legend = (state) =>
  html(
    "ul",
    { class: "attn-legend" },
    ...linesOf(state).map(([, text, series, width]) =>
      html("li", {}, swatch(series, width), ` ${text}`),
    ),
    html("li", { text: "◯ where two lines cross" }),
  );

const HEADS = [
  "layer, all n tokens",
  "as printed",
  "counted in full",
  "steps in turn",
  "first to last",
];

function rowsOf(state, { current, paths: way }) {
  const { n, d, s, cell, plain, spec } = state;
  const compared = [
    [
      "attention",
      `n²d = ${count(n * n * d)}`,
      `4nd² + 2n²d = ${count(current.attention)}`,
      "1",
      "1 layer",
    ],
    [
      cellName(state),
      `nd² = ${count(n * d * d)}`,
      `${spec.matrices[cell]}nd² = ${count(current.recurrence)}`,
      whole(n),
      `${whole(n)} steps`,
    ],
  ];
  const convolution = (name, layers) => [
    name,
    `snd² = ${count(s * n * d * d)}`,
    `snd² = ${count(current.convolution)}`,
    "1",
    `${whole(layers)} layers`,
  ];
  if (plain) return compared;
  return [
    ...compared,
    convolution(`convolution, s = ${s}`, way.convolution),
    convolution("the same, dilated", way.dilated),
  ];
}

function bill(state, result) {
  const { plain } = state;
  const isShown = (_, i) => !(plain && HEADS[i] === "as printed");
  const box = scrollBox(html("div"), "What one layer costs");
  box.append(
    table({
      kind: "attn-price",
      heads: HEADS.filter(isShown),
      rows: rowsOf(state, result).map((cells) => cells.filter(isShown)),
      stacks: true,
    }),
  );
  return box;
}

function build(page, { plain }) {
  page.slider("n", { label: "tokens n", format: whole });
  page.slider("d", { label: "size d", format: whole });
  if (!plain) page.slider("s", { label: "kernel size s" });
  page.select("cell", { label: "recurrence" });
  return (state, result) =>
    redraw(
      page.stage,
      titled("multiply-adds per token", chart(state, result)),
      legend(state),
      bill(state, result),
    );
}

export default figure({
  name: "CostTable",
  title: "What a layer costs, counted in full",
  lead: ({ plain }) =>
    plain
      ? "All layers keep the size d."
      : "“As printed” is Table 1 of Vaswani et al. (2017) without its O( ); our s is its k.",
  compute,
  build,
  words: sentence,
  rebuildKey: ({ plain }) => [plain],
  tall: true,
});
