// Three 2×2 projections under twelve sliders; six steps from a token to what it leaves with, each a
// column of one table that is filled from left to right.

import { attentionWeights, matmul, sum, transpose } from "../kit/arithmetic.js";
import { add, formula, html, scrollBox } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { favourite, fixed, list, percent, quoted, short } from "../kit/format.js";

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

const pair = (v) => `(${v.map((x) => short(x)).join(", ")})`;

// Each step: what it does, then what came of it.
const DOES = [
  "multiply each word’s vector by the three matrices.",
  "multiply the query with every key.",
  "divide every score by √d_k, here √2.",
  "exponentiate, then divide by the sum, so that the weights sum to 1.",
  "multiply each value by its weight.",
  "add up the weighted values.",
];
const FOUND = [
  ({ tokens: t, word: i }, { X, Q }) => `${t[i]} ${pair(X[i])} asks with the query ${pair(Q[i])}.`,
  ({ tokens: t, word: i }, { S }) => spread(t, S[i], (s) => short(s), "scores"),
  ({ tokens: t, word: i }, { scaled }) => spread(t, scaled[i], (s) => short(s), "scores now"),
  ({ tokens: t, word: i }, { A }) => {
    if (Math.max(...A[i]) - Math.min(...A[i]) < 1e-9) return `${t[i]} ${favourite(t, A[i])}.`;
    return `${t[i]} looks ${list(t.map((name, j) => `${percent(A[i][j])} at ${name}`))}.`;
  },
  ({ tokens: t }, { parts }) => {
    const gives = t.flatMap((name, j) =>
      parts[j].some((x) => Math.abs(x) >= 0.005) ? [`${name} gives ${pair(parts[j])}`] : [],
    );
    return gives.length ? `${list(gives)}.` : "No value has anything to give.";
  },
  ({ tokens: t, word: i }, { A, Y }) =>
    `${t[i]} ${favourite(t, A[i])}, and leaves as ${pair(Y[i])}.`,
];

