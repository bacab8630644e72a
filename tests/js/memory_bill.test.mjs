// Bytes of attention: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, sentence, size } from "../../attn/widgets/memory_bill/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("blockwise", {
  bytes: ({ traits }) => {
    const { bytes, crossing } = compute(authored("MemoryBill", traits));
    return [...Object.values(bytes), crossing];
  },
});

const say = speaker("MemoryBill", { compute, sentence });

test("the sentence compares the table with the rest, below, at and above the crossing", () => {
  assert.equal(
    say({ n: 2048 }).replaceAll("\u00a0", " "),
    "With 2,048 tokens, one layer's table of weights takes 134 MB, 8 times as much as its Q, K, V and Y. " +
      "128 rows of one head take 1.05 MB. The keys and values of all 8 layers, kept for writing, take 67.1 MB.",
  );
  assert.match(say({ n: 256 }), /exactly/);
  assert.deepEqual(numbersIn(say({ n: 64 })).slice(2, 5), ["0.25", "256", "64"]);
  assert.notEqual(numbersIn(say({ layers: 1 })).length, numbersIn(say({})).length);
});

test("bytes have a unit and three digits", () =>
  assert.deepEqual([999, 4096, 67108864, 2147483648, 4.4e12].map(size), [
    "999 bytes",
    "4.1 kB",
    "67.1 MB",
    "2.15 GB",
    "4.4 TB",
  ]));
