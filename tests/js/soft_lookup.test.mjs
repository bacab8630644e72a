// What the first chapter's figure computes and says, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, sentence } from "../../attn/widgets/soft_lookup/drawing.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

const with_ = (changes) => authored("SoftLookup", changes);
const AUTHORED = with_();
const says = (state) => sentence(state, answer(state));

agrees("soft_lookup", {
  answer: (traits) => {
    const { weights, output } = answer(with_(traits));
    return [...weights, output];
  },
});

for (const [beta, output, entropy] of [
  [0, 20, 1.0986],
  [1, 14.248, 0.8324],
  [2, 11.491, 0.4411],
  [5, 10.068, 0.0407],
]) {
  test(`beta ${beta} answers ${output} with ${entropy} nats`, () => {
    const result = answer(with_({ beta }));
    near(result.output, output, 5e-5);
    near(result.entropy, entropy, 5e-5);
  });
}

test("a query at a right angle gives two opposite keys the same weight", () => {
  const { weights } = answer(with_({ query_angle: 90, beta: 3 }));
  assert.equal(weights[0], weights[2]);
});

test("the answer stays between the least and the greatest value at every turn of the dial", () => {
  for (const rule of ["softmax", "relu", "sparsemax"]) {
    for (let angle = -180; angle <= 180; angle += 7) {
      const { output } = answer(with_({ query_angle: angle, beta: 4, rule }));
      assert.ok(output >= 10 - 1e-12 && output <= 30 + 1e-12, `${rule} at ${angle}°: ${output}`);
    }
  }
});

test("the sentence names every key, the answer and the entropy", () =>
  assert.equal(
    says(AUTHORED),
    "The query looks 67% at key 1, 24% at key 2 and 9% at key 3; the answer is 14.25. " +
      "Entropy 0.832 of at most 1.099 nats.",
  ));

test("the sentence says when ReLU has nothing to share, and blames β where β is 0", () => {
  const behind = [[0, 1], [0, 2], [-1, 0]]; // biome-ignore format: one row
  assert.match(says(with_({ rule: "relu", key_vectors: behind })), /No score is positive/);
  assert.match(says(with_({ rule: "relu", query_angle: 30, beta: 0 })), /β is 0/);
});

test("the column of scores is what the weights are made of", () => {
  const { scores, weights } = answer(with_({ query_angle: 30, beta: 3 }));
  near(scores[0], 3 * Math.cos(Math.PI / 6), 1e-12);
  near(weights[0] / weights[1], Math.exp(scores[0] - scores[1]), 1e-9);
});

test("sharpness cancels under ReLU, and the sentence says so", () => {
  const [mild, sharp] = [1, 8].map(
    (beta) => answer(with_({ rule: "relu", query_angle: 30, beta })).weights,
  );
  mild.forEach((p, j) => near(p, sharp[j], 1e-12));
  assert.match(says(with_({ rule: "relu", query_angle: 30 })), /β cancels/);
});

test("a plain figure leaves the entropy out", () =>
  assert.deepEqual(numbersIn(says(with_({ plain: true }))), numbersIn(says(AUTHORED)).slice(0, 7)));
