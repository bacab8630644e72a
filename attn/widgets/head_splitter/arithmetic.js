// One layer of attention cut into heads, by columns of the projections or along the sequence: what each
// head sees and adds, how far a word's influence reaches over several layers, and how it is said.

import { attention, attentionWeights, matmul, range, sum, transpose } from "../kit/arithmetic.js";
import { favourite, fixed, list } from "../kit/format.js";

const zeros = (n, d) => range(n).map(() => Array(d).fill(0));
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
  return cut === "columns"
    ? runs(d, heads).map((columns) => ({ rows: range(n), columns }))
    : runs(n, heads).map((rows) => ({ rows, columns: range(d) }));
}

const project = (X, { W_q, W_k, W_v }) => [W_q, W_k, W_v].map((W) => matmul(X, W));

export function weights(state) {
  const [Q, K] = project(state.spec.X, state.spec);
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
  const all = project(X, state.spec);
  const Z = zeros(X.length, all[2][0].length);
  parts(state).forEach((part, i) => {
    if (state.on[i]) put(Z, part, attention(...all.map((M) => at(M, part))));
  });
  return Z;
}

// How the merged heads move when the words do: the derivative along dX.
function moving(state, X, dX) {
  const all = project(X, state.spec);
  const nudged = project(dX, state.spec);
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

// What each head adds to the outputs through W_o, (heads, n, d); 0 where it is off.
export function contributions(state) {
  const { X, W_o } = state.spec;
  const Z = merged(state);
  return parts(state).map((part) => {
    const alone = zeros(X.length, W_o.length);
    put(alone, part, at(Z, part));
    return matmul(alone, W_o);
  });
}

// After 1, 2, … layers with the same matrices: the norm of ∂(first output)/∂(last word's vector).
export function influences(state) {
  const { X, W_o, layers } = state.spec;
  const d = X[0].length;
  let words = X;
  let nudges = range(d).map((c) => {
    const dX = zeros(X.length, d);
    dX[X.length - 1][c] = 1;
    return dX;
  });
  return range(layers).map(() => {
    nudges = nudges.map((dX) => matmul(moving(state, words, dX), W_o));
    words = matmul(merged(state, words), W_o);
    return Math.hypot(...nudges.flatMap((dY) => dY[0]));
  });
}

// `whole` is what each head would add if it were on.
export function compute(state) {
  const { follow } = state.spec;
  const rows = (on) => contributions({ ...state, on }).map((Y) => Y[follow]);
  return {
    parts: parts(state),
    weights: weights(state),
    influences: influences(state),
    added: rows(state.on),
    whole: rows(state.on.map(() => true)),
  };
}

// A head is called by its questions or, where the sequence is cut, by its words.
export function headName({ heads, cut, spec }, { rows, columns }) {
  const { questions, words, W_q } = spec;
  if (heads === 1) return "all four questions";
  if (cut === "sequence") return `“${rows.map((j) => words[j]).join(" ")}”`;
  const each = W_q[0].length / questions.length;
  const asked = questions.filter((_, q) => columns.includes(each * q));
  return asked.join(" + ");
}

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
  if (cut === "columns" || heads === 1)
    return `For ${words[follow]}, ${together(result.parts.map((part, i) => seen(part, result.weights[i])))}.`;
  const mine = result.parts.findIndex(({ rows }) => rows.includes(follow));
  const { rows } = result.parts[mine];
  const hidden = range(words.length).filter((j) => !rows.includes(j));
  return (
    `In head ${mine + 1}, ${words[follow]} ${seen(result.parts[mine], result.weights[mine])}, ` +
    `and cannot see ${list(names(hidden))}.`
  );
}

const MOST_NAMED = 3;

// What the followed word loses most of, the largest first.
function describeSwitches(state, { added, whole }) {
  const off = range(state.heads).filter((i) => !state.on[i]);
  if (!off.length) return "";
  if (off.length === state.heads) return " Every head is off, so every output is 0.";
  const { words, entries, follow } = state.spec;
  const lost = entries
    .map((entry, c) => ({ entry, by: sum(whole.map((row, i) => row[c] - added[i][c])) }))
    .filter(({ by }) => by > 1e-9)
    .sort((a, b) => b.by - a.by)
    .slice(0, MOST_NAMED)
    .map(({ entry, by }) => `${fixed(by)} of ${entry}`);
  const name = off.length > 1 ? `heads ${numbered(off)}` : `head ${numbered(off)}`;
  return ` Without ${name}, ${words[follow]} loses ${lost.length ? list(lost) : "nothing"}.`;
}

// The bars say how strong it is; what matters in words is whether there is any.
function reach({ spec }, { influences: found }) {
  if (found.some((x) => x !== 0)) return "";
  const { words, layers } = spec;
  return ` The influence of “${words.at(-1)}” on the first “${words[0]}” is exactly 0, even after ${layers} layers.`;
}

export function sentence(state, result) {
  const { heads, cut, spec } = state;
  const d = spec.W_v[0].length;
  const start =
    heads === 1
      ? `1 head, nothing is cut: it has all ${spec.words.length} words and all ${d} columns.`
      : cut === "columns"
        ? `${heads} heads, each with all ${spec.words.length} words and ${d / heads} of ${d} columns.`
        : `${heads} heads, each with all ${d} columns, but only ${list(result.parts.map(({ rows }) => `${rows.length}`))} of the ${spec.words.length} words.`;
  const any = state.on.slice(0, heads).includes(true);
  const end = any ? reach(state, result) : "";
  return `${start} ${looks(state, result)}${describeSwitches(state, result)}${end}`;
}
