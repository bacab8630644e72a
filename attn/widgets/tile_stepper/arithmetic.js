// The online softmax: blocks of scores added to a running maximum, sum and blend.

import { dot, softmax, sum } from "../kit/arithmetic.js";

// The running numbers before anything was added.
export const EMPTY = { top: Number.NEGATIVE_INFINITY, total: 0, blend: 0 };

// One block added: `factor` is what multiplies the old sum and the old blend.
export function merge(old, scores, values) {
  const top = Math.max(old.top, ...scores);
  const factor = Math.exp(old.top - top);
  const terms = scores.map((s) => Math.exp(s - top));
  return {
    top,
    total: old.total * factor + sum(terms),
    blend: old.blend * factor + dot(terms, values),
    factor,
    fresh: { total: sum(terms), blend: dot(terms, values) },
    old,
  };
}

// How many scores have been added when `step` are read: those of full blocks, in the end all.
export const addedAt = ({ step, block, scores }) =>
  step === scores.length ? step : step - (step % block);

// Where each block that has been added ends.
function ends({ block, scores }, added) {
  const all = scores.map((_, j) => Math.min((j + 1) * block, scores.length));
  return all.filter((end, j) => end <= added && end !== all[j - 1]);
}

// Every block added so far, one state after another.
export function merges(state) {
  const { block, scores, values } = state;
  const done = [];
  for (const end of ends(state, addedAt(state))) {
    const start = done.length * block;
    done.push(merge(done.at(-1) ?? EMPTY, scores.slice(start, end), values.slice(start, end)));
  }
  return done;
}

export function compute(state) {
  const { step, scores, values } = state;
  const added = addedAt(state);
  const done = merges(state);
  const last = done.at(-1) ?? null;
  return {
    added,
    held: step - added,
    last,
    // Not rescaled: the first block, which meets nothing, and blocks that bring no larger score.
    rescaled: done.filter(({ factor, old }) => old.total && factor < 1).length,
    terms: scores.map((s, j) => (j < added ? Math.exp(s - last.top) : null)),
    output: last && last.blend / last.total,
    answer: dot(softmax(scores), values),
  };
}
