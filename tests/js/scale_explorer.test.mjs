// The fourth chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { normals } from "../../attn/widgets/kit/arithmetic.js";
import {
  counts,
  dotProducts,
  measure,
  sentence,
} from "../../attn/widgets/scale_explorer/drawing.js";
import { authored } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

const { spec } = authored("ScaleExplorer");
const products = dotProducts(spec);
const at = (d) => [1, 1 / Math.sqrt(d)].map((factor) => measure(products.get(d), factor, spec));
const CALLS = {
  normals: ({ count, seed }) => [...normals(count, seed)],
  spreads: ({ d_k }) => at(d_k).map(({ spread }) => spread),
  weights: ({ d_k, query }) => at(d_k).flatMap(({ weights }) => weights[query - 1]),
};
agrees("scaling", CALLS, 1e-10);

const says = (changes) => {
  const state = authored("ScaleExplorer", changes);
  return sentence(state, at(state.d_k));
};

test("there are 256 queries of 16 scores for each power of two up to 1024", () => {
  assert.deepEqual([...products.keys()], [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
  for (const rows of products.values())
    assert.equal(rows.flat().filter(Number.isFinite).length, 256 * 16);
});

test("a larger query keeps the entries of the smaller one", () => {
  const entry = (drawn, i) => drawn[i] * drawn[16 * 1024 + i];
  const drawn = normals(32 * 1024, 4);
  near(products.get(1)[0][0], entry(drawn, 0));
  near(
    products.get(4)[0][0],
    [0, 1, 2, 3].reduce((sum, i) => sum + entry(drawn, i), 0),
  );
});

for (const d of [16, 64, 256, 1024]) {
  test(`with d_k = ${d} the spread is near √d_k, and near 1 after the division`, () => {
    const [raw, divided] = at(d);
    near(raw.spread / Math.sqrt(d), 1, 0.05);
    near(divided.spread, 1, 0.05);
  });
}

test("scores beyond the axis are counted, not drawn", () => {
  const { bins, beyond } = counts([-40, -32, 0, 31.9, 32], 32);
  assert.equal(
    bins.reduce((a, b) => a + b),
    3,
  );
  near(beyond, 0.4);
  near(at(1024)[0].beyond, 0.32, 0.02);
  assert.equal(at(8)[0].beyond, 0);
});

test("the sentence tells both ways, the query's choice in each", () =>
  assert.equal(
    says({ d_k: 64, query: 1 }),
    "d_k = 64. Raw, the scores spread by 7.99, and query 1 gives over 99% to key 14. " +
      "Divided by 8, they spread by 1.00, and it gives 38% to key 14.",
  ));

test("no query gives a key 100%, even where the number is rounded to 1", () => {
  const one = at(1024)[0].weights.findIndex((p) => Math.max(...p) === 1);
  assert.ok(one >= 0);
  assert.match(
    says({ d_k: 1024, query: one + 1 }),
    new RegExp(`query ${one + 1} gives over 99% to key \\d+\\. `),
  );
});
