// One layer of attention cut into heads, along the embedding or along the sequence: what each head
// sees, how far a word's influence reaches over several layers, and how it is said.

import { attention, attentionWeights, matmul, range, sum, transpose } from "../kit/arithmetic.js";
import { favourite, fixed, list } from "../kit/format.js";

const zeros = (n, d) => range(n).map(() => Array(d).fill(0));
const firstColumns = (M, d) => M.map((row) => row.slice(0, d));
const at = (M, { rows, columns }) => rows.map((i) => columns.map((c) => M[i][c]));

// `count` runs of the numbers below n, the longer ones first, as numpy.array_split cuts them.
export function runs(n, count) {
  const [short, longer] = [Math.floor(n / count), n % count];
  let start = 0;
  return range(count).map((i) => {
    const length = short + (i < longer ? 1 : 0);
    start += length;
    return range(length).map((k) => start - length + k);
  });
}

// For each head, which words (rows) and which columns of Q, K and V it has.
export function parts({ heads, cut, spec }) {
  const [n, d] = [spec.X.length, spec.W_v[0].length];
  return cut === "embedding"
    ? runs(d, heads).map((columns) => ({ rows: range(n), columns }))
    : runs(n, heads).map((rows) => ({ rows, columns: range(d) }));
}

const projected = (X, { W_q, W_k, W_v }) => [W_q, W_k, W_v].map((W) => matmul(X, W));

export function weights(state) {
  const [Q, K] = projected(state.spec.X, state.spec);
  return parts(state).map((part) => attentionWeights(at(Q, part), at(K, part)));
}

const put = (M, { rows, columns }, block) =>
  rows.forEach((i, r) => {
    columns.forEach((c, k) => {
      M[i][c] = block[r][k];
    });
  });

// What the heads bring, side by side, (n, d); 0 where a head is off.
export function merged(state, X = state.spec.X) {
  const all = projected(X, state.spec);
  const Z = zeros(X.length, all[2][0].length);
  parts(state).forEach((part, i) => {
    if (state.on[i]) put(Z, part, attention(...all.map((M) => at(M, part))));
  });
  return Z;
}

// How the merged heads move when the words do: the derivative along dX.
function moving(state, X, dX) {
  const all = projected(X, state.spec);
  const nudged = projected(dX, state.spec);
  const dZ = zeros(X.length, all[2][0].length);
  parts(state).forEach((part, i) => {
    if (!state.on[i]) return;
    const [Q, K, V] = all.map((M) => at(M, part));
    const [dQ, dK, dV] = nudged.map((M) => at(M, part));
    const factor = 1 / Math.sqrt(part.columns.length);
    const A = attentionWeights(Q, K);
    const [one, two] = [matmul(dQ, transpose(K)), matmul(Q, transpose(dK))];
    const dA = A.map((row, r) => {
      const dS = row.map((_, j) => factor * (one[r][j] + two[r][j]));
      const mean = sum(row.map((a, j) => a * dS[j]));
      return row.map((a, j) => a * (dS[j] - mean));
    });
    const [by_weights, by_values] = [matmul(dA, V), matmul(A, dV)];
    put(
      dZ,
      part,
      by_weights.map((row, r) => row.map((x, c) => x + by_values[r][c])),
    );
  });
  return dZ;
}

// Outputs of another size than the words cannot enter the layer again.
const stackable = ({ d_out, spec }) => d_out === spec.X[0].length;

// After 1, 2, … layers with the same matrices: the norm of ∂(first output)/∂(last word's vector).
export function influences(state) {
  const { X, layers } = state.spec;
  const d = X[0].length;
  const W_o = firstColumns(state.spec.W_o, state.d_out);
  let words = X;
  let nudges = range(d).map((c) => {
    const dX = zeros(X.length, d);
    dX[X.length - 1][c] = 1;
    return dX;
  });
  return range(stackable(state) ? layers : 1).map(() => {
    nudges = nudges.map((dX) => matmul(moving(state, words, dX), W_o));
    words = matmul(merged(state, words), W_o);
    return Math.hypot(...nudges.flatMap((dY) => dY[0]));
  });
}

