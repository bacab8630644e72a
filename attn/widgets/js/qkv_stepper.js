// Three 2×2 projections under twelve sliders; six steps from a token to what it leaves with.
import { attentionWeights, dot, matmul, transpose } from "./core.js";
import {
  formula,
  frame,
  html,
  read,
  select,
  slider,
  stepper,
  update,
  watch,
} from "./kit/controls.js";
import { fixed, list, percent, vector } from "./kit/format.js";
import { heatmap } from "./kit/heatmap.js";
import { card, rowTable } from "./kit/matrix.js";

const TRAITS = ["tokens", "embeddings", "W_q", "W_k", "W_v", "word", "step"];
const STEPS = ["project", "score", "scale", "softmax", "weight", "sum"];
const ROLES = { W_q: "query", W_k: "key", W_v: "value" };
export const READS = [
  ["X", "W_q", "W_k", "W_v"],
  ["Q", "K"],
  ["S"],
  ["S/√d_k"],
  ["A", "V"],
  ["a·v"],
];
export const WRITES = [["Q", "K", "V"], ["S"], ["S/√d_k"], ["A"], ["a·v"], ["Y"]];

// Everything the six steps write, by the name it has on its card.
export function sixSteps({ embeddings: X, W_q, W_k, W_v, word }) {
  const [Q, K, V] = [W_q, W_k, W_v].map((W) => matmul(X, W));
  const S = matmul(Q, transpose(K));
  const A = attentionWeights(Q, K);
  const root = Math.sqrt(K[0].length);
  return {
    X,
    Q,
    K,
    V,
    S,
    "S/√d_k": S.map((row) => row.map((s) => s / root)),
    A,
    a·v: V.map((v, j) => v.map((x) => A[word][j] * x)),
    Y: matmul(A, V),
  };
}

const WORDING = [
  ({ tokens: t, word: i }, { X, Q }) =>
    `${t[i]} ${vector(X[i])} becomes the query ${vector(Q[i])}; every token gets a key and a value.`,
  ({ tokens: t, word: i }, { S }) =>
    `${t[i]} scores ${list(t.map((name, j) => `${fixed(S[i][j])} with ${name}`))}.`,
  ({ tokens: t, word: i }, m) =>
    `each score is divided by √2: ${list(t.map((name, j) => `${fixed(m["S/√d_k"][i][j])} with ${name}`))}.`,
  ({ tokens: t, word: i }, { A }) =>
    `${t[i]} looks ${list(t.map((name, j) => `${percent(A[i][j])} at ${name}`))}.`,
  ({ tokens: t }, m) =>
    `each value is multiplied by its weight: ${list(t.map((name, j) => `${name} gives ${vector(m["a·v"][j])}`))}.`,
  ({ tokens: t, word: i }, { Y }) =>
    `the weighted values add up. ${t[i]} leaves as ${vector(Y[i])}.`,
];

export function sentence(state, made) {
  const { tokens, word: i, step } = state;
  const most = made.A[i].indexOf(Math.max(...made.A[i]));
  const last =
    step === 5
      ? ""
      : ` In the end ${tokens[i]} looks most at ${tokens[most]}, ${percent(made.A[i][most])}, and leaves as ${vector(made.Y[i])}.`;
  return `Step ${step + 1}, ${STEPS[step]}, reads ${list(READS[step])} and writes ${list(WRITES[step])}: ${WORDING[step](state, made)}${last}`;
}

// The arithmetic of this step for the followed token: one line for each key, or one for the token.
export function lines({ tokens, word: i, step }, m) {
  const each = (line) => tokens.map((name, j) => [`${name}: `, ...line(j)]);
  const [scaled, total] = [m["S/√d_k"][i], m["S/√d_k"][i].reduce((sum, s) => sum + Math.exp(s), 0)];
  return [
    () => [
      ["q = x W_q = ", `${vector(m.X[i])} W_q = `, ["query", vector(m.Q[i])]],
      ...each((j) => ["k = ", ["key", vector(m.K[j])], ", v = ", ["value", vector(m.V[j])]]),
    ],
    () =>
      each((j) => [
        "q · k = ",
        ["query", vector(m.Q[i])],
        " · ",
        ["key", vector(m.K[j])],
        ` = ${fixed(dot(m.Q[i], m.K[j]))}`,
      ]),
    () => each((j) => [`${fixed(m.S[i][j])} ÷ √2 = ${fixed(scaled[j])}`]),
    () =>
      each((j) => [`e^${fixed(scaled[j])} ÷ ${fixed(total)} = `, ["weight", fixed(m.A[i][j], 3)]]),
    () =>
      each((j) => [
        ["weight", fixed(m.A[i][j], 3)],
        " × ",
        ["value", vector(m.V[j])],
        ` = ${vector(m["a·v"][j])}`,
      ]),
    () => [[m["a·v"].map((v) => vector(v)).join(" + "), " = ", ["output", vector(m.Y[i])]]],
  ][step]();
}

