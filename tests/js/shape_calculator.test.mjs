// Which products fit, which fit by accident, and what the figure says about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attempt,
  line,
  sentence,
  shapes,
  unit,
} from "../../attn/widgets/shape_calculator/drawing.js";
import { authored } from "./authored.mjs";

const with_ = (changes) => authored("ShapeCalculator", changes);
const SIZES = with_();

test("the layer fits for any five sizes, and each product gives the shape of its name", () => {
  for (const sizes of [
    SIZES,
    with_({ d_k: 9, d_v: 1, m: 2 }),
    with_({ d_model: 512, d_k: 64, d_v: 64, n: 64 }),
  ]) {
    const layer = [
      ["X", "W_q", "Q"],
      ["memory", "W_k", "K"],
      ["memory", "W_v", "V"],
      ["Q", "Kᵀ", "A"],
      ["A", "V", "Y"],
    ];
    for (const [left, right, result] of layer)
      assert.deepEqual(line(sizes, left, right, result).gives, shapes(sizes)[result]);
  }
});

for (const [product, fitting] of Object.entries({
  q_k: { m: 4 },
  q_v: { d_v: 4 },
  at_v: { n: 5 },
  v_a: { d_v: 3 },
  residual: { d_v: 8 },
})) {
  test(`${product} does not fit when all sizes differ, and fits with ${JSON.stringify(fitting)}`, () => {
    const before = attempt(with_({ product }));
    assert.equal(before.fits, false);
    assert.equal(before.gives, null);
    assert.match(before.words, /does not fit/);
    const after = attempt(with_({ product, ...fitting }));
    assert.equal(after.fits, true);
    assert.doesNotMatch(after.words, /does not fit/);
  });
}

test("a wrong product that fits is called an accident", () =>
  assert.match(attempt(with_({ product: "at_v", n: 5 })).words, /accident.*\(5, 5\).*\(5, 6\)/));

test("a sum that does not fit names the matrix that repairs it", () =>
  assert.match(attempt(with_({ product: "residual" })).words, /W_o.*\(6, 8\)/));

test("the sentence counts the projections and says who is asked", () => {
  assert.equal(
    sentence(SIZES),
    "3 queries look at 5 keys: A is (3, 5), Y is (3, 6). " +
      "The three projections hold 112 numbers. With n ≠ m the memory is another sequence: cross-attention.",
  );
  assert.match(sentence(with_({ n: 5 })), /self-attention/);
  assert.ok(sentence(with_({ d_model: 512, d_k: 64, d_v: 64 })).includes("98,304"));
});

test("one unit makes the widest line and the tallest matrix fit", () => {
  for (const sizes of [
    SIZES,
    with_({ d_model: 512, d_k: 128, d_v: 128, n: 64, m: 64 }),
    with_({ d_model: 1, d_k: 1, d_v: 1, n: 1, m: 1 }),
  ]) {
    const lines = [line(sizes, "memory", "W_v", "V"), line(sizes, "Q", "Kᵀ", "A")];
    const scale = unit(lines);
    for (const { a, b, gives } of lines) {
      assert.ok(scale * (a[1] + b[1] + gives[1]) <= 178 + 1e-9);
      assert.ok(scale * Math.max(a[0], b[0]) <= 44 + 1e-9);
    }
  }
});
