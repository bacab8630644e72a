// Linear attention's state: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as linear from "../../attn/widgets/linear_state/drawing.js";
import { authored, speaker } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

agrees("recurrence", {
  "linear state": ({ traits }) => {
    const { state, output, atOnce } = linear.compute(authored("LinearState", traits));
    return [state, output, atOnce];
  },
});

test("weights of every query sum to 1, and with d_k = 1 all queries choose alike", () => {
  const { A } = linear.compute(authored("LinearState", { d_k: 1 }));
  for (const row of A)
    near(
      row.reduce((sum, x) => sum + (x ?? 0), 0),
      1,
    );
  for (const row of A.slice(1)) near(row[0] / row[1], A[1][0] / A[1][1]);
});

test("the state's sentence counts its numbers and finds both forms the same", () =>
  assert.match(
    speaker("LinearState", linear)({ step: 6, d_k: 2 }),
    /^6 of 6 words read, the last one is “street”\. The state holds 2 × 3 = 6 numbers.*: the same\.$/,
  ));