// "walks scores 5 with cat, and 0 with the others": one number for all that have it.
function spread(tokens, row, text, verb) {
  const first = row.indexOf(Math.max(...row));
  const rest = new Set(row.filter((_, j) => j !== first).map(text));
  if (rest.size > 1)
    return `${upper(verb)}: ${list(tokens.map((name, j) => `${text(row[j])} with ${name}`))}.`;
  if (rest.has(text(row[first]))) return `${upper(verb)}: ${text(row[first])} with every word.`;
  return `${upper(verb)}: ${text(row[first])} with ${tokens[first]}, ${[...rest][0]} with every other word.`;
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

export function sentence(state, result) {
  const { step, spec } = state;
  const found = FOUND[step]({ ...state, tokens: state.tokens.map(quoted) }, result);
  return `Step ${step + 1}, ${spec.controls.step[step]}: ${DOES[step]} ${found}`;
}

// The arithmetic of each step, worked out for the token that is looked at most.
const ARITHMETIC = [
  ({ i }, { X, Q }) => ["q = x W_q = ", `${pair(X[i])} W_q = `, ["query", pair(Q[i])]],
  ({ i, j }, { Q, K, S }) => [
    "q · k = ",
    ["query", pair(Q[i])],
    " · ",
    ["key", pair(K[j])],
    ` = ${short(S[i][j])}`,
  ],
  ({ i, j }, { S, scaled }) => [`${short(S[i][j])} ÷ √2 = ${fixed(scaled[i][j])}`],
  ({ i, j }, { scaled, A }) => [
    `e^${fixed(scaled[i][j])} ÷ ${fixed(sum(scaled[i].map(Math.exp)))} = `,
    ["weight", fixed(A[i][j], 3)],
  ],
  ({ i, j }, { A, V, parts }) => [
    ["weight", fixed(A[i][j], 3)],
    " × ",
    ["value", pair(V[j])],
    ` = ${pair(parts[j])}`,
  ],
  ({ i }, { Y }) => ["y = sum of the last column = ", ["output", pair(Y[i])]],
];

export function example({ tokens, word: i, step }, result) {
  const j = result.A[i].indexOf(Math.max(...result.A[i]));
  const of = step === 0 || step === 5 ? tokens[i] : tokens[j];
  return [`${of}: `, ...ARITHMETIC[step]({ i, j }, result)];
}

const writer = (name) => WRITES.findIndex((names) => names.includes(name));

// Whether something is read, written, untouched, or still to come at this step.
export function mark(name, step) {
  if (WRITES[step].includes(name)) return "writes";
  if (READS[step].includes(name)) return "reads";
  return writer(name) > step ? "later" : "done";
}

// The columns of the table: what each is called, and what it holds in the row of word j.
const COLUMNS = [
  { name: "X", title: "x", role: "output", at: ({ X }, j) => pair(X[j]) },
  { name: "Q", title: "q", role: "query", at: ({ Q }, j, i) => (j === i ? pair(Q[j]) : "") },
  { name: "K", title: "k", role: "key", at: ({ K }, j) => pair(K[j]) },
  { name: "V", title: "v", role: "value", at: ({ V }, j) => pair(V[j]) },
  { name: "S", title: "q · k", at: ({ S }, j, i) => fixed(S[i][j]) },
  { name: "scaled", title: "÷ √2", at: ({ scaled }, j, i) => fixed(scaled[i][j]) },
  { name: "A", title: "weight", role: "weight", at: ({ A }, j, i) => fixed(A[i][j], 3) },
  { name: "parts", title: "weight × v", role: "value", at: ({ parts }, j) => pair(parts[j]) },
];

// One row per word, one column per thing that a step writes; the sum at the foot is the output.
function ledger(parent, { tokens }) {
  const head = ({ name, title, role }) =>
    html("th", { scope: "col", "data-column": name, "data-role": role, text: title });
  const lines = tokens.map((text) => html("tr", {}, html("th", { scope: "row", text })));
  const cells = lines.map((line) =>
    COLUMNS.map(({ name, role }) =>
      add(line, html("td", { "data-column": name, "data-role": role })),
    ),
  );
  const total = html("td", { "data-column": "Y", "data-role": "output" });
  // A phone shows only some columns, so the foot begins with one of two labels.
  const labels = [
    html("th", { scope: "row", class: "attn-wide", colspan: COLUMNS.length, text: "sum: y" }),
    html("th", { scope: "row", class: "attn-narrow", text: "sum: y" }),
  ];
  const table = html(
    "table",
    { class: "attn-ledger" },
    html("thead", {}, html("tr", {}, html("td"), ...COLUMNS.map(head))),
    html("tbody", {}, ...lines),
    html("tfoot", {}, html("tr", {}, ...labels, total)),
  );
  scrollBox(parent, "six steps, one column for each thing they write").append(table);
  const marked = [...table.querySelectorAll("[data-column]")];
  return ({ word, step }, result) => {
    for (const node of marked) node.dataset.mark = mark(node.dataset.column, step);
    for (const [j, line] of lines.entries()) {
      line.toggleAttribute("data-on", j === word);
      for (const [c, { name, at }] of COLUMNS.entries())
        cells[j][c].textContent = mark(name, step) === "later" ? "" : at(result, j, word);
    }
    total.textContent = step === 5 ? pair(result.Y[word]) : "";
  };
}

// Four sliders that stand where the entries of their matrix stand.
function entries(page, name, parent) {
  const group = add(
    parent,
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
        format: (x) => short(x, 1),
      });
  return group;
}

function build(page, state) {
  page.stage.classList.add("attn-single");
  const top = add(page.stage, html("div", { class: "attn-walk" }));
  page.stepper("step", { parent: top, label: "steps" });
  page.select("word", {
    parent: top,
    label: "word to follow",
    options: state.tokens.map((name, i) => [i, name]),
    changes: (i) => ({ word: Number(i) }),
  });
  const fill = ledger(page.stage, state);
  const notes = add(page.stage, html("div", { class: "attn-worked" }));
  const matrices = add(page.stage, html("div", { class: "attn-matrices" }));
  const groups = Object.keys(ROLES).map((name) => entries(page, name, matrices));
  return (state, result) => {
    fill(state, result);
    for (const { dataset } of groups) dataset.mark = mark(dataset.card, state.step);
    notes.replaceChildren(formula(example(state, result)));
  };
}

export default figure({
  name: "QKVStepper",
  title: "Six steps, three matrices",
  lead: ({ entries: [one, two] }) =>
    `x is (${one}, ${two}). Solid frame: written now. Dashed frame: read now.`,
  compute: sixSteps,
  build,
  words: sentence,
  rebuildKey: ({ tokens }) => tokens,
});
