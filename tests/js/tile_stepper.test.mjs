// A softmax in pieces: the figure's running numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, factorText, sentence } from "../../attn/widgets/tile_stepper/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("blockwise", {
  "running numbers": ({ traits }) => {
    const { added, last, output, answer } = compute(authored("TileStepper", traits));
    return [added, ...(last ? [last.top, last.total, output] : []), answer];
  },
});

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

const say = speaker("TileStepper", { compute, sentence });

test("the sentence says what the last block did", () => {
  assert.equal(
    say({ step: 5 }),
    "5 of 8 scores read. The last block raised the maximum from 2.00 to 4.00, so the old sum and " +
      "the old blend were multiplied by 0.135. Blend ÷ sum is 2.41. That is what attention over " +
      "the first 5 alone would give.",
  );
  assert.deepEqual(numbersIn(say({ step: 6 })).slice(0, 3), ["6", "8", "4.00"]);
  assert.deepEqual(numbersIn(say({ step: 1 })).slice(0, 3), ["1", "8", "1.00"]);
  assert.deepEqual(numbersIn(say({ step: 2, block: 4 })), ["2", "8", "1", "2", "4"]);
  const kinds = [{ step: 1 }, { step: 5 }, { step: 6 }, { step: 8 }, { step: 2, block: 4 }];
  const bare = (text) => text.replace(/[\d.]/g, "");
  assert.equal(new Set(kinds.map((changes) => bare(say(changes)))).size, kinds.length);
});

test("a factor is never written as a 0 that it is not", () =>
  assert.deepEqual([1, Math.exp(-2), Math.exp(-10), 0].map(factorText), [
    "1",
    "0.135",
    "< 0.001",
    "0.000",
  ]));
