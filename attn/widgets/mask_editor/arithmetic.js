// Who may look at whom, what four ways of hiding make of it, what leaks, and how it is said.

import { dot, matmul, norm, range, softmax, sum, transpose } from "../kit/arithmetic.js";
import { fixed, list, percent, wordName } from "../kit/format.js";

// The mask, true where query i may look at key j.
export function maskOf({ kind, window, length, own, spec: { words } }) {
  const rule = {
    causal: (i, j) => j <= i,
    padding: (_, j) => j < length,
    both: (i, j) => j <= i && j < length,
    window: (i, j) => j <= i && i - j < window,
    all: () => true,
    custom: (i, j) => own[i][j],
  }[kind];
  return words.map((_, i) => words.map((_, j) => rule(i, j)));
}

// One query's weights, hidden in one of four ways; null where no softmax is left. `fill` has what
// stands for a hidden score, but for −∞, which JSON does not know.
export function maskedRow(scores, look, way, { fill }) {
  if (way === "weight") return softmax(scores).map((p, j) => (look[j] ? p : 0));
  if (way === "inf" && !look.some(Boolean)) return null;
  return softmax(scores.map((s, j) => (look[j] ? s : (fill[way] ?? -Infinity))));
}

// The norms of ∂y/∂V and ∂y/∂K over the hidden rows; null where there are no weights.
export function leaks(q, K, V, look, way, { scale, fill }) {
  const scores = K.map((k) => scale * dot(q, k));
  const p = maskedRow(scores, look, way, { fill });
  if (!p) return null;
  const hidden = (row) => row.filter((_, j) => !look[j]);
  const values = Math.sqrt(V[0].length) * norm(hidden(p));
  if (way !== "weight") return [values, 0];
  const y = transpose(V).map((column) => dot(p, column));
  return [values, norm(hidden(softmax(scores))) * norm(y) * scale * norm(q)];
}

// The places by name: words, then padding.
export const namesOf = ({ length, spec: { words, pad } }) =>
  words.map((word, i) => (i < length ? word : pad));

export function compute(state) {
  const { length, spec } = state;
  const { scale } = spec;
  const padded = (M) => M.map((row, i) => (i < length ? row : row.map(() => 0)));
  const [Q, K, V] = [spec.queries, spec.keys, spec.values].map(padded);
  const mask = maskOf(state);
  const scores = matmul(Q, transpose(K)).map((row) => row.map((s) => scale * s));
  const rows = (way) => scores.map((row, i) => maskedRow(row, mask[i], way, spec));
  const i = state.query - 1;
  const ways = spec.controls.way.map(([way, name]) => ({
    way,
    name,
    p: maskedRow(scores[i], mask[i], way, spec),
    leak: leaks(Q[i], K, V, mask[i], way, spec),
  }));
  return { mask, weights: rows(state.way), ways, asks: Q[i].some((x) => x !== 0) };
}

function describeLooks(words, look, i, p) {
  const seen = range(words.length).filter((j) => look[j]);
  const name = (j) => (j === i ? "itself" : wordName(words, j));
  return list(seen.map((j) => `${percent(p[j])} at ${name(j)}`));
}

export const leakText = (x) => (x === 0 ? "0" : x < 0.001 ? "under 0.001" : fixed(x, 3));

// What reaches the output from hidden keys and values, if anything.
function describeLeaks(look, { way, p, leak }, asks) {
  const [values, keys] = leak;
  const leaked = sum(p.filter((_, j) => !look[j]));
  if (values > 0)
    return `But ${percent(leaked)} goes to what is hidden: y moves with hidden values, ‖∂y/∂V‖ = ${leakText(values)}.`;
  if (way !== "weight") return "Nothing hidden reaches its output y.";
  const kept = `But the hidden keys have kept ${percent(1 - sum(p))} of its 1`;
  if (keys > 0) return `${kept}, and y moves with them: ‖∂y/∂K‖ = ${leakText(keys)}.`;
  return `${kept}. ${asks ? "Only because y is 0" : "Only because this query is all zeros"} does y not move with them.`;
}

// The other queries that may look at nothing.
function othersWithoutKeys(mask, words, me) {
  const none = range(words.length).filter((i) => i !== me && !mask[i].some(Boolean));
  return none.length ? ` ${list(none.map((i) => wordName(words, i)))} may look at nothing.` : "";
}

export function sentence(state, { mask, ways, asks }) {
  const words = namesOf(state);
  const i = state.query - 1;
  const [look, me] = [mask[i], wordName(words, i)];
  const chosen = ways.find(({ way }) => way === state.way);
  const start = `Hidden by ${chosen.name}: `;
  const rest = othersWithoutKeys(mask, words, i);
  if (!look.some(Boolean)) {
    if (!chosen.p)
      return `${start}${me} may look at nothing. No score is left to share 1: 0/0, and every weight is NaN.${rest}`;
    if (sum(chosen.p) === 0)
      return `${start}${me} may look at nothing; all its weights are 0, and so is its output.${rest}`;
    return `${start}${me} may look at nothing, and still looks ${percent(chosen.p[0])} at each of the hidden keys: y moves with their values, ‖∂y/∂V‖ = ${leakText(chosen.leak[0])}.${rest}`;
  }
  const adds = `its weights sum to ${fixed(sum(chosen.p))}`;
  const first = `${start}${me} looks ${describeLooks(words, look, i, chosen.p)}; ${adds}. `;
  if (look.every(Boolean)) return `${first}Nothing is hidden from it.${rest}`;
  return `${first}${describeLeaks(look, chosen, asks)}${rest}`;
}
