// Bytes of attention: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compute, sentence, size } from "../../attn/widgets/memory_bill/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/blockwise.json", import.meta.url)));
const cases = golden.filter((one) => one.function === "bytes");

for (const { name, arguments: given, result } of cases) {
  test(`the figure equals attn: ${name}`, () => {
    const { bytes, crossing } = compute(authored("MemoryBill", given.traits));
    assert.deepEqual([...Object.values(bytes), crossing], result);
  });
}

const told = (changes) => {
  const state = authored("MemoryBill", changes);
  return sentence(state, compute(state));
};

test("the sentence compares the table with the rest, below, at and above the crossing", () => {
  assert.match(told({ n: 2048 }), /takes 134\u00a0MB, 8 times as much as its Q, K, V and Y\. /);
  assert.match(told({ n: 256 }), /exactly as much as its Q, K, V and Y\. /);
  assert.match(
    told({ n: 64 }),
    /0\.25 times as much.*; they are equal at n = 256\. 64 rows of one head/,
  );
  assert.match(told({ layers: 1 }), /keys and values of the one layer/);
});

test("bytes have a unit and three digits", () =>
  assert.deepEqual([999, 4096, 67108864, 2147483648, 4.4e12].map(size), [
    "999 bytes",
    "4.1 kB",
    "67.1 MB",
    "2.15 GB",
    "4.4 TB",
  ]));
