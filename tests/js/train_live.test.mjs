// The figure that learns: its gradients are autograd's, its runs repeat, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { uniforms } from "../../attn/widgets/kit/arithmetic.js";
import {
  adamStep,
  forward,
  lossAndGradients,
  NAMES,
  zerosLike,
} from "../../attn/widgets/train_live/gradients.js";
import { thin } from "../../attn/widgets/train_live/loss_chart.js";
import { compute, looks, sentence } from "../../attn/widgets/train_live/state.js";
import {
  examples,
  firstWeights,
  isSaturated,
  solvedAt,
  startRun,
} from "../../attn/widgets/train_live/training.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees, golden } from "./golden.mjs";

agrees(
  "training",
  { uniforms: ({ count, seed, skip }) => [...uniforms(count, seed, skip)] },
  0, // the page draws Python's numbers
);

agrees("training", {
  training({ task, shape, seed, steps, rate }) {
    const weights = firstWeights(shape, seed);
    const moments = [zerosLike(weights), zerosLike(weights)];
    let last;
    for (let t = 1; t <= steps; t += 1) {
      const batch = examples(task, shape, 5, seed, 5 * (t - 1));
      last = lossAndGradients(weights, batch, shape);
      adamStep(weights, last.gradients, moments, rate, t);
    }
    const flat = (all) => NAMES.flatMap((one) => [...all[one]]);
    return [last.loss, ...flat(last.gradients), ...flat(weights)];
  },
});

test("a gradient is the slope of the loss, entry by entry", () => {
  const { shape, task } = golden("training").find(({ name }) => name.includes("whom, 2")).arguments;
  const weights = firstWeights(shape, 9);
  const batch = examples(task, shape, 4, 9);
  const { gradients } = lossAndGradients(weights, batch, shape);
  const small = 1e-6;
  for (const name of NAMES)
    weights[name].forEach((x, i) => {
      const sides = [x + small, x - small].map((moved) => {
        weights[name][i] = moved;
        return lossAndGradients(weights, batch, shape).loss;
      });
      weights[name][i] = x;
      const slope = (sides[0] - sides[1]) / (2 * small);
      assert.ok(Math.abs(slope - gradients[name][i]) < 1e-8, `${name} ${i}`);
    });
});

// A drawing trains for some milliseconds only: as many drawings as it takes.
function computed(state) {
  let result = compute(state);
  while (result.step < state.step) result = compute(state);
  return result;
}

const trained = (changes, step) => {
  const run = startRun(authored("TrainLive", changes));
  while (run.step < step) run.advance();
  return run;
};

test("the same seed gives the same run, another seed another", () => {
  const [first, again, other] = [1, 1, 2].map((seed) => trained({ seed }, 30));
  assert.deepEqual(first.losses, again.losses);
  assert.deepEqual(first.weights, again.weights);
  assert.notEqual(first.losses[0], other.losses[0]);
});

test("weights of a row sum to 1, for each head", () => {
  const run = trained({ heads: 2 }, 3);
  const [{ A }] = forward(run.weights, [[3, 1, 4, 1, 5, 9, 2, 6]], run.shape);
  assert.equal(A.length, 2 * 8 * 8);
  for (let row = 0; row < A.length; row += 8) {
    const total = A.subarray(row, row + 8).reduce((a, b) => a + b);
    assert.ok(Math.abs(total - 1) < 1e-12);
  }
});

test("at rate 0.003 it reverses digits, and each place looks at its mirror", () => {
  const state = authored("TrainLive", { rate: 0.003 });
  const run = trained({ rate: 0.003 }, 300);
  assert.ok(run.now().right >= state.spec.solved);
  assert.ok(solvedAt(run, state.spec) <= 300);
  for (const [i, { heads, answers }] of looks(state, run).entries()) {
    assert.equal(heads[0].indexOf(Math.max(...heads[0])), 7 - i);
    assert.ok(answers[0].right);
  }
});

