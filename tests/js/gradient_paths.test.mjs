// How much of the first token is left: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute } from "../../attn/widgets/gradient_paths/arithmetic.js";
import * as paths from "../../attn/widgets/gradient_paths/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

agrees("recurrence", {
  norms: ({ layer, traits }) =>
    compute(authored("GradientPaths", traits))
      [layer].filter((_, i) => i % 20 === 0)
      .map(Math.log10),
});

const path = speaker("GradientPaths", { compute, sentence: paths.sentence });

test("a norm is written with the digits that count", () =>
  assert.deepEqual(
    [0, 12345, 123.4, 12.34, 2.34, 0.234, 0.0591, 0.00812, 8.6e-73].slice(1).map(paths.normText),
    ["1.2·10⁴", "123", "12", "2.3", "0.23", "0.059", "0.0081", "8.6·10⁻⁷³"],
  ));

test("the sentence counts steps, names all four norms, and what float32 would lose", () => {
  assert.equal(
    path({ n: 200 }),
    "From x₁ to output 200 a recurrence takes 199 steps from state to state, attention none. " +
      "‖∂out/∂x₁‖ is 0.0081 through attention, 8.6·10⁻⁷³ through the RNN, 1.8·10⁻⁴² through the GRU and 4.1·10⁻⁴⁷ through the LSTM. " +
      "In float32 RNN and LSTM would read 0. Keep bias 0.0, gain 1.0, draw 1.",
  );
  assert.deepEqual(numbersIn(path({ n: 2 })).slice(0, 2), ["2", "1"]);
  assert.doesNotMatch(path({ n: 30 }), /float32/);
});

test("a constant factor a step is found whatever the length", () => {
  const halves = Array.from({ length: 9 }, (_, i) => 3 * 0.5 ** i);
  for (const n of [2, 5, 9]) near(paths.perStep(halves, n), 0.5);
});
