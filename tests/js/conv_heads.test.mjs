// The eighth chapter's picture by nine heads: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apart,
  byHeads,
  compute,
  convolve,
  errorText,
  look,
  lookAlikes,
  looks,
  outside,
  sentence,
  stencil,
} from "../../attn/widgets/conv_heads/arithmetic.js";
import { between } from "../../attn/widgets/conv_heads/pixel_grid.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees } from "./golden.mjs";

const CALLS = {
  byHeads: ({ pixels, kernel, offsets, alpha, ring }) =>
    byHeads(pixels, kernel, offsets, { alpha, ring }),
  convolve: ({ pixels, kernel }) => convolve(pixels, kernel),
  lookAlikes: ({ pixels, sharpness }) => lookAlikes(pixels, sharpness),
  look: ({ place, offset, alpha, ring }) => look(place, offset, { alpha, side: 4, ring }),
};

agrees("convolution", CALLS);

const at = (changes) => {
  const state = authored("ConvHeads", changes);
  const result = compute(state);
  return { state, result, says: sentence(state, result) };
};

test("the words name the place, the weight, both results and the largest difference", () =>
  assert.equal(
    at({}).says,
    "α = 3: from pixel (4, 4), head 6 with Δ = (0, 1) looks 83% at pixel (4, 5). " +
      "Here the nine heads make −1.9169, the convolution −2.1875. " +
      "The largest difference is 0.27, at (3, 4), inside.",
  ));

test("the difference falls as e to the minus α and parallel to it", () => {
  const { curve } = at({}).result;
  for (const a of [8, 12, 16, 20]) {
    const fall = curve[a + 1] / curve[a];
    assert.ok(Math.abs(fall - Math.exp(-1)) < 0.01, `from ${a}: ${fall}`);
  }
});

test("with α = 0 no head has a preference, and an edge kernel makes nothing", () => {
  const { result, says } = at({ alpha: 0 });
  assert.match(says, /has no preference among the 100 tokens/);
  assert.ok(Math.max(...result.output.flat().map(Math.abs)) < 1e-12);
  assert.match(at({ alpha: 0, padding: false }).says, /among the 64 tokens/);
});

test("without padding tokens the border keeps its difference however sharp the heads are", () => {
  const soft = at({ alpha: 20, padding: false });
  const sharp = at({ alpha: 30, padding: false });
  assert.match(sharp.says, /\(\d, \d\), on the border/);
  assert.ok(Math.abs(soft.result.worst.error - sharp.result.worst.error) < 1e-6);
});

test("a head that points outside looks at padding, or at the nearest pixel if there is none", () => {
  assert.match(at({ alpha: 30, column: 8 }).says, /99% .*padding.* \(4, 9\)/);
  assert.match(at({ alpha: 30, column: 8, padding: false }).says, /99% .*pixel \(4, 8\)/);
});

test("half way between two pixels a head looks at both", () => {
  const { offsets } = authored("ConvHeads");
  offsets[5] = [0, 0.5];
  const { says } = at({ alpha: 30, offsets });
  assert.match(says, /50%.*\(4, 4\).*\(4, 5\)/);
  assert.match(says, /One head has left.*head 6.*\(0, 1\)/);
});

test("a head that is away is told even while another one is drawn", () => {
  const { offsets } = authored("ConvHeads");
  offsets[0] = [2, 2];
  assert.match(at({ offsets }).says, /One head has left/);
});

test("a blank picture has no difference", () =>
  assert.match(at({ picture: "own" }).says, /The largest difference is 0\.$/));

test("each preset kernel is convolved to the rounding of doubles at α = 30", () => {
  for (const kernel of Object.keys(authored("ConvHeads").spec.kernels))
    assert.ok(at({ kernel, alpha: 30 }).result.worst.error < 1e-11, kernel);
});

test("in a window a kernel's numbers lie around the pixel, and nothing is heard elsewhere", () => {
  const kernel = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ];
  assert.deepEqual(stencil(kernel, [0, 2], 3), [
    [null, 4, 5],
    [null, 7, 8],
    [null, null, null],
  ]);
});

test("beside it attention finds pixels of the same kind far away", () => {
  const { result, says } = at({ view: "window" });
  assert.deepEqual(numbersIn(says).slice(2), ["−2.19", "64", "0.10", "72%", "4", "8", "8.6%"]);
  const { share, best } = outside(result.weights, [3, 3]);
  assert.ok(share > 0.72 && share < 0.73);
  assert.deepEqual(best, [[3, 7]]);
  assert.ok(Math.abs(result.weights.flat().reduce((a, b) => a + b) - 1) < 1e-12);
});

test("on a blank picture all pixels look the same, and none is preferred", () =>
  assert.match(at({ view: "window", picture: "own" }).says, /86%.*evenly.*55/));

test("small numbers are written with a power of ten", () => {
  assert.deepEqual([0, 1e-16, 4.56e-7, 0.0123, 0.27, 1.96, 12].map(errorText), [
    "0",
    "under 10⁻¹⁵",
    "4.6·10⁻⁷",
    "0.012",
    "0.27",
    "2",
    "12",
  ]);
});

test("a fast hand leaves no gap", () => {
  assert.deepEqual(between([0, 0], [0, 0]), []);
  assert.deepEqual(between([1, 1], [1, 4]), [
    [1, 2],
    [1, 3],
    [1, 4],
  ]);
  assert.deepEqual(between([0, 0], [2, 2]), [
    [1, 1],
    [2, 2],
  ]);
});

test("the largest of two differences is found with its place", () =>
  assert.deepEqual(
    apart(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2.5],
        [3, 2],
      ],
    ),
    { error: 2, at: [1, 1] },
  ));

test("many tokens that tie are counted, not listed", () => {
  const weights = [
    [0.125, 0.125, 0.125, 0.125],
    [0.125, 0.125, 0.125, 0.1],
    [0.025, 0, 0, 0],
  ];
  assert.match(looks(weights, 0), /equally at 7 tokens, 13%/);
});
