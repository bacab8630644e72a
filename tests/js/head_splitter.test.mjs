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
import { authored } from "./authored.mjs";
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

test("the sentence of a cut sequence tells what a word cannot see", () =>
  assert.equal(
    says({ heads: 2, cut: "sequence" }),
    "2 heads, each with all 8 columns, but only 3 and 3 of the 6 words. In head 1, " +
      "walks looks most at cat, 75%, and cannot see on, the and street. " +
      "The influence of “street” on the first “the” is exactly 0, even after 6 layers.",
  ));

test("one head is told as one, whichever the cut", () => {
  for (const cut of ["columns", "sequence"])
    assert.equal(
      says({ heads: 1, cut }),
      "1 head, nothing is cut: it has all 6 words and all 8 columns. For walks, head 1 looks most at cat and street, 37% each.",
    );
});

test("a head that is off is told with what the followed word loses", () =>
  assert.match(
    says({ heads: 4, on: [false, true, true, true] }),
    / Without head 1, walks loses 0\.87 of living and 0\.45 of moves\.$/,
  ));

test("two heads that are off are told together, with what is lost most", () =>
  assert.match(
    says({ heads: 4, on: [true, false, true, false] }),
    / Without heads 2 and 4, walks loses 0\.90 of ground, 0\.87 of place and 0\.45 of moves\.$/,
  ));

test("a head of other words takes nothing from the followed one", () =>
  assert.match(
    says({ heads: 2, cut: "sequence", on: [true, false, true, true] }),
    / Without head 2, walks loses nothing\. /,
  ));

test("a switch beyond the number of heads says nothing", () =>
  assert.doesNotMatch(says({ heads: 2, on: [true, true, false, false] }), /Without/));

test("with every head off the outputs are 0, and nothing is called exact", () =>
  assert.match(
    says({ heads: 2, on: [false, false, true, true] }),
    /Every head is off, so every output is 0\.$/,
  ));
