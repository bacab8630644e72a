// The fifth chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compute,
  contributions,
  headName,
  influences,
  merged,
  parts,
  runs,
  sentence,
  weights,
} from "../../attn/widgets/head_splitter/arithmetic.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees } from "./golden.mjs";

const state = (changes) => authored("HeadSplitter", changes);
const says = (changes) => sentence(state(changes), compute(state(changes)));

agrees("heads", {
  weights: (changes) => weights(state(changes)),
  merged: (changes) => merged(state(changes)),
  contributions: (changes) => contributions(state(changes)),
  influences: (changes) => influences(state(changes)),
});

test("runs cut as numpy.array_split does, the longer ones first", () => {
  assert.deepEqual(runs(6, 4), [[0, 1], [2, 3], [4], [5]]);
  assert.deepEqual(runs(8, 2), [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ]);
  assert.deepEqual(runs(2, 1), [[0, 1]]);
});

test("a head has all words and some columns, or all columns and some words", () => {
  for (const { rows, columns } of parts(state({ heads: 4, cut: "columns" })))
    assert.deepEqual([rows.length, columns.length], [6, 2]);
  assert.deepEqual(
    parts(state({ heads: 4, cut: "sequence" })).map(({ rows, columns }) => [
      rows.length,
      columns.length,
    ]),
    [
      [2, 8],
      [2, 8],
      [1, 8],
      [1, 8],
    ],
  );
});

for (const heads of [2, 4]) {
  test(`with the sequence cut in ${heads}, no layer lets the last word reach the first`, () =>
    assert.deepEqual(influences(state({ heads, cut: "sequence" })), [0, 0, 0, 0, 0, 0]));

  test(`with ${heads} heads of all words, every layer does`, () =>
    assert.ok(Math.min(...influences(state({ heads }))) > 0.5));
}

test("one head is the same cut either way", () =>
  assert.deepEqual(
    influences(state({ heads: 1, cut: "sequence" })),
    influences(state({ heads: 1, cut: "columns" })),
  ));

test("an influence is the norm of slopes, taken here by small steps", () => {
  const four = state({ heads: 4 });
  const { X, W_o } = four.spec;
  const first = (c, step) => {
    const moved = X.map((row) => [...row]);
    moved.at(-1)[c] += step;
    const [z] = merged(four, moved);
    return W_o[0].map((_, o) => z.reduce((sum, x, i) => sum + x * W_o[i][o], 0));
  };
  const slopes = X[0].flatMap((_, c) => {
    const [up, down] = [first(c, 1e-5), first(c, -1e-5)];
    return up.map((y, o) => (y - down[o]) / 2e-5);
  });
  assert.ok(Math.abs(Math.hypot(...slopes) - influences(four)[0]) < 1e-7);
});

test("a head is called by its questions, or by its words", () => {
  const names = (changes) => parts(state(changes)).map((part) => headName(state(changes), part));
  assert.deepEqual(names({ heads: 4 }), ["who?", "where?", "which noun?", "on what?"]);
  assert.deepEqual(names({ heads: 2 }), ["who? + where?", "which noun? + on what?"]);
  assert.deepEqual(names({ heads: 1 }), ["all four questions"]);
  assert.deepEqual(names({ heads: 2, cut: "sequence" }), ["“the cat walks”", "“on the street”"]);
});

test("the sentence tells each head's choice, and heads that do the same together", () =>
  assert.equal(
    says({ heads: 4 }),
    "4 heads, each with all 6 words and 2 of 8 columns. For walks, head 1 looks most at cat, 87%; " +
      "head 2 looks most at street, 87%; heads 3 and 4 have no preference, 17% each.",
  ));

const lost = (changes) => says(changes).split("Without ")[1];

test("the sentence tells what a word cannot see, what an off head takes, and what is exact", () => {
  const cut = says({ heads: 2, cut: "sequence" });
  for (const part of ["75%", "on, the and street", "exactly 0"]) assert.ok(cut.includes(part), cut);
  for (const one of ["columns", "sequence"])
    assert.deepEqual(numbersIn(says({ heads: 1, cut: one })), ["1", "6", "8", "1", "37%"]);
  assert.deepEqual(numbersIn(lost({ on: [false, true, true, true] })), ["1", "0.87", "0.45"]);
  const two = lost({ on: [true, false, true, false] });
  assert.deepEqual(numbersIn(two), ["2", "4", "0.90", "0.87", "0.45"]);
  const other = lost({ heads: 2, cut: "sequence", on: [true, false, true, true] });
  assert.deepEqual(numbersIn(other).slice(0, 2), ["2", "0"]);
  assert.equal(lost({ heads: 2, on: [true, true, false, false] }), undefined); // a switch beyond
  assert.doesNotMatch(says({ heads: 2, on: [false, false, true, true] }), /exactly/);
});
