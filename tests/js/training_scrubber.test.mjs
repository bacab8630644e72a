// The recorded training: the figure reads the file as Python does, and its words follow.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as training from "../../attn/widgets/training_scrubber/arithmetic.js";
import { authored, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("scrubber", {
  training: ({ traits }) => {
    const { maps, agreement, singular } = training.compute(authored("TrainingScrubber", traits));
    return [...maps.flat(2).map((x) => x ?? 0), ...agreement, singular];
  },
});

const say = speaker("TrainingScrubber", training);

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
