// What d_k does to scores, weights and gradients, with and without the division by √d_k.
import { entropy, jacobianNorm, normals, softmax } from "./core.js";
import { checkbox, frame, html, read, slider, update, watch } from "./kit/controls.js";
import { fixed, percent } from "./kit/format.js";
import { columns, histogram } from "./kit/histogram.js";

const TRAITS = ["d_k", "scaled", "query"];
const SEED = 4;
const SEQUENCES = 16;
const TOKENS = 16; // queries and keys of each sequence
const LARGEST = 1024;
const QUERIES = SEQUENCES * TOKENS;
const FADED = 0.01; // a gradient below this counts as none

// For each power of two up to 1024, every query's dot products over that many first entries, (256, 16).
export function dotProducts() {
  const drawn = normals(2 * QUERIES * LARGEST, SEED); // sequence, query or key, token, entry
  const start = (sequence, part, token) => LARGEST * (token + TOKENS * (part + 2 * sequence));
  const table = new Map();
  for (let d = 1; d <= LARGEST; d *= 2)
    table.set(
      d,
      Array.from({ length: QUERIES }, () => Array(TOKENS)),
    );
  for (let i = 0; i < QUERIES; i += 1) {
    const q = start(Math.floor(i / TOKENS), 0, i % TOKENS);
    for (let j = 0; j < TOKENS; j += 1) {
      const k = start(Math.floor(i / TOKENS), 1, j);
      let sum = 0;
      for (let c = 0, stop = 1; c < LARGEST; c += 1) {
        sum += drawn[q + c] * drawn[k + c];
        if (c + 1 === stop) {
          table.get(stop)[i][j] = sum;
          stop *= 2;
        }
      }
    }
  }
  return table;
}

const mean = (row) => row.reduce((a, b) => a + b, 0) / row.length;

// The value below which a share of the numbers lies, between neighbours as NumPy does it.
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

export function measure(dots, factor) {
  const rows = dots.map((row) => row.map((s) => factor * s));
  const scores = rows.flat();
  const centre = mean(scores);
  const weights = rows.map(softmax);
  const norms = weights.map(jacobianNorm);
  return {
    scores,
    weights,
    norms,
    spread: Math.sqrt(mean(scores.map((s) => (s - centre) ** 2))),
    top: mean(weights.map((p) => Math.max(...p))),
    entropy: mean(weights.map(entropy)),
    quartiles: [0.25, 0.5, 0.75].map((share) => quantile(norms, share)),
    faded: norms.filter((x) => x < FADED).length / norms.length,
  };
}

// Small numbers keep one digit that is not 0, down to a millionth.
export const brief = (x) =>
  x >= 0.001 ? fixed(x, 3) : x >= 1e-6 ? x.toPrecision(1) : "under 0.000001";

export function sentence({ d_k, scaled, query }, now) {
  const p = now.weights[query - 1];
  const best = p.indexOf(Math.max(...p));
  return (
    `d_k = ${d_k}, ${scaled ? `divided by ${fixed(Math.sqrt(d_k), 2)}` : "raw"}: the scores have a spread of ${fixed(now.spread)}. ` +
    `Query ${query} looks ${percent(p[best])} at key ${best + 1}, and its gradient is ${brief(now.norms[query - 1])}. ` +
    `Over all ${QUERIES} queries, the largest weight is ${fixed(now.top)} on average, the entropy ${fixed(now.entropy)} of at most ${fixed(Math.log(TOKENS))} nats; ` +
    `the median gradient is ${brief(now.quartiles[1])}, and ${percent(now.faded)} of the queries have less than ${FADED}.`
  );
}

const panel = (title, ...parts) =>
  html(
    "div",
    { style: { "min-width": "0" } },
    html("p", { text: title, style: { "font-weight": "550", "text-align": "center" } }),
    ...parts,
  );

