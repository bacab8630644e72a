// What d_k does to scores, weights and sensitivities, with and without the division by √d_k.

import { entropy, jacobianNorm, normals, range, softmax, sum } from "../kit/arithmetic.js";
import { html, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, percent } from "../kit/format.js";
import { columns, histogram } from "../kit/histogram.js";
import { table } from "../kit/table.js";

// For each power of two up to the largest size, every query's dot products over that many first
// entries: (sequences × tokens, tokens). The numbers are drawn as sequence, query or key, token, entry.
export function dotProducts({ seed, sequences, tokens, largest }) {
  const drawn = normals(2 * sequences * tokens * largest, seed);
  const start = (sequence, part, token) => largest * (token + tokens * (part + 2 * sequence));
  const table = new Map(powers(largest).map((d) => [d, []]));
  for (let i = 0; i < sequences * tokens; i += 1) {
    const sequence = Math.floor(i / tokens);
    const sums = range(tokens).map((j) =>
      runningSums(drawn, start(sequence, 0, i % tokens), start(sequence, 1, j), largest),
    );
    for (const [d, rows] of table) rows.push(sums.map((found) => found[Math.log2(d)]));
  }
  return table;
}

const powers = (largest) => range(Math.log2(largest) + 1).map((e) => 2 ** e);

// The dot product of two runs of `drawn` over the first 1, 2, 4, … entries.
function runningSums(drawn, a, b, largest) {
  const found = [];
  let total = 0;
  for (let c = 0, stop = 1; c < largest; c += 1) {
    total += drawn[a + c] * drawn[b + c];
    if (c + 1 === stop) {
      found.push(total);
      stop *= 2;
    }
  }
  return found;
}

const mean = (row) => sum(row) / row.length;

// The value below which a share of the numbers lies, between neighbours as NumPy does it.
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

// The share of the total that the largest tenth of the numbers holds.
export function topTenth(numbers) {
  const sorted = [...numbers].sort((a, b) => b - a);
  return sum(sorted.slice(0, Math.round(sorted.length / 10))) / sum(sorted);
}

// A sensitivity is the norm of the weights' derivatives with respect to the raw scores, divided or not.
export function measure(dots, factor, { faded }) {
  const rows = dots.map((row) => row.map((s) => factor * s));
  const scores = rows.flat();
  const centre = mean(scores);
  const weights = rows.map(softmax);
  const sensitivities = weights.map((p) => factor * jacobianNorm(p));
  return {
    scores,
    weights,
    sensitivities,
    deviation: Math.sqrt(mean(scores.map((s) => (s - centre) ** 2))),
    top: mean(weights.map((p) => Math.max(...p))),
    entropy: mean(weights.map(entropy)),
    quartiles: [0.25, 0.5, 0.75].map((share) => quantile(sensitivities, share)),
    faded: sensitivities.filter((x) => x < faded).length / sensitivities.length,
    topTenth: topTenth(sensitivities),
  };
}

// Below 0.1 numbers keep two digits that are not 0, below a thousandth one, down to a millionth.
export const sensitivityText = (x) =>
  x >= 0.1 ? fixed(x, 3) : x >= 1e-6 ? x.toPrecision(x >= 0.001 ? 2 : 1) : "under 0.000001";

// No softmax gives a key everything, though a rounded number may say so.
const share = (p) => percent(Math.min(p, 1 - Number.EPSILON));

export function sentence({ d_k, scaled, query, plain, spec }, { current }) {
  const p = current.weights[query - 1];
  const best = p.indexOf(Math.max(...p));
  const looks =
    `d_k = ${d_k}, ${scaled ? `divided by ${fixed(Math.sqrt(d_k), 2)}` : "raw"}: the scores have a spread of ${fixed(current.deviation)}. ` +
    `Query ${query} looks ${share(p[best])} at key ${best + 1}`;
  if (plain) return `${looks}.`;
  return (
    `${looks}, and its sensitivity is ${sensitivityText(current.sensitivities[query - 1])}. ` +
    `Over all ${current.sensitivities.length} queries, the largest weight is ${fixed(current.top)} on average, the entropy ${fixed(current.entropy)} of at most ${fixed(Math.log(spec.tokens))} nats; ` +
    `the sensitivity is ${sensitivityText(mean(current.sensitivities))} on average and ${sensitivityText(current.quartiles[1])} in the median. ${percent(current.faded)} of the queries have less than ${spec.faded}, and the most sensitive tenth holds ${percent(current.topTenth)} of the total.`
  );
}

