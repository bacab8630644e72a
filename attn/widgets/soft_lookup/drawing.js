// One query, a few keys in the plane: turn the query, sharpen the choice, read the answer.

import { dot, entropy, RULES } from "../kit/arithmetic.js";
import { balance, weightBars } from "../kit/bars.js";
import { add, formula, html, svg } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { degree, fixed, list, percent, short } from "../kit/format.js";
import { arrow, degrees, direction, fold, grid, handle, plane } from "../kit/vectors.js";

const KNOB = 14; // the query’s handle may stand on a key; the key’s name stays clear of it

export function answer({ query_angle, beta, key_vectors: keys, values, rule }) {
  const query = direction(query_angle);
  const scores = keys.map((key) => beta * dot(query, key));
  const weights = RULES[rule](scores);
  return { query, scores, weights, output: dot(weights, values), entropy: entropy(weights) };
}

export function sentence(state, { weights, output, entropy: nats, scores }) {
  const looks = state.labels.map((label, j) => `${percent(weights[j])} at ${label}`);
  const answered = `The query looks ${list(looks)}; the answer is ${fixed(output)}.`;
  if (state.plain) return answered;
  const most = fixed(Math.log(weights.length), 3);
  return `${answered} Entropy ${fixed(nats, 3)} of at most ${most} nats.${quirk(state, scores)}`;
}

function quirk({ rule, beta }, scores) {
  if (rule !== "relu") return "";
  if (scores.some((s) => s > 0)) return " β cancels: it multiplies each score and their sum alike.";
  const why = beta === 0 ? "β is 0, so every β·score is 0" : "No score is positive";
  return ` ${why}: ReLU has nothing to share, so the keys share equally.`;
}

function sum(state, { weights, output }) {
  const terms = state.values.flatMap((value, j) => [
    j ? " + " : "",
    ["weight", fixed(weights[j], 3)],
    "\u00a0×\u00a0",
    ["value", short(value)],
  ]);
  return formula([...terms, " =\u00a0", ["output", fixed(output)]]);
}

// The disc at a key's tip: its area is the key's weight.
function weighedKey(view, key, label, weight) {
  const [cx, cy] = view.toPage(key);
  const radius = 26 * Math.sqrt(weight);
  return svg(
    "g",
    {},
    svg("circle", { class: "attn-halo", cx, cy, r: radius }),
    arrow(view, key, { role: "key", text: label, gap: 6 + Math.max(radius, KNOB) }),
  );
}

const bars = ({ labels, values }, { scores, weights }) =>
  weightBars(
    labels.map((label, j) => ({
      label,
      score: scores[j],
      weight: weights[j],
      note: `× ${short(values[j])}`,
    })),
    { heads: ["key", "β·score", "", "weight", "value"] },
  );

function build(page, state) {
  const view = plane(page.stage, {
    label: "keys and query in the plane",
    reach: Math.max(1, ...state.key_vectors.map((key) => Math.hypot(...key))),
    letters: Math.max(...state.labels.map((label) => label.length)),
  });
  const side = add(page.stage, html("div", { class: "attn-side" }));
  const { min, max } = state.spec.controls.query_angle;
  const knob = handle(view, {
    label: "query direction",
    role: "query",
    letter: "q",
    move: (place) => page.change({ query_angle: degrees(place) }),
    nudge: (steps) => page.change({ query_angle: fold(page.get("query_angle") + steps) }),
  });
  page.slider("query_angle", { label: "query direction", role: "query", format: degree });
  page.slider("beta", { label: "sharpness β", role: "weight", format: (x) => fixed(x, 1) });
  if (!state.plain) page.select("rule", { label: "scores to weights" });
  return (state, result) => {
    view.draw(
      grid(view),
      ...state.key_vectors.map((key, j) =>
        weighedKey(view, key, state.labels[j], result.weights[j]),
      ),
      arrow(view, result.query, { role: "query" }),
    );
    knob(result.query, { value: state.query_angle, min, max, words: degree(state.query_angle) });
    side.replaceChildren(
      bars(state, result),
      balance(state.values, result.weights, result.output, state.labels),
      sum(state, result),
    );
  };
}

export default figure({
  name: "SoftLookup",
  title: "Soft lookup: one query, every key",
  lead: "Turn the query: drag its round handle, or use the sliders.",
  compute: answer,
  build,
  words: sentence,
  rebuildKey: ({ key_vectors, labels, plain }) => [key_vectors, labels, plain],
});