function panels({ query, d_k }, now) {
  const { spread, norms, quartiles } = now;
  const p = now.weights[query - 1];
  return [
    panel(
      `${now.scores.length} scores`,
      histogram(now.scores, {
        low: -96,
        high: 96,
        bins: 96,
        colour: "edge",
        ticks: [-96, -48, 0, 48, 96],
        marks: [
          { at: -spread, text: "" },
          { at: spread, text: `spread ${fixed(spread)}` },
        ],
        label: `Scores from −96 to 96 for d_k = ${d_k}; their standard deviation is ${fixed(spread)}.`,
      }),
    ),
    panel(
      `weights of query ${query} on its ${TOKENS} keys`,
      columns(p, {
        tick: (j) => `${j + 1}`,
        label: `Weights of query ${query} on keys 1 to ${TOKENS}: ${p.map((x) => fixed(x)).join(", ")}.`,
      }),
    ),
    panel(
      `gradient of each of the ${QUERIES} queries`,
      histogram(norms, {
        low: 0,
        high: 0.5,
        bins: 25,
        colour: "query",
        ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
        marks: [
          { at: norms[query - 1], text: "", dash: "3 3" },
          { at: quartiles[1], text: `median ${brief(quartiles[1])}` },
        ],
        label: `Gradient norms from 0 to 0.5; median ${brief(quartiles[1])}, half of them between ${brief(quartiles[0])} and ${brief(quartiles[2])}.`,
      }),
      html("p", {
        class: "attn-lead",
        style: { "text-align": "center" },
        text: `dashed: query ${query}`,
      }),
    ),
  ];
}

const nearZero = (x) => (x < 1e-6 ? "≈ 0" : brief(x));
const LINES = [
  ["spread of scores", ({ spread }) => fixed(spread)],
  ["largest weight", ({ top }) => fixed(top, 3)],
  ["entropy", (m) => fixed(m.entropy)],
  ["gradient, mean", ({ norms }) => brief(mean(norms))],
  ["a quarter lies below", ({ quartiles }) => nearZero(quartiles[0])],
  ["half lies below (median)", ({ quartiles }) => nearZero(quartiles[1])],
  ["a quarter lies above", ({ quartiles }) => nearZero(quartiles[2])],
  [`under ${FADED}`, ({ faded }) => percent(faded)],
];

// Both ways side by side; the one that is drawn is bold and marked.
function comparison(both, scaled) {
  const look = (i) => ({
    "font-weight": Number(scaled) === i ? "700" : "400",
    "text-align": i < 0 ? "left" : "right",
    "white-space": i < 0 ? "normal" : "nowrap",
    padding: "0.08rem 0.25rem",
    border: "0",
    background: "none",
  });
  const cell = (tag, text, i, more = {}) => html(tag, { text, style: look(i), ...more });
  const heads = ["raw", "÷ √d_k"].map((name, i) =>
    cell("th", `${Number(scaled) === i ? "▸ " : ""}${name}`, i, { scope: "col" }),
  );
  return html(
    "table",
    { style: { width: "100%", "font-size": "0.85rem", margin: "0", border: "0" } },
    html("thead", {}, html("tr", {}, cell("td", "", -1), ...heads)),
    html(
      "tbody",
      {},
      ...LINES.map(([name, show]) =>
        html(
          "tr",
          { style: { background: "none" } },
          cell("th", name, -1, { scope: "row" }),
          ...both.map((m, i) => cell("td", show(m), i)),
        ),
      ),
    ),
  );
}

let products; // drawn once for all figures of a page
const measured = new Map();

function measurements(d) {
  products ??= dotProducts();
  if (!measured.has(d))
    measured.set(
      d,
      [1, 1 / Math.sqrt(d)].map((factor) => measure(products.get(d), factor)),
    );
  return measured.get(d);
}

function build(el, model) {
  const authored = read(model, TRAITS);
  const { root, stage, controls, say } = frame(el, {
    name: "ScaleExplorer",
    title: "Longer queries, larger scores",
    lead: "Queries and keys are random, with mean 0 and variance 1. The scales of the axes stay fixed.",
    reset: () => update(model, authored),
  });
  const d_k = slider(controls, {
    label: "key size d_k",
    role: "key",
    min: 0,
    max: Math.log2(LARGEST),
    step: 1,
    format: (x) => `${2 ** x}`,
    input: (x) => update(model, { d_k: 2 ** x }),
  });
  const scaled = checkbox(controls, {
    label: "divide the scores by √d_k",
    change: (x) => update(model, { scaled: x }),
  });
  const query = slider(controls, {
    label: "query to look at",
    role: "query",
    min: 1,
    max: QUERIES,
    step: 1,
    input: (x) => update(model, { query: x }),
  });
  return { root, stage, say, d_k, scaled, query };
}

function render({ model, el }) {
  const page = build(el, model);
  const draw = () => {
    const state = read(model, TRAITS);
    const both = measurements(state.d_k);
    const now = both[Number(state.scaled)];
    page.d_k(Math.log2(state.d_k));
    page.scaled(state.scaled);
    page.query(state.query);
    page.stage.replaceChildren(...panels(state, now), comparison(both, state.scaled));
    page.say(sentence(state, now));
  };
  const stop = watch(model, TRAITS, draw);
  draw();
  return () => {
    stop();
    page.root.remove();
  };
}

export default { render };
