// A state that reads the sentence: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as running from "../../attn/widgets/running_state/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("recurrence", {
  "running state": ({ traits }) => {
    const { shares, h } = running.compute(authored("RunningState", traits));
    return [...shares, ...h];
  },
});

const say = speaker("RunningState", running);

test("the sentence says what the state is made of, and by which rule", () => {
  assert.equal(
    say({ step: 2 }),
    "2 of 6 words read. The state is 25% the first word, 50% “cat” and 25% the empty start. " +
      "Every new word multiplies each older share by 0.50.",
  );
  const gated = numbersIn(say({ step: 6, keep: 0, gate: "living" }));
  assert.deepEqual(gated.slice(2, 5), ["0%", "100%", "0%"]);
});

test("a share keeps the digit that counts", () =>
  assert.deepEqual([0, 0.0001, 1 / 64, 0.25, 1].map(running.percent), [
    "0%",
    "under 0.1%",
    "1.6%",
    "25%",
    "100%",
  ]));
