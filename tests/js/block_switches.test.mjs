// The block's switches: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compute, distance, meanOf } from "../../attn/widgets/block_switches/arithmetic.js";
import * as drawing from "../../attn/widgets/block_switches/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/block.json", import.meta.url)));
const near = (a, b, slack = 1e-9) =>
  assert.ok(Math.abs(a - b) <= slack * Math.max(1, Math.abs(b)), `${a} is not near ${b}`);

for (const { name, arguments: given, result } of golden.filter((one) => one.function === "block")) {
  test(`the figure equals attn: ${name}`, () => {
    const state = authored("BlockSwitches", given.traits);
    const { tokens, distances, norms } = compute(state);
    const actual = [...tokens[state.layer].flat(), ...distances, ...norms];
    assert.equal(actual.length, result.length);
    actual.forEach((x, i) => near(x, result[i]));
  });
}

test("equal tokens have no distance, and opposite ones have all of their norm", () => {
  assert.deepEqual(meanOf([[1, 2], [3, 6]]), [2, 4]); // biome-ignore format: two rows
  assert.equal(distance([[3, 4], [3, 4]]), 0); // biome-ignore format: two rows
  assert.equal(distance([[3, 4], [-3, -4]]), 1); // biome-ignore format: two rows
});

const say = (changes) => {
  const state = authored("BlockSwitches", changes);
  return drawing.sentence(state, compute(state));
};

test("the sentence names what is switched on, the distance, a verdict, and the norm", () => {
  assert.equal(
    say({}),
    "Attention alone, its answer replacing its input, no norm. As they enter, the six tokens lie 0.78 of their norm from their mean. They are clearly different. A token’s norm is 1.51 on average.",
  );
  assert.match(say({ layer: 1 }), /After 1 layer, .* 0\.091 .* have little of their own left/);
  assert.match(say({ layer: 2 }), /After 2 layers, .* 2\.7·10⁻⁵ .* nearly one and the same vector/);
  assert.match(say({ layer: 12 }), /lie less than 10⁻¹⁴ .* the same vector, down to rounding/);
  const whole = { residual: true, norm: "pre", feed_forward: true, layer: 12 };
  assert.match(
    say(whole),
    /^Attention and feed-forward, each answer added to its input, a norm before each part\. .* 0\.60 .* clearly different\. .* is 7\.84 on average; it was 1\.51\.$/,
  );
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
