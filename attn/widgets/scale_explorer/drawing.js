// What d_k does to scores and weights: raw, and beside it divided by √d_k, on the same axes.

import { normals, range, softmax, sum } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, percent, scale, short } from "../kit/format.js";

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

const BINS = 96;

// How many of the scores lie in each of the bins from −reach to reach, and what share lies beyond.
export function counts(scores, reach) {
  const found = Array(BINS).fill(0);
  const at = scale([-reach, reach], [0, BINS]);
  const inside = scores.map((s) => Math.floor(at(s))).filter((bin) => bin >= 0 && bin < BINS);
  for (const bin of inside) found[bin] += 1;
  return { bins: found, beyond: 1 - inside.length / scores.length };
}

// The scores times a factor, how they lie on the axis, and the weights that they give.
export function measure(dots, factor, { reach }) {
  const rows = dots.map((row) => row.map((s) => factor * s));
  const scores = rows.flat();
  const centre = mean(scores);
  return {
    ...counts(scores, reach),
    count: scores.length,
    weights: rows.map(softmax),
    spread: Math.sqrt(mean(scores.map((s) => (s - centre) ** 2))),
  };
}

// No softmax gives a key everything, though a rounded number may say so.
const share = (p) => percent(Math.min(p, 1 - Number.EPSILON));

const favourite = (p) => p.indexOf(Math.max(...p));

const gives = (p) => `gives ${share(Math.max(...p))} to key ${favourite(p) + 1}`;

export function sentence({ d_k, query }, [raw, divided]) {
  const [before, after] = [raw, divided].map(({ weights }) => gives(weights[query - 1]));
  return (
    `d_k = ${d_k}. Raw, the scores spread by ${fixed(raw.spread)}, and query ${query} ${before}. ` +
    `Divided by ${short(Math.sqrt(d_k))}, they spread by ${fixed(divided.spread)}, and it ${after}.`
  );
}

const bars = (parent, count, kind) =>
  range(count).map(() => add(parent, html("span", { class: `attn-column ${kind}` })));

const rise = (node, height) => node.style.setProperty("--high", fixed(height, 4));

// Names under an axis, each at its share of the width.
const ticks = (parent, marks) =>
  add(
    parent,
    html(
      "div",
      { class: "attn-ticks", "aria-hidden": "true" },
      ...marks.map(([at, text]) => html("span", { text, style: { left: `${100 * at}%` } })),
    ),
  );

const plot = (parent) => add(parent, html("div", { class: "attn-plot", role: "img" }));

// A histogram of scores whose tallest bar fills the height, with a line from −spread to spread.
function hill(parent, name, { reach }) {
  const title = add(parent, html("p", { class: "attn-plot-title" }));
  const area = plot(parent);
  const nodes = bars(area, BINS, "attn-score-bar");
  const width = add(area, html("span", { class: "attn-spread" }));
  const outside = add(area, html("span", { class: "attn-beyond" }));
  ticks(parent, [
    [0, `−${reach}`],
    [0.5, "0"],
    [1, `${reach}`],
  ]);
  return ({ bins, beyond, count, spread }) => {
    const most = Math.max(...bins);
    nodes.forEach((node, i) => rise(node, bins[i] / most));
    width.style.setProperty("--wide", fixed(Math.min(1, spread / reach), 4));
    outside.textContent = beyond < 0.005 ? "" : `${percent(beyond)} off the chart`;
    title.textContent = `scores: spread ${fixed(spread)}`;
    area.setAttribute(
      "aria-label",
      `${count} scores, ${name}, from −${reach} to ${reach}: spread ${fixed(spread)}, ${percent(beyond)} beyond.`,
    );
  };
}

// One column for each key's weight, from 0 to 1.
function shares(parent, name, { tokens }) {
  const title = add(parent, html("p", { class: "attn-plot-title" }));
  const area = plot(parent);
  const nodes = bars(area, tokens, "attn-weight-bar");
  ticks(
    parent,
    [1, 8, 16].map((key) => [(key - 0.5) / tokens, `key ${key}`]),
  );
  return (p, query) => {
    nodes.forEach((node, j) => rise(node, p[j]));
    title.textContent = `query ${query} ${gives(p)}`;
    area.setAttribute(
      "aria-label",
      `Weights of query ${query}, ${name}, on keys 1 to ${tokens}: ${p.map((x) => fixed(x)).join(", ")}.`,
    );
  };
}

function way(parent, name, kind, spec) {
  const column = add(parent, html("div", { class: "attn-way", "data-way": kind }));
  const title = add(column, html("p", { class: "attn-way-title" }));
  const scores = hill(column, name, spec);
  const weights = shares(column, name, spec);
  return (text, result, query) => {
    title.textContent = text;
    scores(result);
    weights(result.weights[query - 1], query);
  };
}

let products; // drawn once for all figures of a page
const measured = new Map();

// What both ways give: raw, then divided.
function compute({ d_k, spec }) {
  products ??= dotProducts(spec);
  if (!measured.has(d_k)) {
    const factors = [1, 1 / Math.sqrt(d_k)];
    measured.set(
      d_k,
      factors.map((factor) => measure(products.get(d_k), factor, spec)),
    );
  }
  return measured.get(d_k);
}

function build(page, { spec }) {
  page.slider("d_k", { label: "key size d_k", role: "key" });
  page.slider("query", { label: "query to look at", role: "query" });
  const raw = way(page.stage, "raw", "raw", spec);
  const divided = way(page.stage, "divided", "divided", spec);
  return ({ d_k, query }, results) => {
    raw("raw: q · k", results[0], query);
    divided(`divided by √${d_k} = ${short(Math.sqrt(d_k))}`, results[1], query);
  };
}

export default figure({
  name: "ScaleExplorer",
  title: "More entries, wider scores",
  lead: "Random queries and keys, entries of mean 0 and variance 1. All axes stay as they are.",
  compute,
  build,
  words: sentence,
  tall: true,
});
