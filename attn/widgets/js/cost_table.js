// What attention, a recurrence and a convolution cost at n tokens of size d, counted in full.

import { html, scrollBox, svg } from "./kit/elements.js";
import { figure } from "./kit/figure.js";
import { fixed, scale } from "./kit/format.js";

const NAMES = { gru: "GRU", lstm: "LSTM", rnn: "plain RNN" };

// Multiply-adds of one layer at any n; `part` lines are what attention's total is made of.
export function costs(n, { d, k, cell, facts }) {
  const projections = 4 * n * d * d;
  const scores = 2 * n * n * d;
  return {
    projections,
    scores,
    attention: projections + scores,
    recurrence: facts.matrices[cell] * n * d * d,
    convolution: k * n * d * d,
  };
}

// Layers, or steps in time, until the last output has seen the first token.
export function paths({ n, k }) {
  let dilated = 1;
  while (k ** dilated < n) dilated += 1;
  return { attention: 1, recurrence: n, convolution: Math.ceil((n - 1) / (k - 1)), dilated };
}

// 4 n d² + 2 n² d = c n d² at n = (c/2 − 2) d: up to there attention costs less; never if it is not above 0.
export const crossing = (c, d) => (c / 2 - 2) * d;

export const compute = (state) => ({
  now: costs(state.n, state),
  paths: paths(state),
  crossings: {
    recurrence: crossing(state.facts.matrices[state.cell], state.d),
    convolution: crossing(state.k, state.d),
  },
});

const RAISED = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];
const power = (e) => `10${[...`${e}`].map((c) => RAISED[c]).join("")}`;

// 7.1·10⁷; below a thousand in full.
export function count(x) {
  if (x < 1000) return whole(x);
  const [digits, e] = x.toExponential(1).split("e+");
  return `${digits}·${power(e)}`;
}

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

export function sentence({ n, d, k, cell }, { now, crossings }) {
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
  return (
    `At n = ${whole(n)} and d = ${whole(d)} attention takes ${count(now.attention)} multiply-adds, and ${split}. ` +
    `${rival(now, NAMES[cell])}, in ${whole(n)} steps one after another. ` +
    `${from(crossings.recurrence, `the ${NAMES[cell]}`)} ${from(crossings.convolution, `a convolution with k = ${k}`)}`
  );
}

const [LEFT, RIGHT, TOP, FLOOR] = [44, 326, 8, 174];
const LINES = [
  ["attention", "series-1", "attention"],
  ["recurrence", "series-2", "recurrence"],
  ["convolution", "series-3", "convolution"],
  ["projections", "series-4", "projections"],
  ["scores", "series-5", "scores and blend"],
];
const look = (series, thin) => ({
  stroke: `var(--attn-${series})`,
  "stroke-dasharray": `var(--attn-${series}-dash)`,
  "stroke-width": thin ? "1.4" : "2.4",
  fill: "none",
});
// Cost for one token, against n, both in powers: what grows with n beyond its tokens slopes.
function chart(state, { crossings }) {
  const { n, d, facts } = state;
  const { min, max } = facts.controls.n;
  const lengths = Array.from({ length: 53 }, (_, i) => min * (max / min) ** (i / 52));
  const each = (at) =>
    Object.fromEntries(Object.entries(costs(at, state)).map(([name, c]) => [name, c / at]));
  const ends = [0.5 * Math.min(2 * min * d, 2 * d * d), 2 * (4 * d * d + 2 * max * d)];
  const x = (at) => scale([Math.log(min), Math.log(max)], [LEFT, RIGHT])(Math.log(at));
  const y = (c) => scale(ends.map(Math.log), [FLOOR, TOP])(Math.log(c));
  const points = (name) =>
    lengths.map((at) => `${fixed(x(at), 1)},${y(each(at)[name]).toFixed(1)}`).join(" ");
  const decades = Array.from({ length: 14 }, (_, e) => e).filter(
    (e) => 10 ** e > ends[0] && 10 ** e < ends[1],
  );
  const dots = [
    ["recurrence", crossings.recurrence],
    ["convolution", crossings.convolution],
    ["projections", 2 * d, "scores"],
  ].filter(([, at]) => at >= min && at <= max);
  return svg(
    "svg",
    {
      class: "attn-costs",
      viewBox: "0 0 340 212",
      role: "img",
      "aria-label": `Multiply-adds for each token against n from ${min} to ${whole(max)}. ${dots.map(([name, at]) => (name === "projections" ? `Projections and scores cross at n = ${whole(at)}.` : `Attention crosses ${name} at n = ${whole(at)}.`)).join(" ") || "No lines cross."}`,
    },
    ...decades.flatMap((e) => [
      svg("line", { class: "attn-rule", x1: LEFT, x2: RIGHT, y1: y(10 ** e), y2: y(10 ** e) }),
      svg("text", { x: LEFT - 5, y: y(10 ** e) + 4, "text-anchor": "end", text: power(e) }),
    ]),
    ...[8, 64, 512, 4096, 32768].map((at) =>
      svg("text", { x: x(at), y: FLOOR + 18, "text-anchor": "middle", text: whole(at) }),
    ),
    svg("text", { x: (LEFT + RIGHT) / 2, y: FLOOR + 36, "text-anchor": "middle", text: "n" }),
    ...LINES.map(([name, series], i) =>
      svg("polyline", { points: points(name), style: look(series, i > 2) }),
    ),
    svg("line", { class: "attn-cursor", x1: x(n), x2: x(n), y1: TOP, y2: FLOOR }),
    ...dots.map(([name, at, other]) =>
      svg("circle", { class: "attn-crossing", cx: x(at), cy: y(each(at)[other ?? name]), r: 5 }),
    ),
  );
}

