// The fourth chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { jacobianNorm, normals } from "../../attn/widgets/kit/arithmetic.js";
import { shares } from "../../attn/widgets/kit/histogram.js";
import {
  dotProducts,
  measure,
  quantile,
  sensitivityText,
  sentence,
  topTenth,
} from "../../attn/widgets/scale_explorer/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/scaling.json", import.meta.url)));
const CALLS = {
  normals: ({ count, seed }) => [...normals(count, seed)],
  jacobianNorm: ({ p }) => [jacobianNorm(p)],
};
const near = (a, b, slack = 1e-12) => assert.ok(Math.abs(a - b) <= slack, `${a} is not near ${b}`);

for (const { name, function: call, arguments: given, result } of golden) {
  test(`the kit equals attn: ${call}, ${name}`, () => {
    const actual = CALLS[call](given);
    const expected = [result].flat();
    assert.equal(actual.length, expected.length);
    actual.forEach((x, i) => near(x, expected[i]));
  });
}

const { spec } = authored("ScaleExplorer");
const products = dotProducts(spec);
const at = (d, scaled) => measure(products.get(d), scaled ? 1 / Math.sqrt(d) : 1, spec);
const says = (changes) => {
  const state = authored("ScaleExplorer", changes);
  return sentence(state, { current: at(state.d_k, state.scaled) });
};

test("a plain figure speaks of scores and weights alone", () =>
  assert.equal(
    says({ plain: true }),
    "d_k = 64, raw: the scores have a spread of 7.99. Query 1 looks over 99% at key 14.",
  ));

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
    near(at(d, false).deviation / Math.sqrt(d), 1, 0.05);
    near(at(d, true).deviation, 1, 0.05);
  });
}

test("at 1024 the median sensitivity is larger divided, and the mean larger raw", () => {
  const [raw, divided] = [false, true].map((scaled) => at(1024, scaled));
  const mean = ({ sensitivities: s }) => s.reduce((a, b) => a + b, 0) / s.length;
  near(raw.quartiles[1], 6.6e-6, 1e-7);
  near(divided.quartiles[1], 0.00953, 1e-5);
  near(mean(raw), 0.0684, 1e-4);
  near(mean(divided), 0.0096, 1e-4);
});

test("a sensitivity is that of the raw score: the division enters twice", () => {
  const raw = measure([[8, 0]], 1, spec);
  const divided = measure([[8, 0]], 1 / 8, spec);
  const slope = ([p]) => Math.SQRT2 * Math.SQRT2 * p[0] * p[1];
  near(raw.sensitivities[0], slope(raw.weights));
  near(divided.sensitivities[0], slope(divided.weights) / 8);
});

test("the top tenth holds a tenth if all are alike, and all of it if the rest are 0", () => {
  near(topTenth(Array(20).fill(3)), 0.1);
  near(topTenth([5, ...Array(9).fill(0)]), 1);
  near(at(1024, false).topTenth, 0.68, 0.005);
  near(at(1024, true).topTenth, 0.11, 0.005);
});

test("the raw median sensitivity rises before it falls", () => {
  const medians = [1, 8, 64].map((d) => at(d, false).quartiles[1]);
  assert.ok(medians[1] > medians[0] && medians[1] > medians[2], `${medians}`);
});

test("no sensitivity exceeds a half", () => {
  for (const d of products.keys())
    assert.ok(Math.max(...at(d, false).sensitivities) <= 0.5 + 1e-12);
});

test("a quantile lies between its neighbours", () => {
  assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
  assert.equal(quantile([5], 0.75), 5);
});

test("shares count what lies beyond the ends in the end bins, and sum to 1", () =>
  assert.deepEqual(shares([-9, 0.1, 0.6, 9], 0, 1, 2), [0.5, 0.5]));

test("small numbers keep a digit", () => {
  assert.deepEqual([0.1234, 0.00953, 0.000066, 3e-9, 0].map(sensitivityText), [
    "0.123",
    "0.0095",
    "0.00007",
    "under 0.000001",
    "under 0.000001",
  ]);
});

test("the sentence names the size, the spread, the query's choice and the sensitivities", () =>
  assert.equal(
    says({ d_k: 64, scaled: false, query: 1 }),
    "d_k = 64, raw: the scores have a spread of 7.99. Query 1 looks over 99% at key 14, and its sensitivity is 0.0049. " +
      "Over all 256 queries, the largest weight is 0.83 on average, the entropy 0.43 of at most 2.77 nats; " +
      "the sensitivity is 0.189 on average and 0.141 in the median. 14% of the queries have less than 0.001, and the most sensitive tenth holds 25% of the total.",
  ));

test("the sentence says by how much the scores are divided", () =>
  assert.match(
    says({ d_k: 256, scaled: true, query: 3 }),
    /^d_k = 256, divided by 16\.00: the scores have a spread of 0\.99\./,
  ));

test("no query looks 100% at a key, even where the number is rounded to 1", () => {
  const one = at(1024, false).weights.findIndex((p) => Math.max(...p) === 1);
  assert.ok(one >= 0);
  assert.match(
    says({ d_k: 1024, scaled: false, query: one + 1 }),
    new RegExp(`Query ${one + 1} looks over 99% at key`),
  );
});
