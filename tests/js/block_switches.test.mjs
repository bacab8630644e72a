// The block's switches: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, distance, meanOf } from "../../attn/widgets/block_switches/arithmetic.js";
import * as drawing from "../../attn/widgets/block_switches/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

agrees("block", {
  block: ({ traits }) => {
    const state = authored("BlockSwitches", traits);
    const { tokens, distances, norms } = compute(state);
    return [tokens[state.layer], distances, norms];
  },
});

test("equal tokens have no distance, and opposite ones have all of their norm", () => {
  assert.deepEqual(meanOf([[1, 2], [3, 6]]), [2, 4]); // biome-ignore format: two rows
  assert.equal(distance([[3, 4], [3, 4]]), 0); // biome-ignore format: two rows
  assert.equal(distance([[3, 4], [-3, -4]]), 1); // biome-ignore format: two rows
});

const say = speaker("BlockSwitches", { compute, sentence: drawing.sentence });

test("the sentence names what is switched on, the distance, a verdict, and the norm", () => {
  assert.equal(
    say({}),
    "Attention alone, its answer replacing its input, no norm. As they enter, the six tokens lie 0.78 of their norm from their mean. They are clearly different. A token’s norm is 1.51 on average.",
  );
  assert.deepEqual(numbersIn(say({ layer: 1 })).slice(0, 2), ["1", "0.091"]);
  assert.deepEqual(numbersIn(say({ layer: 2 })).slice(0, 2), ["2", "2.7·10⁻⁵"]);
  const whole = { residual: true, norm: "pre", feed_forward: true, layer: 12 };
  assert.deepEqual(numbersIn(say(whole)), ["12", "0.60", "7.84", "1.51"]);
  assert.equal(new Set([0.5, 0.05, 0.001, 1e-16].map(drawing.verdict)).size, 4);
});

test("a share is written with the digits that count", () =>
  assert.deepEqual([0.778, 0.0872, 0.00712, 0.000142, 3e-17, 0].map(drawing.share), [
    "0.78",
    "0.087",
    "0.0071",
    "1.4·10⁻⁴",
    "less than 10⁻¹⁴",
    "less than 10⁻¹⁴",
  ]));