// An axis in powers of ten; what is smaller counts in the first bar.
const DECADES = {
  low: -6,
  high: 0,
  bins: 30,
  ticks: [-6, -4, -2, 0],
  write: (power) => ({ "-6": "≤ 10⁻⁶", "-4": "0.0001", "-2": "0.01", 0: "1" })[power],
};

function panels({ query, d_k, spec }, { current }) {
  const { deviation, sensitivities, quartiles } = current;
  const p = current.weights[query - 1];
  return [
    titled(
      `${current.scores.length} scores`,
      histogram(current.scores, {
        low: -96,
        high: 96,
        bins: 96,
        colour: "edge",
        ticks: [-96, -48, 0, 48, 96],
        marks: [
          { at: -deviation, text: "" },
          { at: deviation, text: `spread ${fixed(deviation)}` },
        ],
        label: `Scores from −96 to 96 for d_k = ${d_k}; their standard deviation is ${fixed(deviation)}.`,
      }),
    ),
    titled(
      `weights of query ${query} on its ${spec.tokens} keys`,
      columns(p, {
        tick: (j) => `${j + 1}`,
        label: `Weights of query ${query} on keys 1 to ${spec.tokens}: ${p.map((x) => fixed(x)).join(", ")}.`,
      }),
    ),
    titled(
      `sensitivity of each of the ${sensitivities.length} queries`,
      histogram(sensitivities.map(Math.log10), {
        ...DECADES,
        colour: "series-1",
        marks: [
          { at: Math.log10(sensitivities[query - 1]), text: "", dash: "var(--attn-guide-dash)" },
          { at: Math.log10(quartiles[1]), text: `median ${sensitivityText(quartiles[1])}` },
        ],
        label: `Sensitivities in powers of ten, up to 1; median ${sensitivityText(quartiles[1])}, half of them between ${sensitivityText(quartiles[0])} and ${sensitivityText(quartiles[2])}.`,
      }),
      html("p", { class: "attn-lead", text: `dashed: query ${query}` }),
    ),
  ];
}

const LINES = [
  ["spread of scores", ({ deviation }) => fixed(deviation)],
  ["largest weight", ({ top }) => fixed(top, 3)],
  ["entropy", (m) => fixed(m.entropy)],
  ["sensitivity, mean", ({ sensitivities }) => sensitivityText(mean(sensitivities))],
  ["median", ({ quartiles }) => sensitivityText(quartiles[1])],
  [({ faded }) => `under ${faded}`, ({ faded }) => percent(faded)],
  ["held by the top tenth", (m) => percent(m.topTenth)],
];

// Both ways side by side; the one that is drawn is bold and marked.
const comparison = ({ scaled, spec }, { both }) =>
  table({
    kind: "attn-comparison",
    heads: ["", "raw", "÷ √d_k"],
    rows: LINES.map(([name, show]) => [
      typeof name === "function" ? name(spec) : name,
      ...both.map(show),
    ]),
    column: Number(scaled),
  });

let products; // drawn once for all figures of a page
const measured = new Map();

// What both ways give, raw and divided, and the one that is drawn.
function compute({ d_k, scaled, spec }) {
  products ??= dotProducts(spec);
  if (!measured.has(d_k)) {
    const ways = [1, 1 / Math.sqrt(d_k)];
    measured.set(
      d_k,
      ways.map((factor) => measure(products.get(d_k), factor, spec)),
    );
  }
  const both = measured.get(d_k);
  return { both, current: both[Number(scaled)] };
}

function build(page) {
  page.slider("d_k", { label: "key size d_k", role: "key" });
  page.checkbox("scaled", { label: "divide the scores by √d_k" });
  page.slider("query", { label: "query to look at", role: "query" });
  return (state, result) => {
    const [scores, weights, sensitivities] = panels(state, result);
    const more = state.plain ? [] : [sensitivities, comparison(state, result)];
    page.stage.replaceChildren(scores, weights, ...more);
  };
}

export default figure({
  name: "ScaleExplorer",
  title: "Larger d_k, larger scores",
  lead: "Random queries and keys of mean 0 and variance 1. The axes keep their scales.",
  compute,
  build,
  words: sentence,
  tall: true,
});
