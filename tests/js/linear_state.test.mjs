// Linear attention's state: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as linear from "../../attn/widgets/linear_state/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/recurrence.json", import.meta.url)));
const near = (a, b, slack = 1e-9) =>
  assert.ok(Math.abs(a - b) <= slack * Math.max(1, Math.abs(b)), `${a} is not near ${b}`);

function computed({ traits }) {
  const { state, output, atOnce } = linear.compute(authored("LinearState", traits));
  return [...state.flat(), ...output, ...atOnce];
}

for (const { name, arguments: given, result } of golden.filter(
  (one) => one.function === "linear state",
)) {
  test(`the figure equals attn: ${name}`, () => {
    const actual = computed(given);
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => near(x, result[i]));
  });
}

test("weights of every query sum to 1, and with d_k = 1 all queries choose alike", () => {
  const { A } = linear.compute(authored("LinearState", { d_k: 1 }));
  for (const row of A)
    near(
      row.reduce((sum, x) => sum + (x ?? 0), 0),
      1,
    );
  for (const row of A.slice(1)) near(row[0] / row[1], A[1][0] / A[1][1]);
});

test("the state's sentence counts its numbers and finds both forms the same", () => {
  const state = authored("LinearState", { step: 6, d_k: 2 });
  const said = linear.sentence(state, linear.compute(state));
  assert.match(
    said,
    /^6 of 6 words read, the last one is “street”\. The state holds 2 × 3 = 6 numbers/,
  );
  assert.match(said, /: the same\.$/);
});
