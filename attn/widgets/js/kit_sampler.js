// One of each part that figures are made of, on a page for those who build them.

import { softmax } from "./core.js";
import { weightBars } from "./kit/bars.js";
import {
  button,
  checkbox,
  formula,
  frame,
  html,
  read,
  select,
  slider,
  stepper,
  tabs,
  update,
  watch,
} from "./kit/controls.js";
import { fixed, vector as pair, percent } from "./kit/format.js";
import { heatmap } from "./kit/heatmap.js";
import { arrow, grid, handle, plane } from "./kit/vectors.js";

const TRAITS = ["sharpness", "causal", "kind", "tab", "step", "vector"];
const WORDS = ["the", "cat", "walks", "home"];
const STEPS = ["score", "share", "blend"];
const NUDGE = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

// A score for each pair, higher for neighbours, with both signs; deterministic, no data needed.
const score = (i, j, sharpness) =>
  sharpness * (Math.cos(1.7 * i - 1.1 * j) - 0.1 * Math.abs(i - j));

export function matrix(n, { sharpness, causal, kind }) {
  const scores = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => score(i, j, sharpness)),
  );
  const hide = (row, i, gap) => row.map((s, j) => (causal && j > i ? gap : s));
  if (kind === "score") return scores.map((row, i) => hide(row, i, null));
  return scores.map((row, i) => hide(softmax(hide(row, i, -Infinity)), i, null));
}

function build(el, model) {
  const authored = read(model, TRAITS);
  const set = (name) => (value) => update(model, { [name]: value });
  const { root, stage, controls, say } = frame(el, {
    name: "KitSampler",
    title: "Every part of the kit",
    lead: "Each part below is the one that the chapters use.",
    reset: () => update(model, authored),
  });
  stage.classList.add("attn-single");
  const pages = tabs(stage, {
    label: "parts",
    names: ["small matrix", "large matrix", "vector", "steps"],
    change: set("tab"),
  });
  const [small, large, drawing, walk] = pages.panels;
  const view = plane(drawing, { label: "a vector to move", reach: 1.5 });
  const move = ([x, y]) =>
    update(model, { vector: [x, y].map((v) => Math.max(-1.5, Math.min(1.5, v))) });
  const knob = handle(view, {
    label: "value vector",
    role: "value",
    letter: "v",
    move,
    nudge: (steps, key) => {
      const way = NUDGE[key] ?? [0, 1];
      move(
        model
          .get("vector")
          .map((v, i) => v + 0.05 * Math.abs(steps) * way[i] * (key === "PageDown" ? -1 : 1)),
      );
    },
  });
  const names = Array.from({ length: 48 }, (_, i) => `token ${i + 1}`);
  const notes = html("div", { class: "attn-side" });
  const page = {
    root,
    say,
    pages,
    view,
    knob,
    notes,
    small: heatmap(small, { rows: WORDS, columns: WORDS, label: "four words" }),
    signed: heatmap(small, { rows: WORDS, columns: WORDS, label: "their scores", kind: "score" }),
    large: heatmap(large, { rows: names, columns: names, label: "48 tokens" }),
    steps: stepper(walk, { label: "steps", names: STEPS, change: set("step") }),
    sharpness: slider(controls, {
      label: "sharpness β",
      role: "weight",
      min: 0,
      max: 8,
      step: 0.1,
      format: (x) => fixed(x, 1),
      input: set("sharpness"),
    }),
    kind: select(controls, {
      label: "the sentence names",
      options: [
        ["weight", "weights"],
        ["score", "scores"],
      ],
      change: set("kind"),
    }),
    causal: checkbox(controls, { label: "hide what comes later", change: set("causal") }),
  };
  button(controls, { label: "Sharpest", click: () => update(model, { sharpness: 8 }) });
  walk.append(notes);
  return page;
}

function words(state, row) {
  const [x, y] = state.vector;
  const what =
    state.kind === "weight"
      ? `home looks ${percent(row.at(-1))} at itself`
      : `home scores ${fixed(row.at(-1))} with itself`;
  return `β = ${fixed(state.sharpness, 1)}: ${what}; the vector is ${pair([x, y])}; step “${STEPS[state.step]}”.`;
}

function render({ model, el }) {
  const page = build(el, model);
  const draw = () => {
    const state = read(model, TRAITS);
    const weights = matrix(4, { ...state, kind: "weight" });
    const scores = matrix(4, { ...state, kind: "score" });
    page.small(weights);
    page.signed(scores);
    page.large(matrix(48, { ...state, kind: "weight" }));
    page.view.draw(grid(page.view), arrow(page.view, state.vector, { role: "value" }));
    page.knob(state.vector, {
      now: fixed(state.vector[0]).replace("−", "-"),
      min: -1.5,
      max: 1.5,
      words: pair(state.vector),
    });
    for (const name of ["sharpness", "kind", "causal"]) page[name](state[name]);
    page.pages.show(state.tab);
    page.steps(state.step);
    const last = weights.at(-1);
    page.notes.replaceChildren(
      weightBars(WORDS.map((label, j) => ({ label, weight: last[j] ?? 0 }))),
      formula([
        ["query", "q"],
        "·",
        ["key", "k"],
        " → ",
        ["weight", fixed(last[0] ?? 0, 3)],
        "\u00a0×\u00a0",
        ["value", "v"],
        " → ",
        ["output", "y"],
      ]),
    );
    page.say(words(state, (state.kind === "weight" ? weights : scores).at(-1)));
  };
  const stop = watch(model, TRAITS, draw);
  draw();
  return () => {
    stop();
    page.large.stop();
    page.root.remove();
  };
}

export default { render };
