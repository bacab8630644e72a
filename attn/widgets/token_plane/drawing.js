// Every word is a vector in the plane and asks all the others: drag one, and the rest answers.

import { range, sum } from "../kit/arithmetic.js";
import { slider } from "../kit/controls.js";
import { add, formula, html, svg } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { clamp, fixed, vector } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { places, RING, separate } from "../kit/labels.js";
import { arrow, beyond, grid, handle, plane, WAYS } from "../kit/vectors.js";
import { attend, extent, sentence, shuffled, split, vectors } from "./arithmetic.js";

const STEP = 0.05;
const MARK = 7;
const NAME = 14; // how far beyond its mark the output’s name stands

const unit = (v) => (Math.hypot(...v) > 0 ? v.map((x) => x / Math.hypot(...v)) : v);
const marked = (word, asks) => (asks ? `▸ ${word}` : word);

// Where each word's handle stands: at its tip, moved aside where it would cover another handle or
// the query's output. By the alphabet, so that the order of the tokens cannot be seen in it.
function seats(view, { words, placed, outputs, at }) {
  const names = [...new Set(words)].sort();
  const tips = names.map((word) => view.toPage(placed[word]));
  const output = view.toPage(outputs[at]);
  const name = beyond(view.toPage([0, 0]), output, NAME);
  const taken = [output, name].map((spot) => ({ at: spot, gap: RING + MARK }));
  const found = separate(tips, 2 * RING + 2, taken);
  return Object.fromEntries(names.map((word, i) => [word, found[i]]));
}

// The words' arrows, with discs as large as the weight they get, and their names.
function picture(view, { words, weights, placed, at }, seated) {
  const drawn = Object.keys(seated).map((word) => {
    const tokens = words.flatMap((w, j) => (w === word ? [j] : []));
    const radius = 26 * Math.sqrt(sum(tokens.map((j) => weights[at][j])));
    return {
      word,
      radius,
      role: word === words[at] ? "query" : "key",
      at: seated[word],
      tip: view.toPage(placed[word]),
      gap: 6 + Math.max(radius, RING),
      text: tokens.length > 1 ? `${word} ×${tokens.length}` : word,
    };
  });
  const names = places(drawn, view.toPage([0, 0]), view.wide);
  return [
    ...drawn.map(({ radius, tip: [cx, cy] }) =>
      svg("circle", { class: "attn-halo", cx, cy, r: radius }),
    ),
    ...drawn.map(({ word, role }) => arrow(view, placed[word], { role })),
    ...drawn.map(({ role, text }, i) =>
      svg("g", { class: "attn-arrow", "data-role": role }, svg("text", { ...names[i], text })),
    ),
  ];
}

// Outputs as diamonds joined to their words; the query's own as an arrow.
function marks(view, { words, X, outputs, at }) {
  const rank = (i) => `${words[i]} ${Number(i === at)}`;
  const diamond = (i) => {
    const [[x0, y0], [x1, y1]] = [view.toPage(X[i]), view.toPage(outputs[i])];
    const size = i === at ? MARK : 5;
    const d = `M${x1} ${y1 - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`;
    return svg(
      "g",
      {},
      svg("line", { class: "attn-drop", x1: x0, y1: y0, x2: x1, y2: y1 }),
      svg("path", { class: "attn-output-mark", d }),
    );
  };
  const order = range(words.length).sort((i, j) => (rank(i) < rank(j) ? -1 : 1));
  return [
    ...order.map(diamond),
    arrow(view, outputs[at], { role: "output", text: "y", gap: NAME }),
  ];
}

const total = ({ words, weights, outputs, at }) =>
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
  const head = (text, role) => html("th", { scope: "col", text, "data-role": role });
  const line = (word, i) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", text: marked(word, i === at) }),
      html("td", { text: vector(X[i]) }),
      html("td", { text: vector(outputs[i]) }),
    );
  const heads = [head("token", "query"), head("x, in", "value"), head("y, out", "output")];
  return html(
    "table",
    { class: "attn-heat" },
    html("caption", { text: "in and out, one row for each token" }),
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, ...words.map(line)),
  );
}

// One handle for each word that any sentence uses; those of other sentences are hidden.
function handles(view, page) {
  const [across, up] = view.bounds;
  const put = (word, place) => {
    const [x, y] = place.map((part) => Math.round(100 * part) / 100);
    const inside = [clamp(x, -across, across), clamp(y, -up, up)];
    page.change({ embedding: { ...page.get("embedding"), [word]: inside } });
  };
  const current = {};
  const nudge = (word) => (steps, key) =>
    put(
      word,
      current[word].map((x, i) => x + STEP * Math.abs(steps) * WAYS[key][i]),
    );
  const names = [...new Set(page.get("sentences").flatMap(split))];
  const knobs = names.map((word) => {
    const label = `vector of ${word}`;
    const move = (place) => put(word, place);
    const set = handle(view, { label, role: "key", letter: word[0], move, nudge: nudge(word) });
    return { word, set };
  });
  return ({ words, placed, at }, seated) => {
    Object.assign(current, placed);
    for (const { word, set } of knobs) {
      set.node.style.display = words.includes(word) ? "" : "none";
      set.node.dataset.role = word === words[at] ? "query" : "key";
      const x = { value: placed[word][0], min: -across, max: across };
      set(placed[word], { ...x, words: vector(placed[word]) }, seated[word]);
    }
  };
}

