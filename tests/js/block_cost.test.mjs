// What a block costs: the figure's counts are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as cost from "../../attn/widgets/block_cost/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("block", {
  cost: ({ traits }) => {
    const { parameters, work, even } = cost.compute(authored("BlockCost", traits));
    return [...parameters, ...work, even];
  },
});

const say = speaker("BlockCost", cost);

test("the sentence says what is held, what is computed, and where the halves are", () => {
  assert.equal(
    say({}),
    "One block’s matrices hold 3.1 million numbers, 6 blocks 18.9 million; 67% of them are in the feed-forward. " +
      "For 512 tokens a block takes 1.9 billion multiply-adds. Scores and blend, which learn nothing, take 14%: less than half of the work up to n = 3,072.",
  );
  assert.deepEqual(numbersIn(say({ n: 4096 })).slice(-2), ["57%", "3,072"]);
  assert.deepEqual(numbersIn(say({ ratio: 6, n: 4096 })).slice(-1), ["50%"]);
  assert.deepEqual(numbersIn(say({ layers: 1 })).slice(0, 2), ["3.1", "67%"]);
});

test("a count is written as it is up to a million, then with its unit", () =>
  assert.deepEqual(
    [0, 65536, 999_999, 1_048_576, 2.5e9, 137_438_953_472, 4.5e12, 2e15].map(cost.count),
    ["0", "65,536", "999,999", "1 million", "2.5 billion", "137 billion", "4.5 trillion", "2 quadrillion"], // biome-ignore format: one row
  ));