// Whether a card is read, written, untouched, or still to come at this step.
export function mark(name, step) {
  if (WRITES[step].includes(name)) return "writes";
  if (READS[step].includes(name)) return "reads";
  return WRITES.findIndex((names) => names.includes(name)) > step ? "later" : "done";
}

function cards(stage, { tokens }) {
  const box = (name, title, build) =>
    card(stage, { title, later: `step ${WRITES.findIndex((w) => w.includes(name)) + 1}`, build });
  const rows = (role) => (parent, label) => rowTable(parent, { rows: tokens, label, role });
  const heat = (kind) => (parent, label) =>
    heatmap(parent, { rows: tokens, columns: tokens, label, kind });
  const n = tokens.length;
  return {
    X: box("X", `X (${n}, 2)`, rows("output")),
    Q: box("Q", `Q = X W_q (${n}, 2)`, rows("query")),
    K: box("K", `K = X W_k (${n}, 2)`, rows("key")),
    V: box("V", `V = X W_v (${n}, 2)`, rows("value")),
    S: box("S", `S = Q Kᵀ (${n}, ${n})`, heat("score")),
    "S/√d_k": box("S/√d_k", `S ÷ √2 (${n}, ${n})`, heat("score")),
    A: box("A", `A = softmax (${n}, ${n})`, heat("weight")),
    a·v: box("a·v", `a · v (${n}, 2)`, rows("value")),
    Y: box("Y", `Y = A V (${n}, 2)`, rows("output")),
  };
}

// Four sliders that stand where the entries of their matrix stand.
function entries(parent, model, name) {
  const group = html("div", {
    class: "attn-entries",
    role: "group",
    "aria-label": `entries of ${name}`,
  });
  parent.append(group);
  const set = (r, c) => (x) =>
    update(model, {
      [name]: model.get(name).map((row, i) => row.map((old, j) => (i === r && j === c ? x : old))),
    });
  const shown = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ].map(([r, c]) => [
    r,
    c,
    slider(group, {
      label: `${name}[${r}, ${c}]`,
      role: ROLES[name],
      min: -2,
      max: 2,
      step: 0.1,
      format: (x) => fixed(x, 1),
      input: set(r, c),
    }),
  ]);
  return (W, state) => {
    group.dataset.mark = state;
    shown.forEach(([r, c, show]) => show(W[r][c]));
  };
}

function build(el, model) {
  const authored = read(model, TRAITS);
  const set = (name) => (value) => update(model, { [name]: value });
  const { root, stage, controls, say } = frame(el, {
    name: "QKVStepper",
    title: "Six steps, three matrices",
    lead: "Next walks through the steps. Solid frame: written now. Dashed frame: read now.",
    reset: () => update(model, authored),
  });
  stage.classList.add("attn-single");
  const steps = stepper(stage, { label: "steps", names: STEPS, change: set("step") });
  const notes = html("div", { class: "attn-side attn-sums" });
  stage.append(notes);
  const wall = html("div", { class: "attn-wall" });
  stage.append(wall);
  const page = { root, say, steps, notes, cards: cards(wall, authored) };
  page.word = select(controls, {
    label: "word to follow",
    options: authored.tokens.map((name, i) => [i, name]),
    change: (i) => set("word")(Number(i)),
  });
  const grids = html("div", { class: "attn-grids" });
  root.insertBefore(grids, controls.nextSibling);
  page.W = Object.fromEntries(
    Object.keys(ROLES).map((name) => [name, entries(grids, model, name)]),
  );
  return page;
}

const FOLLOWED = ["X", "Q", "S", "S/√d_k", "A", "Y"];

function render({ model, el }) {
  const page = build(el, model);
  const draw = () => {
    const state = read(model, TRAITS);
    if (state.tokens.length !== state.embeddings.length) return;
    const made = sixSteps(state);
    for (const [name, show] of Object.entries(page.cards)) {
      show(made[name], mark(name, state.step), FOLLOWED.includes(name) ? state.word : null);
    }
    for (const [name, show] of Object.entries(page.W)) show(state[name], mark(name, state.step));
    page.word(state.word);
    page.steps(state.step);
    page.notes.replaceChildren(...lines(state, made).map(formula));
    page.say(sentence(state, made));
  };
  const stop = watch(model, TRAITS, draw);
  draw();
  return () => {
    stop();
    page.root.remove();
  };
}

export default { render };
