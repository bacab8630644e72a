// The canvas's colours are the style sheet's: js/palette.js against attn.palette.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { STRONG } from "../../attn/widgets/js/kit/heatmap.js";
import { mix, parse, ramp } from "../../attn/widgets/js/kit/palette.js";

const cases = JSON.parse(readFileSync(new URL("../golden/palette.json", import.meta.url)));

for (const { name, function: call, arguments: given, result } of cases) {
  test(`palette.js equals attn.palette: ${name}`, () => {
    if (call === "STRONG") return assert.equal(STRONG, result);
    // The inverse matrices are rounded to ten digits: a channel may fall on the next of 255 steps.
    mix(parse(given.full), parse(given.empty), given.share).forEach((channel, i) =>
      assert.ok(Math.abs(channel - parse(result)[i]) <= 1, `${result}, channel ${i}: ${channel}`),
    );
  });
}

test("a ramp starts on paper and ends on the full colour", () => {
  const steps = ramp([142, 26, 128], [255, 255, 255]);
  assert.equal(steps.length, 256);
  assert.deepEqual(steps[0], [255, 255, 255]);
  assert.deepEqual(steps[255], [142, 26, 128]);
});

test("a colour that is not #rrggbb is named", () => assert.throws(() => parse("red"), /not "red"/));
