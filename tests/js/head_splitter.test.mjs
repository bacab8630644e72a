// The fifth chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  compute,
  influences,
  merged,
  parts,
  runs,
  sentence,
  weights,
} from "../../attn/widgets/head_splitter/arithmetic.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/heads.json", import.meta.url)));
const CALLS = {
  weights: (state) => weights(state).flat(2),
  merged: (state) => merged(state).flat(),
  influences,
};
const state = (changes) => authored("HeadSplitter", changes);
const says = (changes) => sentence(state(changes), compute(state(changes)));

for (const { name, function: call, arguments: changes, result } of golden) {
  test(`cut_heads.js equals attn: ${call}, ${name}`, () => {
    const actual = CALLS[call](state(changes));
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => {
      assert.ok(Math.abs(x - result[i]) <= 1e-12, `${i}: ${x} is not ${result[i]}`);
    });
  });
}

test("runs cut as numpy.array_split does, the longer ones first", () => {
  assert.deepEqual(runs(6, 4), [[0, 1], [2, 3], [4], [5]]);
  assert.deepEqual(runs(8, 2), [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ]);
  assert.deepEqual(runs(2, 1), [[0, 1]]);
});

test("a head has all words and some columns, or all columns and some words", () => {
  for (const { rows, columns } of parts(state({ heads: 4, cut: "embedding" })))
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
    influences(state({ heads: 1, cut: "embedding" })),
  ));

test("an influence is the norm of slopes, taken here by small steps", () => {
  const pruned = state({ heads: 4, d_out: 4 });
  const { X, W_o } = pruned.spec;
  const first = (c, step) => {
    const moved = X.map((row) => [...row]);
    moved.at(-1)[c] += step;
    const [z] = merged(pruned, moved);
    return W_o[0].slice(0, 4).map((_, o) => z.reduce((sum, x, i) => sum + x * W_o[i][o], 0));
  };
  const slopes = X[0].flatMap((_, c) => {
    const [up, down] = [first(c, 1e-5), first(c, -1e-5)];
    return up.map((y, o) => (y - down[o]) / 2e-5);
  });
  assert.ok(Math.abs(Math.hypot(...slopes) - influences(pruned)[0]) < 1e-7);
});

test("the sentence tells each head's choice, and heads that do the same together", () =>
  assert.equal(
    says({ heads: 4 }),
    "4 heads: each has all 6 words and 2 of the 8 columns. For walks, head 1 looks most at cat, 87%; " +
      "head 2 looks most at street, 87%; heads 3 and 4 have no preference, 17% each. " +
      "The influence of “street” on the first “the” is 1.06 after 1 layer and 0.89 after 6.",
  ));

test("the sentence of a cut sequence tells what a word cannot see", () =>
  assert.equal(
    says({ heads: 2, cut: "sequence" }),
    "2 heads: each has all 8 columns, and 3 and 3 of the 6 words. Head 1 has “the cat walks”: " +
      "walks looks most at cat, 75%, and cannot see on, the and street. " +
      "The influence of “street” on the first “the” is exactly 0 after 1 to 6 layers.",
  ));

test("one head is told as one, whichever the cut", () => {
  for (const cut of ["embedding", "sequence"])
    assert.match(
      says({ heads: 1, cut }),
      /^1 head, nothing is cut: it has all 6 words and all 8 columns\. For walks, head 1 looks most at cat and street, 37% each\. /,
    );
});

test("a head that is off is told with what it changes", () =>
  assert.match(
    says({ heads: 4, on: [false, true, true, true] }),
    / Head 1 is off: its columns of the concatenation are 0\. The output of walks moves by 1\.04, more than any other\. /,
  ));

test("a head that hardly touches the followed word names the one that it does", () =>
  assert.match(
    says({ heads: 4, on: [true, true, true, false] }),
    / Head 4 is off: .* The output of walks moves by 0\.01, that of on by 0\.10\. /,
  ));

for (const d_out of [4, 12])
  test(`outputs with ${d_out} entries leave after one layer`, () => {
    assert.equal(influences(state({ d_out })).length, 1);
    assert.match(
      says({ d_out }),
      new RegExp(
        ` after 1 layer\\. Outputs with ${d_out} entries cannot enter this layer again\\.$`,
      ),
    );
  });

test("a cut sequence with another size is exactly 0 after the one layer", () =>
  assert.match(
    says({ heads: 2, cut: "sequence", d_out: 4 }),
    /is exactly 0 after 1 layer\. Outputs with 4 entries cannot enter/,
  ));

test("two heads that are off are told together", () =>
  assert.match(
    says({ heads: 4, on: [true, false, true, false] }),
    / Heads 2 and 4 are off: their /,
  ));

test("a switch beyond the number of heads says nothing", () =>
  assert.doesNotMatch(says({ heads: 2, on: [true, true, false, false] }), /off/));

test("with every head off the outputs are 0, and nothing is called exact", () =>
  assert.match(
    says({ heads: 2, on: [false, false, true, true] }),
    /Every head is off, so all outputs are 0\. The influence of “street” on the first “the” is 0\.$/,
  ));