// Which course, and which of its moments. Going to a moment takes back what was moved by hand.
function training(page, parent, { courses }) {
  const names = Object.keys(courses);
  if (!names.length) return;
  const last = (task) => courses[task].steps.length - 1;
  const go = (task, moment, { embedding }) => {
    const others = Object.entries(embedding).filter(
      ([word]) => !courses[task].words.includes(word),
    );
    return { task, moment, embedding: Object.fromEntries(others) };
  };
  page.select("task", {
    parent,
    label: "the task asks",
    options: names.map((name) => [name, courses[name].asks ?? name]),
    changes: (task, state) => go(task, Math.min(state.moment, last(task)), state),
  });
  page.slider("moment", {
    parent,
    label: "training step",
    min: 0,
    max: Math.max(...names.map(last)),
    step: 1,
    format: (i) => String(courses[page.get("task")].steps[i]),
    changes: (i, state) => go(state.task, i, state),
  });
}

// Tables carry the words: they are made anew when those change. A hidden table is filled when its
// tab is opened.
function tables([weights, scores, outputs]) {
  let [labels, shown] = ["", []];
  return ({ tab }, result) => {
    const rows = result.words.map((word, i) => marked(word, i === result.at));
    if (labels !== rows.join()) {
      labels = rows.join();
      for (const panel of [weights, scores]) panel.replaceChildren();
      const labelled = { rows, columns: result.words };
      shown = [
        heatmap(weights, { ...labelled, label: "weights: each row sums to 1" }),
        heatmap(scores, { ...labelled, label: "scores: dot products", kind: "score" }),
      ];
    }
    if (tab === 0) shown[0](result.weights);
    else if (tab === 1) shown[1](result.scores);
    else outputs.replaceChildren(outputTable(result));
  };
}

// The slider walks through the tokens in the order in which they stand.
function asking(page, parent) {
  let [list, show, current] = ["", null, null];
  const ask = (i) => page.change({ query: current.order[Math.min(i, current.order.length - 1)] });
  return (result) => {
    current = result;
    if (list !== result.words.join(" ")) {
      list = result.words.join(" ");
      parent.replaceChildren();
      show = slider(parent, {
        label: "the query is",
        role: "query",
        min: 0,
        max: Math.max(1, result.words.length - 1),
        step: 1,
        format: (i) => `${i + 1}: ${current.words[i]}`,
        input: ask,
      });
    }
    show(result.at);
  };
}

function build(page, state) {
  const reach = extent(state);
  const view = plane(page.stage, { label: "words in the plane", reach, letters: 4, high: 340 });
  const knobs = handles(view, page);
  const course = add(page.stage, html("div", { class: "attn-course" }));
  const over = add(view.node, svg("g", { style: { "pointer-events": "none" } }));
  const side = add(page.stage, html("div", { class: "attn-side attn-tables" }));
  const table = tables(page.tabs("tab", { parent: side, label: "tables" }));
  const below = add(page.stage, html("div", { class: "attn-total" }));
  page.select("sentence", {
    label: "sentence",
    options: state.sentences.map((s) => [s, s]),
    changes: (sentence, { query }) => ({
      ...{ sentence, order: [] },
      query: Math.min(query, split(sentence).length - 1),
    }),
  });
  const ask = asking(page, add(page.panel, html("div")));
  training(page, course, state);
  const shuffle = () => shuffled(attend(page.state()).order, Math.random);
  const row = add(side, html("div", { class: "attn-buttons" }));
  page.button("Shuffle the order", () => page.change({ order: shuffle() }), row);
  const level = ([word, v]) => [word, unit(v)];
  const norms = () => Object.fromEntries(Object.entries(vectors(page.state())).map(level));
  page.button("Make all norms 1", () => page.change({ embedding: norms() }), row);
  return (state, result) => {
    const seated = seats(view, result);
    view.draw(grid(view), ...picture(view, result, seated));
    knobs(result, seated);
    over.replaceChildren(...marks(view, result));
    table(state, result);
    below.replaceChildren(total(result));
    ask(result);
  };
}

export default figure({
  name: "TokenPlane",
  title: ({ courses }) =>
    Object.keys(courses).length ? "A task moves the words" : "Every word asks every word",
  lead: ({ courses }) =>
    Object.keys(courses).length
      ? "The slider stops at every 5th training step at first, later less often."
      : "Drag a word by its round handle, or focus it and use the arrow keys.",
  compute: attend,
  build,
  words: sentence,
  rebuildKey: ({ sentences, courses }) => [sentences, Object.keys(courses)],
});
