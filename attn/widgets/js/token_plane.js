// Every word is a vector in the plane and asks all the others: drag one, and the rest answers.

import {
  button,
  formula,
  frame,
  html,
  read,
  select,
  slider,
  svg,
  tabs,
  update,
  watch,
} from "./kit/controls.js";
import { clamp, fixed, vector } from "./kit/format.js";
import { heatmap } from "./kit/heatmap.js";
import { arrow, grid, handle, plane } from "./kit/vectors.js";
import { attend, extent, inOrder, places, sentence, shuffled, split } from "./tokens.js";

const TRAITS = [
  "sentences",
  "sentence",
  "embedding",
  "order",
  "query",
  "courses",
  "task",
  "moment",
  "tab",
];
const STEP = 0.05;
const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowUp: [0, 1],
  PageUp: [0, 1],
  PageDown: [0, -1],
};
const KNOB = 14;

const unit = (v) => (Math.hypot(...v) > 0 ? v.map((x) => x / Math.hypot(...v)) : v);

// The words' arrows, with discs as large as the weight they get, and their names. Drawn by the alphabet, so that an
// order of the tokens cannot be seen in what lies on top.
function picture(view, { words, weights, embedding, at }) {
  const drawn = [...new Set(words)].sort().map((word) => {
    const tokens = words.flatMap((w, j) => (w === word ? [j] : []));
    const radius = 26 * Math.sqrt(tokens.reduce((sum, j) => sum + weights[at][j], 0));
    return {
      word,
      radius,
      role: word === words[at] ? "query" : "key",
      at: view.toPage(embedding[word]),
      gap: 6 + Math.max(radius, KNOB),
      text: tokens.length > 1 ? `${word} ×${tokens.length}` : word,
    };
  });
  const names = places(drawn, view.toPage([0, 0]));
  return [
    ...drawn.map(({ radius, at: [cx, cy] }) =>
      svg("circle", { class: "attn-halo", cx, cy, r: radius }),
    ),
    ...drawn.map(({ word, role }) => arrow(view, embedding[word], { role })),
    ...drawn.map(({ role, text }, i) =>
      svg("g", { class: "attn-arrow", "data-role": role }, svg("text", { ...names[i], text })),
    ),
  ];
}

// Outputs as diamonds joined to their words; the query's own as an arrow.
function marks(view, { words, X, outputs, at }) {
  const rank = (i) => `${words[i]} ${Number(i === at)}`;
  const each = inOrder(words.length)
    .sort((i, j) => (rank(i) < rank(j) ? -1 : 1))
    .map((i) => {
      const [[x0, y0], [x1, y1]] = [view.toPage(X[i]), view.toPage(outputs[i])];
      const size = i === at ? 7 : 5;
      return svg(
        "g",
        {},
        svg("line", { class: "attn-drop", x1: x0, y1: y0, x2: x1, y2: y1 }),
        svg("path", {
          class: "attn-output-mark",
          d: `M${x1} ${y1 - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`,
        }),
      );
    });
  return [...each, arrow(view, outputs[at], { role: "output", text: "y", gap: 14 })];
}

const sum = ({ words, weights, outputs, at }) =>
  formula([
    ["output", "y"],
    " = ",
    ...words.flatMap((word, j) => [
      j ? " + " : "",
      ["weight", fixed(weights[at][j])],
      "\u00a0",
      ["value", word],
    ]),
    " =\u00a0",
    ["output", vector(outputs[at])],
  ]);

function outputTable({ words, X, outputs, at }) {
  const head = (text, role) =>
    html("th", { scope: "col", text, style: { color: `var(--attn-${role})` } });
  return html(
    "table",
    { class: "attn-heat" },
    html("caption", { text: "in and out, one row a token" }),
    html(
      "thead",
      {},
      html("tr", {}, head("token", "query"), head("x, in", "value"), head("y, out", "output")),
    ),
    html(
      "tbody",
      {},
      ...words.map((word, i) =>
        html(
          "tr",
          {},
          html("th", { scope: "row", text: mark(word, i === at) }),
          html("td", { text: vector(X[i]) }),
          html("td", { text: vector(outputs[i]) }),
        ),
      ),
    ),
  );
}

const mark = (word, asks) => (asks ? `▸ ${word}` : word);

// One handle for each word that any sentence uses; those of other sentences are hidden.
function handles(view, model, reach) {
  const names = [...new Set(model.get("sentences").flatMap(split))];
  const put = (word, place) =>
    update(model, {
      embedding: {
        ...model.get("embedding"),
        [word]: place.map((x) => clamp(Math.round(100 * x) / 100, -reach, reach)),
      },
    });
  const knobs = names.map((word) => {
    const set = handle(view, {
      label: `vector of ${word}`,
      role: "key",
      letter: word[0],
      move: (place) => put(word, place),
      nudge: (steps, key) =>
        put(
          word,
          model.get("embedding")[word].map((x, i) => x + STEP * Math.abs(steps) * WAYS[key][i]),
        ),
    });
    return { word, set, node: view.live.lastElementChild };
  });
  return ({ words, embedding, at }) =>
    knobs.forEach(({ word, set, node }) => {
      node.style.display = words.includes(word) ? "" : "none";
      node.dataset.role = word === words[at] ? "query" : "key";
      const [x] = embedding[word];
      set(embedding[word], { now: x, min: -reach, max: reach, words: vector(embedding[word]) });
    });
}

