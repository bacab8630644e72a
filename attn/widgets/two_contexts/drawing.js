// One word in two sentences: it enters with one vector and leaves with two. Who asks is a switch.

import { attentionWeights, dot, matmul } from "../kit/arithmetic.js";
import { add, html, svg } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { degree, favourite, fixed, vector } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { arrow, axisNames, direction, grid, plane } from "../kit/vectors.js";

const LEARNED = "query";

const long = (angle, { norm }) => direction(angle).map((x) => norm * x);

// For each sentence: its tokens, who asks, the weights, what leaves, and the row the words follow.
export function answer(state) {
  const embed = (name) =>
    name === state.word ? long(state.word_angle, state.spec) : state.vectors[name];
  const asking = {
    self: (tokens, X) => [tokens, X],
    cross: () => [state.askers, state.asker_vectors],
    pooling: () => [[LEARNED], [long(state.query_angle, state.spec)]],
  }[state.kind];
  return state.sentences.map((tokens) => {
    const X = tokens.map(embed);
    const [names, Q] = asking(tokens, X);
    const A = attentionWeights(Q, X, { scale: state.beta / Math.sqrt(X[0].length) });
    const row = state.kind === "self" ? tokens.indexOf(state.word) : 0;
    return { tokens, names, Q, A, Y: matmul(A, X), row };
  });
}

export function cosine(a, b) {
  const size = Math.sqrt(dot(a, a) * dot(b, b));
  return size > 0 ? dot(a, b) / size : 0;
}

const looks = ({ tokens, names, A, row }) => `${names[row]} ${favourite(tokens, A[row])}`;

const leaving = (n) => (n === 1 ? "1 vector leaves" : `${n} vectors leave`);

export function sentence(state, results) {
  const [one, two] = results;
  const out = results.map(({ Y, row }) => Y[row]);
  const seen = results.map((result) => `“${result.tokens.join(" ")}”: ${looks(result)}.`);
  const pair = `${vector(out[0])} and ${vector(out[1])}`;
  const leave =
    state.kind === "self"
      ? `${state.word} enters both as ${vector(long(state.word_angle, state.spec))} and leaves as ${pair}`
      : `To ${one.names[0]} the two sentences give ${pair}`;
  return (
    `${seen.join(" ")} ${leave}: cosine ${fixed(cosine(...out))}. ` +
    `${leaving(one.A.length)} the first sentence, ${two.A.length} the second.`
  );
}

// The words that are given vectors, as faint points: what there is to look at.
function points(view, vectors) {
  return Object.entries(vectors).flatMap(([text, v]) => {
    const [x, y] = view.toPage(v);
    const name = { x, y: y + (v[1] > 0 ? -9 : 18), "text-anchor": "middle", text };
    return [
      svg("circle", { class: "attn-point", cx: x, cy: y, r: 3.5 }),
      svg("text", { class: "attn-axis", ...name }),
    ];
  });
}

// The vectors that matter: what goes in or asks, dashed or solid, and what leaves each sentence.
function arrows(view, { kind, vectors }, results) {
  const [one, two] = results.map(({ Y, row }) => Y[row]);
  const asks = results[0].Q[results[0].row];
  const same = one.every((x, c) => Math.abs(x - two[c]) < 0.02);
  return [
    grid(view),
    axisNames(view, { right: "thing", up: "act", beside: true }),
    ...points(view, vectors),
    arrow(view, asks, { role: "query", text: kind === "self" ? "in" : "asks" }),
    arrow(view, one, { role: "output", text: same ? "out 1 = out 2" : "out 1" }),
    arrow(view, two, { role: "output", text: same ? "" : "out 2" }),
  ];
}

// One heat map for each sentence, made anew when their rows change with who asks.
function maps(parent) {
  let [kind, shown] = [null, []];
  return (state, results) => {
    if (kind !== state.kind) {
      kind = state.kind;
      parent.replaceChildren();
      shown = results.map(({ names, tokens }, i) =>
        heatmap(parent, { rows: names, columns: tokens, label: `weights, sentence ${i + 1}` }),
      );
    }
    shown.forEach((show, i) => show(results[i].A));
  };
}

function build(page, { word, vectors, spec }) {
  const view = plane(page.stage, {
    label: "vectors in the plane: thing to the right, act upwards",
    reach: Math.max(spec.norm, ...Object.values(vectors).map((v) => Math.hypot(...v))),
    letters: 2,
    high: 340,
  });
  const parent = add(page.stage, html("div", { class: "attn-turns" }));
  const tables = maps(add(page.stage, html("div", { class: "attn-side attn-compact" })));
  page.select("kind", { parent, label: "who asks" });
  page.slider("word_angle", { parent, label: `${word}’s angle`, role: "query", format: degree });
  page.slider("beta", { parent, label: "sharpness β", role: "weight", format: (x) => fixed(x, 1) });
  const turn = page.slider("query_angle", {
    parent,
    label: "learned query’s angle",
    role: "query",
    format: degree,
  });
  return (state, results) => {
    tables(state, results);
    view.draw(...arrows(view, state, results));
    turn.hidden = state.kind !== "pooling";
  };
}

export default figure({
  name: "TwoContexts",
  title: ({ word }) => `“${word}” in two sentences`,
  lead: "Keys and values come from the sentence. The switch says who asks.",
  compute: answer,
  build,
  words: sentence,
  rebuildKey: ({ word, sentences, vectors, askers }) => [word, sentences, vectors, askers],
});
