// One of each part that figures are made of, on a page for those who build them.

import { softmax } from "../kit/arithmetic.js";
import { balance, signedBars, weightBars } from "../kit/bars.js";
import { swatch } from "../kit/chart.js";
import { add, formula, html, scrollBox, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { clamp, fixed, vector as pair, percent } from "../kit/format.js";
import { heatmap, shade } from "../kit/heatmap.js";
import { columns, histogram } from "../kit/histogram.js";
import { places, RING, separate } from "../kit/labels.js";
import { lineChart } from "../kit/line_chart.js";
import { card, rowTable } from "../kit/matrix.js";
import { roving } from "../kit/roving.js";
import { table } from "../kit/table.js";
import { arrow, axisNames, grid, handle, plane, WAYS } from "../kit/vectors.js";

// A score for each pair, higher for neighbours, with both signs; deterministic, no data needed.
const score = (i, j) => Math.cos(1.7 * i - 1.1 * j) - 0.1 * Math.abs(i - j);

// Scores and weights of every pair of words; null where a later word is hidden.
export function compute({ sharpness, causal, spec: { words } }) {
  const hide = (gap) => (row, i) => row.map((s, j) => (causal && j > i ? gap : s));
  const all = words.map((_, i) => words.map((_, j) => sharpness * score(i, j)));
  const weights = all.map(hide(-Infinity)).map(softmax).map(hide(null));
  return { scores: all.map(hide(null)), weights };
}

function sentence({ kind, sharpness, vector, query, step, spec }, { scores, weights }) {
  const name = `“${spec.words[query]}”`;
  const what =
    kind === "weight"
      ? `${name} looks ${percent(weights[query][query])} at itself`
      : `${name} scores ${fixed(scores[query][query])} with itself`;
  const where = spec.controls.step[step];
  return `β = ${fixed(sharpness, 1)}: ${what}; the vector is ${pair(vector)}; step “${where}”.`;
}

const terms = (weight) =>
  formula([
    ["query", "q"],
    "·",
    ["key", "k"],
    " → ",
    ["weight", fixed(weight, 3)],
    "\u00a0×\u00a0",
    ["value", "v"],
    " → ",
    ["output", "y"],
  ]);

// Keys that lie close: neither their discs nor their names cover each other.
function closeKeys(view, keys) {
  const discs = separate(
    keys.map((key) => view.toPage(key)),
    2 * RING,
  );
  const tips = discs.map((at, i) => ({ at, text: `k${i + 1}`, gap: RING + 6 }));
  const names = places(tips, view.toPage([0, 0]), view.wide);
  return keys.flatMap((key, i) => [
    svg("circle", { class: "attn-halo", cx: discs[i][0], cy: discs[i][1], r: RING }),
    arrow(view, key, { role: "key" }),
    svg(
      "g",
      { class: "attn-arrow", "data-role": "key" },
      svg("text", { ...names[i], text: tips[i].text }),
    ),
  ]);
}

function movable(page, parent, { reach, keys }) {
  const view = plane(parent, { label: "a vector to move", reach });
  const move = (place) => page.change({ vector: place.map((x) => clamp(x, -reach, reach)) });
  const knob = handle(view, {
    label: "value vector",
    role: "value",
    letter: "v",
    move,
    nudge: (steps, key) =>
      move(page.get("vector").map((x, i) => x + 0.05 * Math.abs(steps) * WAYS[key][i])),
  });
  return (vector) => {
    const names = axisNames(view, { right: "east", up: "north" });
    view.draw(grid(view), names, ...closeKeys(view, keys), arrow(view, vector, { role: "value" }));
    knob(vector, { value: vector[0], min: -reach, max: reach, words: pair(vector) });
  };
}

// A line in a look of the palette's series, over squares as dark as its numbers.
const series = (weights) =>
  lineChart({
    label: "Weights of the query, as a line.",
    ...{ high: 134, area: [30, 330, 10, 96] },
    x: { ends: [-0.107, weights.length - 0.893], ticks: [], name: "keys" },
    y: { ends: [0, 1], ticks: [0, 0.5, 1].map((p) => [p, fixed(p, 1)]) },
    lines: [{ points: weights.map((p, j) => [j, p]), series: 1 }],
    marks: (x) =>
      weights.map((p, j) =>
        svg("rect", { x: x(j) - 6, y: 102, width: 12, height: 12, style: { fill: shade(p, 1) } }),
      ),
  });

const charts = (names, values, scores, weights) => [
  titled(
    "scores",
    histogram(scores, {
      ...{ low: -8, high: 8, bins: 16, colour: "edge", ticks: [-8, 0, 8] },
      marks: [{ at: 0, text: "zero" }],
      label: "All scores from −8 to 8.",
    }),
  ),
  titled("weights", columns(weights, { label: "Weights of the query.", tick: (j) => names[j] })),
  titled("a series", series(weights), html("p", {}, swatch(1), " series 1")),
  titled(
    "values in balance",
    balance(
      values,
      weights,
      weights.reduce((total, p, j) => total + p * values[j], 0),
    ),
  ),
];

// One stop of the tab key for all words; arrow keys go from one to the next.
function chooser(parent, page, names) {
  const buttons = names.map((text, i) =>
    html("button", {
      type: "button",
      class: "attn-button",
      text,
      onclick: () => page.change({ query: i }),
    }),
  );
  const row = html("div", { class: "attn-buttons", role: "group", "aria-label": "the query" });
  row.append(...buttons);
  parent.append(row);
  roving(row, [buttons]);
  return (query) =>
    buttons.forEach((node, i) => node.setAttribute("aria-pressed", String(i === query)));
}

// A table of numbers, a card round a matrix, and who asks.
function tables(parent, page, { words: names }) {
  const choose = chooser(parent, page, names);
  const box = scrollBox(parent, "a table");
  const matrix = card(parent, {
    ...{ name: "weights", title: "weights", later: "step 2" },
    build: (node, label) => rowTable(node, { rows: names, label, role: "weight" }),
  });
  return ({ query }, { weights }) => {
    choose(query);
    const most = (row) => fixed(Math.max(...row.map((p) => p ?? 0)));
    const rows = names.map((name, i) => [name, most(weights[i])]);
    box.replaceChildren(table({ kind: "", heads: ["word", "largest weight"], rows, row: query }));
    matrix(
      weights.map((row) => row.map((p) => p ?? 0)),
      "writes",
      query,
    );
  };
}

function build(page, { spec }) {
  page.stage.classList.add("attn-single");
  const panels = page.tabs("tab", { parent: page.stage, label: "parts" });
  const [matrices, drawing, walk, graphs, lists] = panels;
  const square = { rows: spec.words, columns: spec.words };
  const weights = heatmap(matrices, { ...square, label: "four words" });
  const scores = heatmap(matrices, { ...square, label: "their scores", kind: "score" });
  const showTables = tables(lists, page, spec);
  const vector = movable(page, drawing, spec);
  page.stepper("step", { parent: walk, label: "steps" });
  const notes = add(walk, html("div", { class: "attn-side" }));
  const digit = (x) => fixed(x, 1);
  page.slider("sharpness", { label: "sharpness β", role: "weight", format: digit });
  page.select("kind", { label: "the sentence names" });
  page.checkbox("causal", { label: "hide what comes later" });
  page.button("Sharpest", () => page.change({ sharpness: spec.controls.sharpness.max }));
  return (state, result) => {
    weights(result.weights);
    scores(result.scores);
    vector(state.vector);
    showTables(state, result);
    const asked = result.weights[state.query].map((p) => p ?? 0);
    const bars = spec.words.map((label, j) => ({ label, weight: asked[j] }));
    const signed = spec.words.map((label, j) => ({
      ...{ label, value: result.scores[state.query][j] ?? 0 },
    }));
    const most = spec.controls.sharpness.max;
    notes.replaceChildren(
      weightBars(bars),
      signedBars(signed, { most, name: "scores" }),
      terms(asked[0]),
    );
    const numbers = result.scores.flat().filter((s) => s !== null);
    graphs.replaceChildren(...charts(spec.words, spec.values, numbers, asked));
  };
}

export default figure({
  name: "KitSampler",
  title: "Every part of the kit",
  lead: "Each part below is the one that the chapters use.",
  compute,
  build,
  words: sentence,
});