function training(controls, model, { courses }) {
  const names = Object.keys(courses);
  if (!names.length) return () => {};
  const go = (task, moment) =>
    update(model, {
      task,
      moment,
      embedding: {
        ...model.get("embedding"),
        ...Object.fromEntries(
          courses[task].words.map((word, i) => [word, courses[task].vectors[moment][i]]),
        ),
      },
    });
  const task = select(controls, {
    label: "the task asks",
    options: names.map((name) => [name, courses[name].asks ?? name]),
    change: (name) => go(name, Math.min(model.get("moment"), courses[name].steps.length - 1)),
  });
  const last = Math.max(...names.map((name) => courses[name].steps.length)) - 1;
  const moment = slider(controls, {
    label: "training step",
    role: "weight",
    min: 0,
    max: last,
    step: 1,
    format: (i) => String(courses[model.get("task")].steps[i]),
    input: (i) => go(model.get("task"), i),
  });
  return (state) => {
    task(state.task);
    moment(state.moment);
  };
}

function build(el, model) {
  const authored = read(model, TRAITS);
  const { root, stage, controls, say } = frame(el, {
    name: "TokenPlane",
    title: "Every word asks every word",
    lead: "Drag a word by its round handle, or focus it and use the arrow keys.",
    reset: () => update(model, authored),
  });
  const reach = extent(authored);
  const view = plane(stage, { label: "words in the plane", reach, letters: 4, high: 320 });
  stage.classList.add("attn-lean");
  const knobs = handles(view, model, reach);
  const over = svg("g", { style: { "pointer-events": "none" } });
  view.node.append(over);
  // A container of its own width, so that a table beside the plane is set as on a narrow page.
  const side = html("div", { class: "attn-side", style: { "container-type": "inline-size" } });
  stage.append(side);
  const tables = tabs(side, {
    label: "tables",
    names: ["weights", "scores", "outputs"],
    change: (tab) => update(model, { tab }),
  });
  tables.panels[0].classList.add("attn-snug");
  const total = html("div");
  side.append(total);
  const pick = select(controls, {
    label: "sentence",
    options: authored.sentences.map((s) => [s, s]),
    change: (s) =>
      update(model, {
        sentence: s,
        order: inOrder(split(s).length),
        query: Math.min(model.get("query"), split(s).length - 1),
      }),
  });
  controls.lastElementChild.style.gridColumn = "1 / -1";
  const asker = html("div");
  controls.append(asker);
  const trained = training(controls, model, authored);
  button(controls, {
    label: "Shuffle the order",
    click: () => update(model, { order: shuffled(model.get("order"), Math.random) }),
  });
  button(controls, {
    label: "Make all lengths 1",
    click: () =>
      update(model, {
        embedding: Object.fromEntries(
          Object.entries(model.get("embedding")).map(([word, v]) => [word, unit(v)]),
        ),
      }),
  });
  return { root, view, knobs, over, tables, total, pick, asker, trained, say };
}

// Tables carry the words: they are made anew when those change.
function labelled(page, { words, at }) {
  const rows = words.map((word, i) => mark(word, i === at));
  const [weights, scores] = page.tables.panels;
  [weights, scores].forEach((node) => node.replaceChildren());
  return {
    weights: heatmap(weights, { rows, columns: words, label: "weights: each row sums to 1" }),
    scores: heatmap(scores, { rows, columns: words, label: "scores: dot products", kind: "score" }),
  };
}

// The slider walks through the tokens in the order in which they stand.
function asking(page, model, { words, order }) {
  page.asker.replaceChildren();
  const last = words.length - 1;
  return slider(page.asker, {
    label: "the query is",
    role: "query",
    min: 0,
    max: Math.max(1, last),
    step: 1,
    format: (i) => `${i + 1}: ${words[i]}`,
    input: (i) => update(model, { query: order[Math.min(i, last)] }),
  });
}

function render({ model, el }) {
  const page = build(el, model);
  let [labels, shown, list, ask] = ["", null, "", null];
  const draw = () => {
    const state = read(model, TRAITS);
    // Traits arrive one after the other; between two of them the order may be another sentence's.
    if (state.order.length !== split(state.sentence).length || !state.order.includes(state.query))
      return;
    const result = { ...state, ...attend(state), at: state.order.indexOf(state.query) };
    const tokens = `${state.sentence} ${state.order}`;
    if (tokens !== list) [list, ask] = [tokens, asking(page, model, result)];
    if (`${tokens} ${result.at}` !== labels)
      [labels, shown] = [`${tokens} ${result.at}`, labelled(page, result)];
    page.view.draw(grid(page.view), ...picture(page.view, result));
    page.knobs(result);
    page.over.replaceChildren(...marks(page.view, result));
    // A hidden table is filled when its tab is opened.
    if (state.tab === 0) shown.weights(result.weights);
    else if (state.tab === 1) shown.scores(result.scores);
    else page.tables.panels[2].replaceChildren(outputTable(result));
    page.tables.show(state.tab);
    page.total.replaceChildren(sum(result));
    page.pick(state.sentence);
    ask(result.at);
    page.trained(state);
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
