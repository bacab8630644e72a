// The kit's arithmetic against the cases that attn.core wrote, and against closed forms.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "../../attn/widgets/kit/arithmetic.js";
import { agrees, near } from "./golden.mjs";

const CALLS = {
  softmax: ({ x }) => core.softmax(x),
  reluShare: ({ x }) => core.reluShare(x),
  sparsemax: ({ x }) => core.sparsemax(x),
  attention_weights: ({ Q, K, ...options }) => core.attentionWeights(Q, K, options),
  attention: ({ Q, K, V }) => core.attention(Q, K, V),
  layer_norm: ({ X }) => core.layerNorm(X),
};

for (const stem of ["softmax", "weighting", "attention", "layer_norm"]) agrees(stem, CALLS);

test("a score gap of ln 3 splits attention 1 to 3", () =>
  near(core.softmax([0, Math.log(3)]), [0.25, 0.75]));

test("a softmax with every score hidden names its rule", () =>
  assert.throws(() => core.softmax([-Infinity, -Infinity]), /one score above -Infinity/));

test("equal weights have entropy ln n, a one-hot row none", () => {
  near(core.entropy([0.25, 0.25, 0.25, 0.25]), Math.log(4));
  assert.equal(core.entropy([0, 1, 0]), 0);
});

test("matmul names the shapes that do not meet", () =>
  assert.throws(() => core.matmul([[1, 2]], [[1, 2, 3]]), /A is \(1, 2\), B is \(1, 3\)/));

test("sparsemax gives a far key exactly nothing where softmax does not", () => {
  assert.deepEqual(core.sparsemax([2, 0, -2]), [1, 0, 0]);
  assert.ok(core.softmax([2, 0, -2]).every((p) => p > 0));
});

test("no function changes its input", () => {
  const scores = Object.freeze([3, 1, 2]);
  const keys = Object.freeze([Object.freeze([1, 0]), Object.freeze([0, 1])]);
  core.softmax(scores);
  core.sparsemax(scores);
  core.reluShare(scores);
  core.attention(keys, keys, keys);
});
