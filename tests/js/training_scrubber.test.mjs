// The recorded training: the figure reads the file as Python does, and its words follow.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as training from "../../attn/widgets/training_scrubber/arithmetic.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/scrubber.json", import.meta.url)));

for (const { name, arguments: given, result } of golden) {
  test(`the figure equals attn: ${name}`, () => {
    const { maps, agreement, singular } = training.compute(
      authored("TrainingScrubber", given.traits),
    );
    const actual = [...maps.flat(2).map((x) => x ?? 0), ...agreement, singular];
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => {
      assert.ok(Math.abs(x - result[i]) < 1e-12, `${x} is not ${result[i]}`);
    });
  });
}

const say = (traits) => {
  const state = authored("TrainingScrubber", traits);
  return training.sentence(state, training.compute(state));
};

test("its words name the rule that its verbs follow", () => {
  assert.match(say({ moment: 0 }), /^Before training it does not make verbs agree yet/);
  assert.match(say({ moment: 6 }), /^After 150 steps it lets the nearest noun decide/);
  assert.match(say({ moment: 15 }), /^After 800 steps it no longer lets the nearest noun decide/);
  assert.match(say({ moment: 15, data: "never" }), /it lets the nearest noun decide/);
});

test("between the two rules it names neither", () => {
  assert.equal(training.rule([1, 0.6, 0.1]), "stands between the nearest noun and another rule");
  assert.equal(training.rule([0.74, 0, 0]), "does not make verbs agree yet");
});

test("each head is told by what the last word looks at", () => {
  const state = authored("TrainingScrubber", { moment: 15 });
  const { maps } = training.compute(state);
  assert.equal(
    training.lookOf(state, maps[2], "layer 2, head 1"),
    "layer 2, head 1: “dogs” looks most at cat, over 99%",
  );
});
