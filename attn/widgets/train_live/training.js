// A run of training: its task, its first weights, its batches, and how well it does. All random
// numbers come from the seed, so that a step's numbers are a function of the settings.

import { normals, range, uniforms } from "../kit/arithmetic.js";
import { adamStep, forward, lossAndGradients, NAMES, zerosLike } from "./gradients.js";

// How a task makes one sequence and its answers of a few digits.
export const TASKS = {
  reverse: (digits) => [digits, [...digits].reverse()],
  whom: ([who, whom]) => [
    [who, 10, whom, 11],
    [who, whom],
  ],
};

// `count` sequences and their targets, after the first `skip`.
export function examples(task, { drawn }, count, seed, skip = 0) {
  const digits = [...uniforms(count * drawn, seed, skip * drawn)].map((u) => Math.floor(10 * u));
  const made = range(count).map((k) => TASKS[task](digits.slice(k * drawn, (k + 1) * drawn)));
  return { sequences: made.map(([tokens]) => tokens), targets: made.map(([, wanted]) => wanted) };
}

export const shapeOf = ({ task, heads, positions, spec }) => ({
  ...spec.shapes[task],
  h: heads,
  positions,
});

// Normal numbers: tables with standard deviation 1, matrices with 1/√d.
export function firstWeights({ n, v, d, groups, c, positions }, seed) {
  const sizes = { T: (v + n) * d, W_q: d * d, W_k: d * d, W_v: d * d, R: d * groups * c };
  const all = normals(
    Object.values(sizes).reduce((a, b) => a + b),
    seed,
  );
  let at = 0;
  const weights = {};
  for (const name of NAMES) {
    weights[name] = all.slice(at, at + sizes[name]);
    at += sizes[name];
    if (name !== "T") weights[name].forEach((x, i, row) => (row[i] = x / Math.sqrt(d)));
  }
  if (!positions) weights.T.fill(0, v * d);
  return weights;
}

// null of no numbers.
const median = (row) => [...row].sort((a, b) => a - b)[row.length >> 1] ?? null;

const norm = (x) => Math.sqrt(x.reduce((total, y) => total + y * y, 0));

// Which of c answers each group of probabilities prefers.
export const choices = (p, c) =>
  range(p.length / c).map((a) => {
    const row = p.subarray(a * c, (a + 1) * c);
    return row.indexOf(Math.max(...row));
  });

// The share of right answers, and the mean over queries and heads of the largest weight.
export function measure(weights, { sequences, targets }, shape) {
  let [right, sharpness] = [0, 0];
  forward(weights, sequences, shape).forEach(({ p, A }, s) => {
    choices(p, shape.c).forEach((choice, a) => {
      right += choice === targets[s][a] ? 1 : 0;
    });
    for (let row = 0; row < A.length; row += shape.n)
      sharpness += (Math.max(...A.subarray(row, row + shape.n)) * shape.n) / A.length;
  });
  const answers = sequences.length * targets[0].length;
  return { right: right / answers, sharpness: sharpness / sequences.length };
}

// Settings to a run at step 0. advance() takes one step; now() measures on sequences never trained on.
export function startRun(settings) {
  const { task, rate, seed, spec } = settings;
  const shape = shapeOf(settings);
  const weights = firstWeights(shape, seed);
  const moments = [zerosLike(weights), zerosLike(weights)];
  const unseen = examples(task, shape, spec.unseen, spec.unseen_seed);
  const norms = []; // of the gradient of W_q, step by step
  const gradient = () => median(norms.slice(-spec.saturated.steps));
  const run = { shape, weights, step: 0, losses: [], gradient, checks: [], advance, now };
  let [measured, last] = [-1, null];
  function now() {
    if (measured !== run.step) [measured, last] = [run.step, measure(weights, unseen, shape)];
    return last;
  }
  function advance() {
    const batch = examples(task, shape, spec.batch, spec.batch_seed + seed, run.step * spec.batch);
    const { loss, gradients } = lossAndGradients(weights, batch, shape);
    run.step += 1;
    adamStep(weights, gradients, moments, rate, run.step);
    run.losses.push(loss);
    norms.push(norm(gradients.W_q));
    if (run.step % spec.every === 0) run.checks.push(now().right);
  }
  return run;
}

// The first step of a check that found all but 1 in 100 answers right, or null.
export function solvedAt({ checks }, { every, solved }) {
  const k = checks.findIndex((right) => right >= solved);
  return k < 0 ? null : (k + 1) * every;
}

// Weights one-hot, so that in most steps softmax passes no gradient on to W_q, and answers wrong.
export function isSaturated({ gradient, now }, { saturated, solved }) {
  const { right, sharpness } = now();
  const typical = gradient();
  if (typical === null || right >= solved) return false;
  return typical < saturated.gradient && sharpness > saturated.sharpness;
}
