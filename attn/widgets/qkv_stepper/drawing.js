// Three 2×2 projections under twelve sliders; six steps from a token to what it leaves with.

import { attentionWeights, dot, matmul, sum, transpose } from "../kit/arithmetic.js";
import { add, formula, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { favourite, fixed, list, percent, vector } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { card, rowTable } from "../kit/matrix.js";

const ROLES = { W_q: "query", W_k: "key", W_v: "value" };
// What each step reads and writes; a few have a longer name on the page.
export const READS = [
  ["X", "W_q", "W_k", "W_v"],
  ["Q", "K"],
  ["S"],
  ["scaled"],
  ["A", "V"],
  ["parts"],
];
export const WRITES = [["Q", "K", "V"], ["S"], ["scaled"], ["A"], ["parts"], ["Y"]];
const NAMES = { scaled: "S/√d_k", parts: "a·v" };
const FOLLOWED = ["X", "Q", "S", "scaled", "A", "Y"];

// Everything the six steps write, by name.
export function sixSteps({ embeddings: X, W_q, W_k, W_v, word }) {
  const [Q, K, V] = [W_q, W_k, W_v].map((W) => matmul(X, W));
  const S = matmul(Q, transpose(K));
  const A = attentionWeights(Q, K);
  const root = Math.sqrt(K[0].length);
  const scaled = S.map((row) => row.map((s) => s / root));
  const parts = V.map((v, j) => v.map((x) => A[word][j] * x));
  return { X, Q, K, V, S, scaled, A, parts, Y: matmul(A, V) };
}

const WORDING = [
  ({ tokens: t, word: i }, { X, Q }) =>
    `${t[i]} ${vector(X[i])} becomes the query ${vector(Q[i])}; every token gets a key and a value.`,
  ({ tokens: t, word: i }, { S }) =>
    `${t[i]} scores ${list(t.map((name, j) => `${fixed(S[i][j])} with ${name}`))}.`,
  ({ tokens: t, word: i }, { scaled }) =>
    `each score is divided by √2: ${list(t.map((name, j) => `${fixed(scaled[i][j])} with ${name}`))}.`,
  ({ tokens: t, word: i }, { A }) =>
    `${t[i]} looks ${list(t.map((name, j) => `${percent(A[i][j])} at ${name}`))}.`,
  ({ tokens: t }, { parts }) =>
    `each value is multiplied by its weight: ${list(t.map((name, j) => `${name} gives ${vector(parts[j])}`))}.`,
  () => "the weighted values add up.",
];

export function sentence(state, result) {
  const { tokens, word: i, step, spec } = state;
  const nameList = (names) => list(names.map((name) => NAMES[name] ?? name));
  const does = `reads ${nameList(READS[step])} and writes ${nameList(WRITES[step])}`;
  const end = `In the end ${tokens[i]} ${favourite(tokens, result.A[i])}, and leaves as ${vector(result.Y[i])}.`;
  return `Step ${step + 1}, ${spec.controls.step[step]}, ${does}: ${WORDING[step](state, result)} ${end}`;
}

// The arithmetic of each step for the followed token: one line for each key, or one for the token.
const ARITHMETIC = [
  ({ each, i }, { X, Q, K, V }) => [
    ["q = x W_q = ", `${vector(X[i])} W_q = `, ["query", vector(Q[i])]],
    ...each((j) => ["k = ", ["key", vector(K[j])], ", v = ", ["value", vector(V[j])]]),
  ],
  ({ each, i }, { Q, K }) =>
    each((j) => [
      "q · k = ",
      ["query", vector(Q[i])],
      " · ",
      ["key", vector(K[j])],
      ` = ${fixed(dot(Q[i], K[j]))}`,
    ]),
  ({ each, i }, { S, scaled }) => each((j) => [`${fixed(S[i][j])} ÷ √2 = ${fixed(scaled[i][j])}`]),
  ({ each, i }, { scaled, A }) => {
    const total = sum(scaled[i].map(Math.exp));
    return each((j) => [
      `e^${fixed(scaled[i][j])} ÷ ${fixed(total)} = `,
      ["weight", fixed(A[i][j], 3)],
    ]);
  },
  ({ each, i }, { A, V, parts }) =>
    each((j) => [
      ["weight", fixed(A[i][j], 3)],
      " × ",
      ["value", vector(V[j])],
      ` = ${vector(parts[j])}`,
    ]),
  ({ i }, { parts, Y }) => [
    [parts.map((v) => vector(v)).join(" + "), " = ", ["output", vector(Y[i])]],
  ],
];

export function lines({ tokens, word, step }, result) {
  const each = (line) => tokens.map((name, j) => [`${name}: `, ...line(j)]);
  return ARITHMETIC[step]({ each, i: word }, result);
}

const writer = (name) => WRITES.findIndex((names) => names.includes(name));

// Whether a card is read, written, untouched, or still to come at this step.
export function mark(name, step) {
  if (WRITES[step].includes(name)) return "writes";
  if (READS[step].includes(name)) return "reads";
  return writer(name) > step ? "later" : "done";
}

function cards(stage, { tokens }) {
  const box = (name, title, build) =>
    card(stage, { name, title, later: `step ${writer(name) + 1}`, build });
  const rows = (role) => (parent, label) => rowTable(parent, { rows: tokens, label, role });
  const heat = (kind) => (parent, label) =>
    heatmap(parent, { rows: tokens, columns: tokens, label, kind });
  return {
    X: box("X", `X`, rows("output")),
    Q: box("Q", `Q = X W_q`, rows("query")),
    K: box("K", `K = X W_k`, rows("key")),
    V: box("V", `V = X W_v`, rows("value")),
    S: box("S", `S = Q Kᵀ`, heat("score")),
    scaled: box("scaled", `S ÷ √2`, heat("score")),
    A: box("A", `A = softmax`, heat("weight")),
    parts: box("parts", `a · v`, rows("value")),
    Y: box("Y", `Y = A V`, rows("output")),
  };
}

// Four sliders that stand where the entries of their matrix stand.
function entries(page, name) {
  const group = add(
    page.stage,
    html(
      "div",
      { class: "attn-entries", "data-card": name, role: "group", "aria-label": name },
      html("p", { class: "attn-note", text: name, "aria-hidden": "true" }),
    ),
  );
  for (const [r, row] of page.get(name).entries())
    for (const c of row.keys())
      page.slider(name, {
        parent: group,
        at: [r, c],
        label: [html("span", { class: "attn-unseen", text: name }), `[${r}, ${c}]`],
        role: ROLES[name],
        format: (x) => fixed(x, 1),
      });
  return group;
}

function build(page, state) {
  const walk = add(page.stage, html("div", { "data-card": "steps" }));
  page.stepper("step", { parent: walk, label: "steps" });
  const who = add(page.stage, html("div", { "data-card": "word" }));
  page.select("word", {
    parent: who,
    label: "word to follow",
    options: state.tokens.map((name, i) => [i, name]),
    changes: (i) => ({ word: Number(i) }),
  });
  const boxes = cards(page.stage, state);
  const groups = Object.keys(ROLES).map((name) => entries(page, name));
  const notes = add(page.stage, html("div", { "data-card": "notes" }));
  return (state, result) => {
    for (const [name, show] of Object.entries(boxes))
      show(result[name], mark(name, state.step), FOLLOWED.includes(name) ? state.word : null);
    for (const { dataset } of groups) dataset.mark = mark(dataset.card, state.step);
    notes.replaceChildren(...lines(state, result).map(formula));
  };
}

export default figure({
  name: "QKVStepper",
  title: "Six steps, three matrices",
  lead: "Next walks through the steps. Solid frame: written now. Dashed frame: read now.",
  compute: sixSteps,
  build,
  words: sentence,
  rebuildKey: ({ tokens }) => tokens,
});
