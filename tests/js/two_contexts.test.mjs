// One word, two sentences: what leaves each of them, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, cosine, sentence } from "../../attn/widgets/two_contexts/drawing.js";
import { authored, numbersIn } from "./authored.mjs";

const with_ = (changes) => authored("TwoContexts", changes);
const AUTHORED = with_();
const says = (state) => sentence(state, answer(state));
const near = (a, b, slack = 5e-3) => assert.ok(Math.abs(a - b) < slack, `${a} is not near ${b}`);
const out = (state) => answer(state).map(({ Y, row }) => Y[row]);

test("the same word leaves as (2.02, .33) and (.33, 2.02)", () => {
  const [one, two] = out(AUTHORED);
  [2.02, 0.33].forEach((y, c) => near(one[c], y));
  [0.33, 2.02].forEach((y, c) => near(two[c], y));
  near(cosine(one, two), 0.32);
});

test("who asks decides the number of rows, the sentence the number of columns", () => {
  const sizes = (kind) => answer(with_({ kind })).map(({ A }) => [A.length, A[0].length]);
  assert.deepEqual(sizes("self"), [
    [4, 4],
    [4, 4],
  ]);
  assert.deepEqual(sizes("cross"), [
    [2, 4],
    [2, 4],
  ]);
  assert.deepEqual(sizes("pooling"), [
    [1, 4],
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

test("with a sharpness of 0 both sentences give the same mean", () => {
  const [one, two] = out(with_({ beta: 0 }));
  [0.5, 0.5].forEach((y, c) => near(one[c], y, 1e-9));
  [0.5, 0.5].forEach((y, c) => near(two[c], y, 1e-9));
});

test("a word at 0 degrees hears nurses less and patients more", () => {
  const heard = (angle) => answer(with_({ word_angle: angle }))[1].A[1];
  assert.ok(heard(0)[0] < heard(45)[0] && heard(0)[3] > heard(45)[3]);
});

test("two vectors of norm 0 have no angle, and nothing breaks", () =>
  assert.equal(cosine([0, 0], [1, 0]), 0));

test("the sentence says where the word looks and what leaves", () =>
  assert.equal(
    says(AUTHORED),
    "“the monitor flickers tonight”: monitor looks most at flickers, 60%. “nurses monitor the patients”: monitor looks most at nurses, 60%. " +
      "monitor enters both as (1.00, 1.00) and leaves as (2.02, 0.33) and (0.33, 2.02): cosine 0.32. 4 vectors leave the first sentence, 4 the second.",
  ));

test("weights that are all alike are no preference", () =>
  assert.deepEqual(numbersIn(says(with_({ beta: 0 }))).slice(0, 2), ["25%", "25%"]));

test("pooling lets one vector leave", () =>
  assert.deepEqual(numbersIn(says(with_({ kind: "pooling" }))).slice(-2), ["1", "1"]));