const legend = () =>
  html(
    "ul",
    { class: "attn-legend" },
    ...LINES.map(([, series, text], i) =>
      html(
        "li",
        {},
        svg(
          "svg",
          { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" },
          svg("line", { x1: 0, x2: 30, y1: 4, y2: 4, style: look(series, i > 2) }),
        ),
        ` ${text}`,
      ),
    ),
    html("li", { text: "◯ where two lines cross" }),
  );

function table({ n, d, k, cell, facts }, { now, paths: way }) {
  const rows = [
    ["attention", "n²d", n * n * d, "4nd² + 2n²d", now.attention, 1, 1],
    [
      NAMES[cell],
      "nd²",
      n * d * d,
      `${facts.matrices[cell]}nd²`,
      now.recurrence,
      n,
      `${whole(n)} steps`,
    ],
    [
      `convolution, k = ${k}`,
      "knd²",
      k * n * d * d,
      "knd²",
      now.convolution,
      1,
      `${whole(way.convolution)} layers`,
    ],
    [
      "the same, dilated",
      "knd²",
      k * n * d * d,
      "knd²",
      now.convolution,
      1,
      `${way.dilated} layers`,
    ],
  ];
  const heads = [
    "layer, all n tokens",
    "as printed",
    "counted in full",
    "steps in turn",
    "first to last",
  ];
  const row = ([name, printed, p, full, f, steps, path]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", text: name }),
      html("td", { text: `${printed} = ${count(p)}` }),
      html("td", { text: `${full} = ${count(f)}` }),
      html("td", { text: whole(steps) }),
      html("td", { text: path === 1 ? "1 layer" : path }),
    );
  const box = scrollBox(html("div"), "What one layer costs");
  box.append(
    html(
      "table",
      { class: "attn-price" },
      html("thead", {}, html("tr", {}, ...heads.map((text) => html("th", { scope: "col", text })))),
      html("tbody", {}, ...rows.map(row)),
    ),
  );
  return box;
}

function build(page) {
  page.stage.classList.add("attn-priced");
  page.slider("n", { label: "tokens n", format: whole });
  page.slider("d", { label: "size d", format: whole });
  page.slider("k", { label: "kernel k" });
  page.select("cell", { label: "recurrence" });
  return (state, made) =>
    page.stage.replaceChildren(
      html(
        "div",
        { class: "attn-titled" },
        html("p", { text: "multiply-adds for each token" }),
        chart(state, made),
      ),
      legend(),
      table(state, made),
    );
}

export default figure({
  name: "CostTable",
  title: "What a layer costs, counted in full",
  lead: "“As printed” is Table 1 of Vaswani et al. (2017), without its O( ). All layers keep the size d.",
  compute,
  build,
  words: sentence,
});