export function compute(state) {
  const W_o = firstColumns(state.spec.W_o, state.d_out);
  const outputs = (on) => matmul(merged({ ...state, on }), W_o);
  const [current, whole] = [outputs(state.on), outputs(state.on.map(() => true))];
  return {
    parts: parts(state),
    weights: weights(state),
    influences: influences(state),
    moved: current.map((row, i) => Math.hypot(...row.map((y, c) => y - whole[i][c]))),
  };
}

const used = ({ heads, on }) => on.slice(0, heads);
const numbered = (found) => list(found.map((i) => `${i + 1}`));

// “head 1 looks …; heads 3 and 4 have …”: heads that do the same are told together.
function together(found) {
  const said = [...new Set(found)];
  const heads = (text) => range(found.length).filter((i) => found[i] === text);
  const plural = (text) => text.replace("looks", "look").replace("has", "have");
  return said
    .map((text) => [heads(text), text])
    .map(([who, text]) =>
      who.length > 1 ? `heads ${numbered(who)} ${plural(text)}` : `head ${numbered(who)} ${text}`,
    )
    .join("; ");
}

function looks({ cut, heads, spec }, result) {
  const { words, follow } = spec;
  const names = (rows) => rows.map((j) => words[j]);
  const seen = ({ rows }, A) => favourite(names(rows), A[rows.indexOf(follow)]);
  if (cut === "embedding" || heads === 1)
    return `For ${words[follow]}, ${together(result.parts.map((part, i) => seen(part, result.weights[i])))}.`;
  const mine = result.parts.findIndex(({ rows }) => rows.includes(follow));
  const { rows } = result.parts[mine];
  const hidden = range(words.length).filter((j) => !rows.includes(j));
  return (
    `Head ${mine + 1} has “${names(rows).join(" ")}”: ${words[follow]} ${seen(result.parts[mine], result.weights[mine])}, ` +
    `and cannot see ${list(names(hidden))}.`
  );
}

function switched(state, { moved }) {
  const off = range(state.heads).filter((i) => !state.on[i]);
  if (!off.length) return "";
  if (off.length === state.heads) return " Every head is off, so all outputs are 0.";
  const name =
    off.length > 1 ? `Heads ${numbered(off)} are off: their` : `Head ${numbered(off)} is off: its`;
  const what = state.cut === "embedding" ? "columns of the concatenation" : "words’ rows";
  const { words, follow } = state.spec;
  const most = moved.indexOf(Math.max(...moved));
  const others =
    most === follow ? ", more than any other" : `, that of ${words[most]} by ${fixed(moved[most])}`;
  return ` ${name} ${what} are 0. The output of ${words[follow]} moves by ${fixed(moved[follow])}${others}.`;
}

function reach(state, { influences: found }) {
  const { words } = state.spec;
  const start = ` The influence of “${words.at(-1)}” on the first “${words[0]}” is`;
  const end = stackable(state)
    ? ""
    : ` Outputs with ${state.d_out} entries cannot enter this layer again.`;
  if (!used(state).includes(true)) return `${start} 0.${end}`;
  if (found.every((x) => x === 0))
    return `${start} exactly 0 after ${end ? "1 layer" : `1 to ${found.length} layers`}.${end}`;
  const later = end ? "" : ` and ${fixed(found.at(-1))} after ${found.length}`;
  return `${start} ${fixed(found[0])} after 1 layer${later}.${end}`;
}

export function sentence(state, result) {
  const { heads, cut, spec } = state;
  const d = spec.W_v[0].length;
  const start =
    heads === 1
      ? `1 head, nothing is cut: it has all ${spec.words.length} words and all ${d} columns.`
      : cut === "embedding"
        ? `${heads} heads: each has all ${spec.words.length} words and ${d / heads} of the ${d} columns.`
        : `${heads} heads: each has all ${d} columns, and ${list(result.parts.map(({ rows }) => `${rows.length}`))} of the ${spec.words.length} words.`;
  return `${start} ${looks(state, result)}${switched(state, result)}${reach(state, result)}`;
}
