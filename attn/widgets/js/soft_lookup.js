// One query, a few keys in the plane: turn the query, sharpen the choice, read the answer.

import { dot, entropy, lookupWeights, weightedSum } from "./core.js";
import { balance, weightBars } from "./kit/bars.js";
import { formula, frame, html, read, select, slider, svg, update, watch } from "./kit/controls.js";
import { fixed, list, percent, short } from "./kit/format.js";
import { arrow, degrees, direction, fold, grid, handle, plane } from "./kit/vectors.js";

const TRAITS = ["query_angle", "beta", "max_beta", "key_vectors", "values", "labels", "rule"];
const KNOB = 14; // the query’s handle may stand on a key; the key’s name stays clear of it
const RULES = [
  ["softmax", "softmax"],
  ["relu", "ReLU ÷ its sum"],
  ["sparsemax", "sparsemax"],
];

export function answer({ query_angle, beta, key_vectors: keys, values, rule }) {
  const query = direction(query_angle);
  const weights = lookupWeights(query, keys, { beta, rule });
  const scores = keys.map((key) => beta * dot(query, key));
  return {
    query,
    scores,
    weights,
    output: weightedSum(weights, values),
    entropy: entropy(weights),
  };
}

export function sentence(state, { weights, output, entropy: spread, scores }) {
  const looks = state.labels.map((label, j) => `${percent(weights[j])} at ${label}`);
  const [low, high] = [Math.min(...state.values), Math.max(...state.values)];
  const most = Math.log(weights.length);
  const quirk =
    state.rule !== "relu"
      ? ""
      : scores.every((s) => s <= 0)
        ? " No score is positive: ReLU has nothing to share, so the keys share equally."
        : " β cancels: it multiplies each score and their sum alike.";
  return (
    `The query looks ${list(looks)}; the answer is ${fixed(output)}, between ${short(low)} and ${short(high)}. ` +
    `Entropy ${fixed(spread, 3)} of at most ${fixed(most, 3)} nats.${quirk}`
  );
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

const bars = ({ labels, values }, { weights }) =>
  weightBars(
    labels.map((label, j) => ({ label, weight: weights[j], note: `× ${short(values[j])}` })),
  );

function build(el, model) {
  const authored = read(model, TRAITS);
  const { root, stage, controls, say } = frame(el, {
    name: "SoftLookup",
    title: "Soft look-up: one query, every key",
    lead: "Turn the query: drag its round handle, or use the sliders.",
    reset: () => update(model, authored),
  });
  const view = plane(stage, {
    label: "keys and query in the plane",
    reach: Math.max(1, ...authored.key_vectors.map((key) => Math.hypot(...key))),
    letters: Math.max(...authored.labels.map((label) => label.length)),
  });
  const side = html("div", { class: "attn-side" });
  stage.append(side);
  const turn = (angle) => update(model, { query_angle: angle });
  const knob = handle(view, {
    label: "query direction",
    role: "query",
    letter: "q",
    move: (place) => turn(degrees(place)),
    nudge: (steps) => turn(fold(model.get("query_angle") + steps)),
  });
  const angle = slider(controls, {
    label: "query direction",
    role: "query",
    min: -180,
    max: 180,
    step: 1,
    format: (x) => `${short(x)}°`,
    input: turn,
  });
  const beta = slider(controls, {
    label: "sharpness β",
    role: "weight",
    min: 0,
    max: authored.max_beta,
    step: 0.1,
    format: (x) => fixed(x, 1),
    input: (x) => update(model, { beta: x }),
  });
  const rule = select(controls, {
    label: "scores to weights",
    options: RULES,
    change: (x) => update(model, { rule: x }),
  });
  return { root, view, side, say, knob, angle, beta, rule };
}

// Keys, values and labels arrive one after the other; between two of them there is nothing to draw.
const matched = ({ key_vectors, values, labels }) =>
  key_vectors.length === values.length && values.length === labels.length;

function render({ model, el }) {
  const page = build(el, model);
  const draw = () => {
    const state = read(model, TRAITS);
    if (!matched(state)) return;
    const result = answer(state);
    page.view.draw(
      grid(page.view),
      ...state.key_vectors.map((key, j) =>
        weighedKey(page.view, key, state.labels[j], result.weights[j]),
      ),
      arrow(page.view, result.query, { role: "query" }),
    );
    page.knob(result.query, {
      now: state.query_angle,
      min: -180,
      max: 180,
      words: `${short(state.query_angle)}°`,
    });
    page.angle(state.query_angle);
    page.beta(state.beta);
    page.rule(state.rule);
    page.side.replaceChildren(
      bars(state, result),
      balance(state.values, result.weights, result.output),
      sum(state, result),
    );
    page.say(sentence(state, result));
  };
  const stop = watch(model, TRAITS, draw);
  draw();
  return () => {
    stop();
    page.root.remove();
  };
}

export default { render };
