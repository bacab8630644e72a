// The seventh chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sinusoidalPositions } from "../../attn/widgets/kit/arithmetic.js";
import {
  alibiBias,
  between,
  compute,
  degrees,
  NOTES,
  rotate,
  sentence,
  spans,
} from "../../attn/widgets/position_explorer/arithmetic.js";
import { shownPairs } from "../../attn/widgets/position_explorer/clocks.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

const thin = (M) => M.filter((_, i) => i % 13 === 0);
const computed = (changes) => compute(authored("PositionExplorer", changes));
const CALLS = {
  sinusoidalPositions: ({ n, d, base }) => sinusoidalPositions(n, d, base),
  rotate: ({ X, places, base }) => rotate(X, places, base),
  alibiBias: ({ n, head, heads }) => alibiBias(n, head, heads),
  table: (state) => thin(computed(state).table),
  scores: (state) => thin(computed(state).S),
};
agrees("positions", CALLS, 1e-11);

const says = (changes) => {
  const state = authored("PositionExplorer", changes);
  return sentence(state, compute(state));
};

test("as it opens it tells the product and how far the clocks turn", () =>
  assert.equal(
    says({}),
    "Query at position 12, key at 15, 3 places after it. Their vectors' dot product is 1.96, of at most 4. " +
      "The fastest clock turns 172° ahead, the slowest 0.2°.",
  ));

test("words count places and tell what the encoding makes of them", () => {
  const told = (changes) => numbersIn(says(changes));
  const itself = told({ offset: 0, size: 8 });
  assert.deepEqual(itself.slice(0, 4), ["12", "12", "4.00", "4"]);
  assert.match(says({ offset: -1 }), /1 place before.*57° back/);
  assert.doesNotMatch(says({ kind: "learned", offset: 3 }), /No training/);
  const untrained = (changes) =>
    numbersIn(says({ kind: "learned", ...changes }).split("No training")[1]);
  assert.deepEqual(untrained({ offset: 4 }), ["16", "0"]);
  assert.deepEqual(untrained({ position: 20, offset: -2 }), ["18", "20", "0"]);
  assert.deepEqual(untrained({ position: 20, offset: 0 }), ["20", "0"]);
});

test("the learned dot products differ along a diagonal, the fixed ones do not", () => {
  const along = ({ S }) => [8, 9, 10, 11].map((i) => S[i][i + 2]);
  const spread = (row) => Math.max(...row) - Math.min(...row);
  assert.ok(spread(along(computed({ kind: "learned" }))) > 0.05);
  for (const kind of ["sinusoidal", "rotary"]) near(spread(along(computed({ kind }))), 0);
});

test("the turned query finds its key two places before it, at every size and base", () => {
  for (const size of [4, 16, 64])
    for (const base of [10, 10000, 1000000]) {
      const row = computed({ kind: "rotary", size, base }).S[12];
      assert.equal(row.indexOf(Math.max(...row)), 10);
      near(row[10], size / 2);
    }
  const [sought, mirrored] = [-2, 2].map((offset) => says({ kind: "rotary", offset }));
  assert.deepEqual(numbersIn(sought).slice(3), ["4.00", "4"]);
  assert.deepEqual(numbersIn(mirrored).slice(4, 6), ["2", "4.00"]);
  assert.doesNotMatch(says({ kind: "rotary", offset: 0 }), /other side/);
});

test("ALiBi's weights sum to 1, and its words give cost and weight", () => {
  for (const row of computed({ kind: "alibi", head: 3 }).S)
    near(
      row.reduce((a, b) => a + b, 0),
      1,
    );
  const told = numbersIn(says({ kind: "alibi", head: 1, offset: -4 }));
  assert.deepEqual(told.slice(3, 7), ["1", "0.5", "4", "2.000"]);
  assert.ok(numbersIn(says({ kind: "alibi", head: 8, offset: 0 })).includes("0.0039"));
});

test("the note on ALiBi names each head's slope", () =>
  assert.match(
    NOTES.alibi(authored("PositionExplorer")),
    /Heads 1 to 8: ½, ¼, ⅛, 1\/16, 1\/32, 1\/64, 1\/128, 1\/256\.$/,
  ));

test("up to six clocks are shown, the fastest and the slowest among them", () => {
  assert.deepEqual(shownPairs(4), [0, 1]);
  assert.deepEqual(shownPairs(8), [0, 1, 2, 3]);
  assert.deepEqual(shownPairs(32), [0, 3, 6, 9, 12, 15]);
});

test("small turns keep a digit", () =>
  assert.deepEqual([0, 3, -0.1, 0.001].map(degrees), ["0°", "172°", "6°", "0.06°"]));

test("between two hands lies at most half a turn", () => {
  near(between(6), 2 * Math.PI - 6);
  near(between(-0.5), 0.5);
  near(between(Math.PI), Math.PI);
});

test("a scale is the encoding's own, whatever row or head is drawn", () => {
  const scales = (changes) => {
    const state = authored("PositionExplorer", changes);
    return spans(state, compute(state));
  };
  for (const kind of ["sinusoidal", "learned", "rotary", "alibi"]) {
    const still = scales({ kind });
    assert.deepEqual(scales({ kind, position: 20, offset: -4, head: 8 }), still);
    const { low, high } = still.row;
    for (const head of [1, 8]) {
      const all = computed({ kind, head }).S.flat();
      assert.ok(Math.min(...all) >= low - 1e-9 && Math.max(...all) <= high + 1e-9);
    }
  }
});
