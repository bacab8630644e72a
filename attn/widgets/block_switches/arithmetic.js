// Six tokens through twelve layers of the block, each part of it switched on or off.

import {
  attention,
  columnsOf,
  layerNorm,
  matmul,
  norm,
  normals,
  plus,
  range,
  sum,
  transpose,
} from "../kit/arithmetic.js";

const map = (A, f) => A.map((row) => row.map(f));
// The matrices of every layer by name, in the order in which Python draws them.
const matrices = new Map();
function drawMatrices({ seed, layers, shapes }, draw) {
  if (!matrices.has(draw)) {
    const size = sum(shapes.map(([, rows, columns]) => rows * columns));
    const numbers = normals(layers * size, seed + draw);
    let at = 0;
    const next = ([name, rows, columns]) => [
      name,
      range(rows).map(() => {
        at += columns;
        return Array.from(numbers.subarray(at - columns, at), (x) => x / Math.sqrt(rows));
      }),
    ];
    matrices.set(
      draw,
      range(layers).map(() => Object.fromEntries(shapes.map(next))),
    );
  }
  return matrices.get(draw);
}

function multiHead(X, { W_q, W_k, W_v, W_o }, heads) {
  const [Q, K, V] = [W_q, W_k, W_v].map((W) => matmul(X, W));
  const size = Q[0].length / heads;
  const blends = range(heads).map((h) =>
    attention(...[Q, K, V].map((M) => columnsOf(M, h * size, (h + 1) * size))),
  );
  const joined = X.map((_, i) => blends.flatMap((blend) => blend[i]));
  return matmul(joined, W_o);
}

const feedForward = (X, { W_1, W_2 }) =>
  matmul(
    map(matmul(X, W_1), (x) => Math.max(x, 0)),
    W_2,
  );

function oneLayer(X, W, { residual, norm: place, feed_forward, spec }) {
  const parts = [(Y) => multiHead(Y, W, spec.heads)];
  if (feed_forward) parts.push((Y) => feedForward(Y, W));
  return parts.reduce((x, part) => {
    const made = part(place === "pre" ? layerNorm(x, spec) : x);
    const y = residual ? plus(x, made) : made;
    return place === "post" ? layerNorm(y, spec) : y;
  }, X);
}

export const meanOf = (X) => transpose(X).map((column) => sum(column) / X.length);

// How far the tokens lie from their mean, as a share of their norm.
export function distance(X) {
  const mean = meanOf(X);
  return norm(X.flatMap((row) => row.map((x, j) => x - mean[j]))) / norm(X.flat());
}

// What enters, and what leaves each layer: tokens, distances, and norms on average.
function through(state) {
  const { factor, draw, spec } = state;
  const tokens = [spec.X];
  for (const W of drawMatrices(spec, draw)) {
    const scaled = Object.entries(W).map(([name, M]) => [name, map(M, (x) => factor * x)]);
    tokens.push(oneLayer(tokens.at(-1), Object.fromEntries(scaled), state));
  }
  return {
    tokens,
    distances: tokens.map(distance),
    norms: tokens.map((X) => sum(X.map(norm)) / X.length),
  };
}

const ALONE = { residual: false, norm: "none", feed_forward: false };
const WHOLE = { residual: true, norm: "pre", feed_forward: true };
const KEPT = 60; // so many stacks are kept
const results = new Map();

// The stack as it is switched, and the two that it is compared with, each computed once.
export function compute(state) {
  const once = (switches) => {
    const { residual, norm: place, feed_forward, factor, draw } = { ...state, ...switches };
    const key = JSON.stringify([residual, place, feed_forward, factor, draw]);
    const found = results.get(key) ?? through({ ...state, ...switches });
    results.set(key, found);
    if (results.size > KEPT) results.delete(results.keys().next().value);
    return found;
  };
  return { ...once({}), alone: once(ALONE).distances, whole: once(WHOLE).distances };
}
