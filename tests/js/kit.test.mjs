// The kit's pure parts: numbers in words, scales, cells, arrows, and the link to a model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { span } from "../../attn/widgets/kit/controls.js";
import { counting, entry, read, update, watch, withEntry } from "../../attn/widgets/kit/figure.js";
import {
  clamp,
  degree,
  favourite,
  fixed,
  list,
  percent,
  scale,
  scientific,
  short,
  tenTo,
  vector,
} from "../../attn/widgets/kit/format.js";
import { ceiling, cell, shade } from "../../attn/widgets/kit/heatmap.js";
import { places, separate } from "../../attn/widgets/kit/labels.js";
import { degrees, direction, fold, head } from "../../attn/widgets/kit/vectors.js";
import { compute } from "../../attn/widgets/kit_sampler/drawing.js";
import { authored } from "./authored.mjs";

const equal = (name, actual, expected) => test(name, () => assert.deepEqual(actual, expected));

equal("a negative number has a true minus sign", fixed(-1.5), "−1.50");
equal("no number is a negative zero", fixed(-0.001), "0.00");
equal(
  "infinities and gaps have names",
  [Infinity, -Infinity, NaN].map((x) => fixed(x)),
  ["∞", "−∞", "not a number"],
);
equal(
  "short drops the zeros a number does not need",
  [10, 2.5, -3, 1 / 3, 100].map((x) => short(x)),
  ["10", "2.5", "−3", "0.33", "100"],
);
equal("a small share is not called nothing", percent(0.0001), "under 0.1%");
equal(
  "the shares of a row add up to a hundred within a half",
  [0.873, 0.0254, 0.0995, 0.0994, 0.05].map(percent),
  ["87%", "2.5%", "10%", "9.9%", "5%"],
);
equal("a large share is not called everything", percent(0.999), "over 99%");
equal("nothing and everything are", [0, 1].map(percent), ["0%", "100%"]);
equal(
  "a list reads as a sentence does",
  [list(["a"]), list(["a", "b"]), list(["a", "b", "c"])],
  ["a", "a and b", "a, b and c"],
);
equal("powers of ten are raised", [-12, 0, 1, 7].map(tenTo), ["10⁻¹²", "1", "10¹", "10⁷"]);
equal("two digits and a power", [4.56e-7, 1234].map(scientific), ["4.6·10⁻⁷", "1.2·10³"]);
equal("an angle is in degrees", [-45, 22.5].map(degree), ["−45°", "22.5°"]);
equal("a vector is written as coordinates", vector([1, -0.5]), "(1.00, −0.50)");
equal(
  "a scale maps both ends and the middle",
  [0, 5, 10].map(scale([0, 10], [100, 0])),
  [100, 50, 0],
);
equal(
  "clamp keeps a number inside",
  [-2, 0.5, 9].map((x) => clamp(x, 0, 1)),
  [0, 0.5, 1],
);

test("a scale with one end is refused", () =>
  assert.throws(() => scale([3, 3], [0, 1]), /not 3 twice/));

equal("a track fills from its left end", span(2, 0, 8), [0, 25]);
equal(
  "a track with a zero inside fills from there",
  [span(90, -180, 180), span(-90, -180, 180)],
  [
    [50, 75],
    [25, 50],
  ],
);

equal("a weight of one half is half full", cell(0.5, 1), {
  share: 0.5,
  low: false,
  text: "0.50",
});
equal("a negative score is marked, not only coloured", cell(-2, 4), {
  share: 0.5,
  low: true,
  text: "−2.00",
});
equal(
  "a colour alone tells the sign by its hue",
  [shade(1, 4), shade(-4, 4), shade(2, 4, "series-1")],
  ["weight) 25.0%", "score-low) 100.0%", "series-1) 50.0%"].map(
    (part) => `color-mix(in oklab, var(--attn-${part}, var(--attn-paper))`,
  ),
);
equal("a hidden cell says so", cell(null, 1), { share: 0, hidden: true, text: "hidden" });
equal("a matrix of zeros divides by nothing", cell(0, 0).share, 0);
equal(
  "weights are measured against 1, scores against the largest",
  [
    ceiling([[0.2, 0.4]], "weight"),
    ceiling(
      [
        [0.2, -4],
        [null, 1],
      ],
      "score",
    ),
  ],
  [1, 4],
);

equal("four quarter turns", [0, 90, 180, -90].map(direction), [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]);
equal(
  "an angle survives the way to a direction and back",
  [-135, 0, 45, 179].map((a) => degrees(direction(a))),
  [-135, 0, 45, 179],
);
equal("a turn past the half comes round", [181, -181, 90].map(fold), [-179, 179, 90]);

test("an arrow head starts at the tip and looks the way of the arrow", () => {
  const [tip, left, right] = head([0, 0], [10, 0]);
  assert.deepEqual(tip, [10, 0]);
  assert.ok(
    left[0] < 10 && Math.abs(left[0] - right[0]) < 1e-12 && Math.abs(left[1] + right[1]) < 1e-12,
  );
});

