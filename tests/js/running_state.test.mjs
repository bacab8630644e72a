// A state that reads the sentence: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as running from "../../attn/widgets/running_state/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/recurrence.json", import.meta.url)));
const cases = golden.filter((one) => one.function === "running state");

for (const { name, arguments: given, result } of cases) {
  test(`the figure equals attn: ${name}`, () => {
    const { shares, h } = running.compute(authored("RunningState", given.traits));
    const actual = [...shares, ...h];
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => {
      assert.ok(Math.abs(x - result[i]) < 1e-12, `${x} is not near ${result[i]}`);
    });
  });
}

const told = (changes) => {
  const state = authored("RunningState", changes);
  return running.sentence(state, running.compute(state));
};

test("the sentence says what the state is made of, and by which rule", () => {
  assert.equal(
    told({ step: 2 }),
    "2 of 6 words read. The state is 25% the first word, 50% “cat” and 25% the empty start. " +
      "Every new word multiplies each older share by 0.50.",
  );
  assert.match(
    told({ step: 6, keep: 0, gate: "living" }),
    /0% the first word, 100% “cat”, 0% “walks”/,
  );
});

test("a share keeps the digit that counts", () =>
  assert.deepEqual([0, 0.0001, 1 / 64, 0.25, 1].map(running.percent), [
    "0%",
    "under 0.1%",
    "1.6%",
    "25%",
    "100%",
  ]));
