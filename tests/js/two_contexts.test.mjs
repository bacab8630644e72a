// One word, two sentences: what leaves each of them, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, cosine, sentence } from "../../attn/widgets/js/two_contexts.js";
import { authored } from "./authored.mjs";

const with_ = (changes) => authored("TwoContexts", changes);
const AUTHORED = with_();
const says = (state) => sentence(state, answer(state));
const near = (a, b, slack = 5e-3) => assert.ok(Math.abs(a - b) < slack, `${a} is not near ${b}`);
const out = (state) => answer(state).map(({ Y, row }) => Y[row]);

test("the same word leaves as (1.34, .45) and (.34, 1.38)", () => {
  const [one, two] = out(AUTHORED);
  [1.34, 0.45].forEach((y, c) => near(one[c], y));
  [0.34, 1.38].forEach((y, c) => near(two[c], y));
  near(cosine(one, two), 0.53);
});

test("who asks decides the number of rows, the sentence the number of columns", () => {
  const sizes = (kind) => answer(with_({ kind })).map(({ A }) => [A.length, A[0].length]);
  assert.deepEqual(sizes("self"), [
    [3, 3],
    [4, 4],
  ]);
  assert.deepEqual(sizes("cross"), [
    [2, 3],
    [2, 4],
  ]);
  assert.deepEqual(sizes("pooling"), [
    [1, 3],
    [1, 4],
  ]);
});

test("every row sums to 1, whoever asks", () => {
  for (const kind of ["self", "cross", "pooling"]) {
    for (const { A } of answer(with_({ kind, beta: 2.5 })))
      A.forEach((row) =>
        near(
          row.reduce((a, b) => a + b),
          1,
          1e-12,
        ),
      );
  }
});

test("with a sharpness of 0 each sentence gives the mean of its words", () => {
  const [one, two] = out(with_({ beta: 0 }));
  [1, 1 / 3].forEach((y, c) => near(one[c], y, 1e-9));
  [0.25, 1.125].forEach((y, c) => near(two[c], y, 1e-9));
});

test("a word at 0 degrees hears nurses and patients less", () => {
  const heard = (angle) => answer(with_({ word_angle: angle }))[1].A[1];
  assert.ok(heard(0)[0] < heard(45)[0] && heard(0)[3] < heard(45)[3]);
});

test("two vectors of norm 0 have no angle, and nothing breaks", () =>
  assert.equal(cosine([0, 0], [1, 0]), 0));

test("the sentence says where the word looks and what leaves", () =>
  assert.equal(
    says(AUTHORED),
    "“the monitor flickers”: monitor looks 45% each at monitor and flickers. “nurses monitor the patients”: monitor looks 34% each at nurses and monitor. " +
      "monitor enters both as (1.00, 1.00) and leaves as (1.34, 0.45) and (0.34, 1.38): cosine 0.53. 3 vectors leave the first sentence, 4 the second.",
  ));

test("pooling lets one vector leave", () =>
  assert.match(
    says(with_({ kind: "pooling" })),
    /For learned query the two sentences give .* 1 vector leaves the first sentence, 1 the second\.$/,
  ));