function fakeModel(state) {
  const log = [];
  const listeners = new Map();
  return {
    log,
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      log.push(name);
    },
    save_changes: () => log.push("save"),
    on: (event, f) => listeners.set(event, [...(listeners.get(event) ?? []), f]),
    off: (event, f) =>
      listeners.set(
        event,
        listeners.get(event).filter((g) => g !== f),
      ),
    fire: (event) => (listeners.get(event) ?? []).forEach((f) => f()),
  };
}

test("an update writes every trait, then syncs once", () => {
  const model = fakeModel({ _spec: { traits: ["a", "b"] } });
  update(model, { a: 1, b: 2 });
  assert.deepEqual(model.log, ["a", "b", "save"]);
  assert.deepEqual(read(model), { a: 1, b: 2, spec: { traits: ["a", "b"] } });
});

equal(
  "an entry is found by its indices, the whole by none",
  [
    entry(
      [
        [1, 2],
        [3, 4],
      ],
      [1, 0],
    ),
    entry(5, []),
  ],
  [3, 5],
);

test("another entry leaves the rest, and the old lists, as they were", () => {
  const old = Object.freeze([Object.freeze([1, 2]), Object.freeze([3, 4])]);
  assert.deepEqual(withEntry(old, [0, 1], 9), [
    [1, 9],
    [3, 4],
  ]);
  assert.equal(withEntry(old, [0, 1], 9)[1], old[1]);
  assert.equal(withEntry(7, [], 8), 8);
});

test("a slider of powers counts exponents, and finds each power again", () => {
  for (const base of [2, 10]) {
    const [seen, meant] = counting(base);
    for (const e of [0, 1, 2, 3, 4, 5, 6]) assert.equal(seen(meant(e)), e);
  }
  assert.deepEqual(
    counting(undefined).map((f) => f(2.5)),
    [2.5, 2.5],
  );
});

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("changes made together draw once, and a later change once more", async () => {
  const model = fakeModel({});
  let drawn = 0;
  watch(model, ["a", "b"], () => {
    drawn += 1;
  });
  model.fire("change:a");
  model.fire("change:b");
  assert.equal(drawn, 0, "nothing is drawn between two changes");
  await settled();
  assert.equal(drawn, 1);
  model.fire("change:b");
  await settled();
  assert.equal(drawn, 2);
});

test("a stopped watch draws nothing, not even what was due", async () => {
  const model = fakeModel({});
  const stop = watch(model, ["a"], () => assert.fail("drawn after the end"));
  model.fire("change:a");
  stop();
  model.fire("change:a");
  await settled();
});

test("each row of the sampler's weights sums to 1, the hidden cells apart", () => {
  for (const causal of [false, true]) {
    for (const row of compute(authored("KitSampler", { causal })).weights) {
      assert.ok(Math.abs(row.reduce((sum, x) => sum + (x ?? 0), 0) - 1) < 1e-12);
    }
  }
});

const apart = (points) =>
  Math.min(
    ...points.flatMap(([x, y], i) => points.slice(i + 1).map(([u, v]) => Math.hypot(x - u, y - v))),
  );

test("handles piled on one spot part until none covers another", () => {
  const pile = Array.from({ length: 6 }, (_, i) => [100 + 0.1 * i, 100]);
  assert.ok(apart(separate(pile, 30)) > 29);
  assert.ok(
    apart(
      separate(
        [
          [5, 5],
          [5, 5],
        ],
        30,
      ),
    ) > 29,
  );
});

test("a handle that covers nothing stays, and none stands on what is taken", () => {
  const [near, far] = separate(
    [
      [10, 10],
      [200, 10],
    ],
    30,
    [{ at: [14, 10], gap: 20 }],
  );
  assert.deepEqual(far, [200, 10]);
  assert.ok(Math.hypot(near[0] - 14, near[1] - 10) > 19);
});

test("names that would cover each other stand a line apart", () => {
  const at = [
    [110, 100],
    [112, 101],
    [20, 40],
  ];
  const tips = ["one", "two", "far"].map((text, i) => ({ at: at[i], text, gap: 20 }));
  const [one, two, far] = places(tips, [100, 100]);
  assert.ok(Math.abs(one.y - two.y) >= 15);
  assert.equal(one["text-anchor"], "start");
  assert.equal(far["text-anchor"], "end");
});

equal(
  "a tie is told as a tie, and no preference as none",
  [
    [0.6, 0.4],
    [0.5, 0.5],
  ].map((weights) => favourite(["cat", "dog"], weights)),
  ["looks most at cat, 60%", "has no preference, 50% each"],
);
equal(
  "two of three that are looked at alike are both named",
  favourite(["a", "b", "c"], [0.4, 0.2, 0.4]),
  "looks most at a and c, 40% each",
);
