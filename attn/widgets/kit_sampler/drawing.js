// One of each part that figures are made of, on a page for those who build them.

import { softmax } from "../kit/arithmetic.js";
import { weightBars } from "../kit/bars.js";
import { add, formula, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { clamp, fixed, vector as pair, percent } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { arrow, grid, handle, plane, WAYS } from "../kit/vectors.js";

// A score for each pair, higher for neighbours, with both signs; deterministic, no data needed.
const score = (i, j) => Math.cos(1.7 * i - 1.1 * j) - 0.1 * Math.abs(i - j);

// Scores and weights of every pair of words; null where a later word is hidden.
export function compute({ sharpness, causal, spec: { words } }) {
  const hide = (gap) => (row, i) => row.map((s, j) => (causal && j > i ? gap : s));
  const all = words.map((_, i) => words.map((_, j) => sharpness * score(i, j)));
  const weights = all.map(hide(-Infinity)).map(softmax).map(hide(null));
  return { scores: all.map(hide(null)), weights };
}

function sentence({ kind, sharpness, vector, step, spec }, { scores, weights }) {
  const last = spec.words.at(-1);
  const what =
    kind === "weight"
      ? `${last} looks ${percent(weights.at(-1).at(-1))} at itself`
      : `${last} scores ${fixed(scores.at(-1).at(-1))} with itself`;
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

function movable(page, parent, { reach }) {
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
    view.draw(grid(view), arrow(view, vector, { role: "value" }));
    knob(vector, { now: vector[0], min: -reach, max: reach, words: pair(vector) });
  };
}

function build(page, { spec }) {
  page.stage.classList.add("attn-single");
  const [matrices, drawing, walk] = page.tabs("tab", { parent: page.stage, label: "parts" });
  const named = { rows: spec.words, columns: spec.words };
  const weights = heatmap(matrices, { ...named, label: "four words" });
  const scores = heatmap(matrices, { ...named, label: "their scores", kind: "score" });
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
    const last = result.weights.at(-1);
    const bars = spec.words.map((label, j) => ({ label, weight: last[j] ?? 0 }));
    notes.replaceChildren(weightBars(bars), terms(last[0] ?? 0));
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