test("without positions every place of the same digit gives the same answer", () => {
  const state = authored("TrainLive", { positions: false });
  const rows = looks(state, trained({ positions: false }, 40));
  assert.equal(rows[1].answers[0].text, rows[3].answers[0].text); // the two ones
  assert.deepEqual(rows[1].heads, rows[3].heads);
});

test("who and whom: two heads solve it soon, and each looks at one name", () => {
  const changes = { task: "whom", rate: 0.01, heads: 2 };
  const state = authored("TrainLive", changes);
  const run = trained(changes, 120);
  assert.ok(run.now().right >= state.spec.solved);
  const [{ heads }] = looks(state, run);
  const favourites = heads.map((row) => row.indexOf(Math.max(...row)));
  assert.deepEqual([...favourites].sort(), [0, 2]);
});

test("saturated means one-hot, without gradient, and wrong", () => {
  const { spec } = authored("TrainLive");
  const run = (median, sharpness, right) => ({
    gradient: () => median,
    now: () => ({ right, sharpness }),
  });
  assert.ok(isSaturated(run(1e-12, 0.999, 0.6), spec));
  assert.ok(!isSaturated(run(1e-3, 0.999, 0.6), spec), "it still moves");
  assert.ok(!isSaturated(run(1e-12, 0.6, 0.6), spec), "it is not decided");
  assert.ok(!isSaturated(run(1e-12, 0.999, 1), spec), "it is right");
  assert.ok(!isSaturated(run(null, 0.999, 0.6), spec), "it has not begun");
});

test("the gradient that counts is the median of the last steps", () => {
  const run = startRun(authored("TrainLive"));
  assert.equal(run.gradient(), null);
  run.advance();
  const first = run.gradient();
  run.advance();
  run.advance();
  assert.ok(first > 0 && run.gradient() > 0);
});

test("its words name the step, the settings and what has become of it", () => {
  const state = authored("TrainLive", { step: 3 });
  assert.match(
    sentence(state, computed(state)),
    /^Step 3\. Rate 0\.001, 1 head, positions on, seed 1: loss 2\.\d\d on its last batch, \d+(?:\.\d)?% of the digits of 100 unseen sequences right\. Not solved yet\.$/,
  );
  const result = { ...computed(state), step: 900, right: 0.6, solved: 20 };
  const verdict = (changes, now = state) =>
    sentence(now, { ...result, ...changes }).split("right. ")[1];
  const fates = [1, 0.98, 0.6].map((right) => verdict({ right }));
  assert.equal(new Set(fates).size, 3);
  for (const fate of fates) assert.deepEqual(numbersIn(fate), ["20"]);
  const stuck = verdict({ saturated: true, sharpness: 1, gradient: 3e-20 });
  assert.deepEqual(numbersIn(stuck).slice(0, 3), ["100%", "50", "3.0·10⁻²⁰"]);
  assert.ok(verdict({ solved: null }, { ...state, positions: false }).includes("32%"));
});

test("going back begins anew and gives the same numbers", () => {
  const at = (step) => [...computed(authored("TrainLive", { step, seed: 3 })).run.losses];
  const first = at(2);
  at(4);
  assert.deepEqual(at(2), first);
});

test("a drawing that is far from its step says so, and takes a step all the same", () => {
  const state = authored("TrainLive", { step: 2000, seed: 8 });
  const result = compute(state);
  assert.ok(result.step >= 1 && result.step < 2000);
  assert.match(sentence(state, result), /^Step \d+, on the way to 2000\./);
});

test("a long curve is thinned to means, in order", () => {
  const points = thin(
    Array.from({ length: 10 }, (_, i) => i),
    5,
  );
  assert.deepEqual(points, [
    [1.5, 0.5],
    [3.5, 2.5],
    [5.5, 4.5],
    [7.5, 6.5],
    [9.5, 8.5],
  ]);
});
