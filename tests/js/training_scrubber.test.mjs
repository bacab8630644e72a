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

test("its words name the rule that its verbs follow, and the head that looks most", () => {
  assert.equal(
    say({ moment: 15 }),
    "After 800 steps it no longer lets the nearest noun decide: with no, one and two nouns of the other number between, 100%, 100% and 100% of verbs are right. " +
      "After “the cat near the dogs” over 99% of its verbs are singular; “dogs” looks most at “cat” in layer 2, head 1, over 99%. The grammar accepts 98% of what it writes.",
  );
  const rules = [[0.5, 0, 0], [1, 0.3, 0.1], [1, 0.95, 0.9], [1, 0.6, 0.1]].map(training.rule); // biome-ignore format: one row
  assert.equal(new Set(rules).size, 4);
  for (const [moment, rule] of [[0, 0], [6, 1], [15, 2]]) // biome-ignore format: one row
    assert.ok(say({ moment }).includes(rules[rule]));
  assert.ok(say({ moment: 15, data: "never" }).includes(rules[1]));
});

test("each head is told by what the last word looks at", () => {
  const state = authored("TrainingScrubber", { moment: 15 });
  const { maps } = training.compute(state);
  const look = training.lookOf(state, maps[2], "layer 2, head 1");
  for (const part of ["layer 2, head 1", "dogs", "cat", "99%"])
    assert.ok(look.includes(part), look);
});
