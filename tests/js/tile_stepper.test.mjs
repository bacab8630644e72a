// A softmax in pieces: the figure's running numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compute, factorText, sentence } from "../../attn/widgets/tile_stepper/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/blockwise.json", import.meta.url)));
const cases = golden.filter((one) => one.function === "running numbers");

for (const { name, arguments: given, result } of cases) {
  test(`the figure equals attn: ${name}`, () => {
    const { added, last, output, answer } = compute(authored("TileStepper", given.traits));
    const actual = [added, ...(last ? [last.top, last.total, output] : []), answer];
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => {
      assert.ok(Math.abs(x - result[i]) < 1e-12, `${x} is not near ${result[i]}`);
    });
  });
}

test("what was added before shrinks by one factor, and only under a larger score", () => {
  const at = (step) => compute(authored("TileStepper", { step }));
  const [before, after] = [at(4), at(5)];
  assert.equal(after.last.factor, Math.exp(2 - 4));
  before.terms.slice(0, 4).forEach((term, j) => {
    assert.ok(Math.abs(after.terms[j] - term * after.last.factor) < 1e-15);
  });
  assert.equal(at(6).last.factor, 1);
  assert.deepEqual(at(6).terms.slice(0, 5), after.terms.slice(0, 5));
});

test("rescaling is counted, the first block left out", () => {
  const rescaled = (changes) => compute(authored("TileStepper", { step: 8, ...changes })).rescaled;
  assert.equal(rescaled({ block: 1 }), 2);
  assert.equal(rescaled({ block: 4 }), 1);
  assert.equal(rescaled({ block: 8 }), 0);
});

const told = (changes) => {
  const state = authored("TileStepper", changes);
  return sentence(state, compute(state));
};

test("the sentence says what the last block did", () => {
  assert.equal(
    told({ step: 5 }),
    "5 of 8 scores read. The last block raised the maximum from 2.00 to 4.00, so the old sum and " +
      "the old blend were multiplied by 0.135. Blend ÷ sum is 2.41. That is what attention over " +
      "the first 5 alone would give.",
  );
  assert.match(told({ step: 6 }), /no score above the maximum, 4\.00, so .* stayed as they were/);
  assert.match(told({ step: 1 }), /set the maximum to 1\.00\. .* over the first score alone/);
  assert.equal(
    told({ step: 2, block: 4 }),
    "2 of 8 scores read. Scores 1 and 2 are held until the block of 4 is full. Nothing has been added yet.",
  );
  assert.match(told({ step: 4, block: 3 }), /Score 4 is held/);
  assert.match(told({ step: 8 }), /An ordinary softmax over all 8 scores gives the same\.$/);
});

test("a factor is never written as a 0 that it is not", () =>
  assert.deepEqual([1, Math.exp(-2), Math.exp(-10), 0].map(factorText), [
    "1",
    "0.135",
    "< 0.001",
    "0.000",
  ]));
