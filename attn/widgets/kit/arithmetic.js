// The arithmetic behind every figure, on plain nested arrays. Rows are queries, columns are keys.
// tests/golden/*.json hold these functions equal to attn.core.

/**
 * @typedef {number[]} Vector
 * @typedef {Vector[]} Matrix
 */

/** @type {(a: Vector, b: Vector) => number} */
export const dot = (a, b) => a.reduce((total, x, i) => total + x * b[i], 0);

/** @type {(row: Vector) => number} */
export const sum = (row) => row.reduce((a, b) => a + b, 0);

/** @type {(v: Vector) => number} */
export const norm = (v) => Math.sqrt(dot(v, v));

// 0, 1, … n − 1.
/** @type {(n: number) => number[]} */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** @type {<T>(M: T[][]) => T[][]} */
export const transpose = (M) => M[0].map((_, j) => M.map((row) => row[j]));

/** @type {(A: Matrix, B: Matrix) => Matrix} */
export function matmul(A, B) {
  if (A[0].length !== B.length) {
    throw new RangeError(
      `inner sizes must agree: A is (${A.length}, ${A[0].length}), B is (${B.length}, ${B[0].length})`,
    );
  }
  const columns = transpose(B);
  return A.map((row) => columns.map((column) => dot(row, column)));
}

/** @type {(A: Matrix, B: Matrix) => Matrix} */
export const plus = (A, B) => A.map((row, i) => row.map((x, j) => x + B[i][j]));

// Columns `from` to before `to`.
/** @type {(M: Matrix, from: number, to: number) => Matrix} */
export const columnsOf = (M, from, to) => M.map((row) => row.slice(from, to));

// What layer norm takes away from a row, and what it divides by.
/** @type {(row: Vector, eps?: number) => { mean: number, deviation: number }} */
export function moments(row, eps = 1e-5) {
  const mean = sum(row) / row.length;
  const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length;
  return { mean, deviation: Math.sqrt(variance + eps) };
}

// Without gain and shift.
/** @type {(X: Matrix, options?: { eps?: number }) => Matrix} */
export const layerNorm = (X, { eps } = {}) =>
  X.map((row) => {
    const { mean, deviation } = moments(row, eps);
    return row.map((x) => (x - mean) / deviation);
  });

// How fast each pair of a position's entries turns.
/** @type {(d: number, base: number) => Vector} */
export const speeds = (d, base) => range(d / 2).map((c) => base ** ((-2 * c) / d));

// sin(i ω) at entry 2c, cos(i ω) at entry 2c + 1.
/** @type {(n: number, d: number, base?: number) => Matrix} */
export const sinusoidalPositions = (n, d, base = 10000) =>
  range(n).map((i) => speeds(d, base).flatMap((w) => [Math.sin(i * w), Math.cos(i * w)]));

/** @type {(scores: Vector) => Vector} */
export function softmax(scores) {
  const top = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  if (top === -Infinity) throw new RangeError("softmax needs one score above -Infinity");
  const raised = scores.map((s) => Math.exp(s - top));
  const total = sum(raised);
  return raised.map((e) => e / total);
}

// In nats; a weight of 0 adds nothing.
/** @type {(weights: Vector) => number} */
export const entropy = (weights) =>
  weights.reduce((total, p) => total - (p > 0 ? p * Math.log(p) : 0), 0);

/** @type {(n: number) => Vector} */
const equalShares = (n) => Array(n).fill(1 / n);

// Positive scores divided by their sum. With none positive there is no preference: equal shares.
/** @type {(scores: Vector) => Vector} */
export function reluShare(scores) {
  const kept = scores.map((s) => Math.max(s, 0));
  const total = sum(kept);
  return total > 0 ? kept.map((s) => s / total) : equalShares(scores.length);
}

// The nearest point to the scores among all weights that sum to 1 (Martins and Astudillo, 2016).
/** @type {(scores: Vector) => Vector} */
export function sparsemax(scores) {
  const falling = [...scores].sort((a, b) => b - a);
  let total = 0;
  let threshold = 0;
  falling.forEach((s, i) => {
    total += s;
    if (1 + (i + 1) * s > total) threshold = (total - 1) / (i + 1);
  });
  return scores.map((s) => Math.max(s - threshold, 0));
}

export const RULES = { softmax, relu: reluShare, sparsemax };

/** @type {(Q: Matrix, K: Matrix, options?: { scale?: number }) => Matrix} */
export function attentionWeights(Q, K, { scale = 1 / Math.sqrt(K[0].length) } = {}) {
  return matmul(Q, transpose(K)).map((row) => softmax(row.map((s) => scale * s)));
}

/** @type {(Q: Matrix, K: Matrix, V: Matrix) => Matrix} */
export const attention = (Q, K, V) => matmul(attentionWeights(Q, K), V);

// `count` numbers in [0, 1), the same for the same seed on every machine: mulberry32, which counts its
// state up, so that the first `skip` numbers can be left out. random_normals.py draws the same ones.
/** @type {(count: number, seed: number, skip?: number) => Float64Array} */
export function uniforms(count, seed, skip = 0) {
  let state = (seed + Math.imul(skip, 0x6d2b79f5)) >>> 0;
  return Float64Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  });
}

// `count` numbers of mean 0 and variance 1 from those: Box and Muller's transform.
/** @type {(count: number, seed: number) => Float64Array} */
export function normals(count, seed) {
  const drawn = uniforms(count + (count % 2), seed);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - drawn[i]));
    const angle = 2 * Math.PI * drawn[i + 1];
    drawn[i] = radius * Math.cos(angle);
    drawn[i + 1] = radius * Math.sin(angle);
  }
  return drawn.slice(0, count);
}
