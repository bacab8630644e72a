// One layer of attention, all of its matrices: what each holds at a stage, and what its rows and
// columns are called. Head by head where every head has its own.

import {
  columnsOf,
  layerNorm,
  matmul,
  plus,
  range,
  sinusoidalPositions,
  softmax,
  transpose,
} from "../kit/arithmetic.js";
import { withEntry } from "../kit/figure.js";

export const [ALL_HEADS, MASK, POSITIONS, BLOCK] = [5, 6, 7, 10]; // the stages at which these come

// The matrices that the stage has, in the order of the flow.
export const present = ({ stage, spec }) =>
  spec.matrices.filter(([, from]) => from <= stage).map(([id]) => id);

// Whether what is new is marked: at the first stage all is, and at a stage that the page has left behind nothing.
export const marksNew = ({ stage, spec }) => stage > 2 && stage >= spec.page_stage;

// Whether a matrix is new at the stage; keys and values are X itself before they have their own.
const FIRST_OWN = { keys: 3, values: 3 };
export const isNew = ({ stage, spec }, id) =>
  (FIRST_OWN[id] ?? Object.fromEntries(spec.matrices)[id]) === stage;

// Whether every head has its own.
export const ofHead = ({ spec }, id) => spec.of_a_head.includes(id);

// The columns of a matrix that head h of so many has.
const cut = (W, heads, h) => {
  const size = W[0].length / heads;
  return columnsOf(W, h * size, (h + 1) * size);
};
const map = (A, f) => A.map((row, i) => row.map((x, j) => f(x, i, j)));

export const divisor = ({ stage }, queries) => (stage >= 4 ? Math.sqrt(queries[0].length) : 1);

function oneHead(state, tokens, mask, W) {
  const own = W.W_q ? W : {};
  const [queries, keys, values] = ["W_q", "W_k", "W_v"].map((id) =>
    own[id] ? matmul(tokens, own[id]) : tokens,
  );
  const scores = matmul(queries, transpose(keys));
  const by = divisor(state, queries);
  const scaled = map(scores, (s, i, j) => s / by + mask[i][j]);
  const weights = scaled.map(softmax);
  return {
    ...own,
    queries,
    keys,
    values,
    scores,
    scaled,
    weights,
    blends: matmul(weights, values),
  };
}

// The matrices of W_q, W_k and W_v that the front head, or each head, has at this stage.
function projections(state, W_q) {
  const { stage, head, questions, W_k, W_v } = state;
  if (stage < 3) return [{}];
  const count = questions.length;
  const shown = stage >= ALL_HEADS ? range(count) : [head];
  return shown.map((h) => ({
    W_q: cut(W_q, count, h),
    W_k: cut(W_k, count, h),
    W_v: cut(W_v, count, h),
  }));
}

function blockOf({ W_1, W_2 }, tokens, outputs) {
  const normed = layerNorm(plus(tokens, outputs));
  const hidden = map(matmul(normed, W_1), (x) => Math.max(x, 0));
  const thought = matmul(hidden, W_2);
  return { normed, W_1, hidden, W_2, thought, block: layerNorm(plus(normed, thought)) };
}

// {shared: matrices by name, heads: for each head its own by name}.
export function compute(state) {
  const { stage, masked, spec } = state;
  const X = stage === 2 ? withEntry(state.X, state.feature_at, state.feature) : state.X;
  const [n, d] = [X.length, X[0].length];
  const place = map(sinusoidalPositions(n, d), (x) => spec.position_scale * x);
  const tokens = stage >= POSITIONS ? plus(X, place) : X;
  const hides = (i, j) => stage >= MASK && masked && j > i;
  const mask = range(n).map((i) => range(n).map((j) => (hides(i, j) ? -Infinity : 0)));
  const W_q = withEntry(state.W_q, state.strength_at, state.strength);
  const heads = projections(state, W_q).map((W) => oneHead(state, tokens, mask, W));
  const joined = range(n).map((i) => heads.flatMap(({ blends }) => blends[i]));
  const outputs = stage >= ALL_HEADS ? matmul(joined, state.W_o) : joined;
  const shared = { X, positions: place, tokens, mask, joined, W_o: state.W_o, outputs };
  if (stage >= BLOCK) Object.assign(shared, blockOf(state, tokens, outputs));
  return { shared, heads };
}

// Which of the computed heads is in front.
export const front = ({ stage, head }) => (stage >= ALL_HEADS ? head : 0);

// One matrix; of the head in front unless another is named.
export const matrix = (state, result, id, head = front(state)) =>
  ofHead(state, id) ? result.heads[head][id] : result.shared[id];

export const number = (state, result, { id, row, col, head }) =>
  matrix(state, result, id, head)[row][col];

// --- names ----------------------------------------------------------------------------------

const share = (names, count, h) => cut([names], count, h)[0];

// What the rows and columns of a matrix are called; of the head in front unless another is named.
export function axes(state, id, head = state.head) {
  const { stage, words, entries, questions, spec } = state;
  const asked = stage < 3 ? entries : share(spec.asked, questions.length, head);
  const carried = stage < 3 ? entries : share(spec.carried, questions.length, head);
  const alone = stage < ALL_HEADS;
  const found = {
    W_q: [entries, asked],
    W_k: [entries, asked],
    W_v: [entries, carried],
    queries: [words, asked],
    keys: [words, asked],
    values: [words, carried],
    scores: [words, words],
    mask: [words, words],
    scaled: [words, words],
    weights: [words, words],
    blends: [words, carried],
    joined: [words, spec.carried],
    W_o: [spec.carried, entries],
    outputs: [words, alone ? carried : entries],
    W_1: [entries, spec.units],
    hidden: [words, spec.units],
    W_2: [spec.units, entries],
  }[id] ?? [words, entries];
  return { rows: found[0], columns: found[1] };
}
