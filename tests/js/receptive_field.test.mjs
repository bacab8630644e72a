// The eighth chapter's stack of convolutions: what reaches an output, and what is said of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { field, needed, reach, sentence } from "../../attn/widgets/receptive_field/drawing.js";
import { authored, numbersIn } from "./authored.mjs";

const state = (changes) => authored("ReceptiveField", changes);
const says = (changes) => sentence(state(changes), { rows: reach(state(changes)) });
const heard = (changes) => reach(state(changes))[0].map((i) => i + 1);

test("three layers of size 3 see 7 inputs", () => {
  assert.deepEqual(heard({}), [14, 15, 16, 17, 18, 19, 20]);
  assert.equal(field(state({})), 7);
});

test("a kernel of one cell sees one input, whatever the depth", () => {
  assert.deepEqual(heard({ size: 1, layers: 8 }), [17]);
  assert.equal(needed(state({ size: 1 })), null);
  assert.match(says({ size: 1 }), /never/);
});

test("at the end of the row the field is cut off, and the words say so", () => {
  assert.deepEqual(heard({ position: 1 }), [1, 2, 3, 4]);
  assert.deepEqual(numbersIn(says({ position: 1 })).slice(4, 7), ["4", "33", "12%"]);
  assert.match(says({ position: 1 }), /cuts it off/);
});

test("doubling steps leave no gap with three cells, and reach all in five layers", () => {
  assert.equal(heard({ dilated: true, layers: 3 }).length, 15);
  assert.equal(heard({ dilated: true, layers: 5 }).length, 33);
  assert.equal(needed(state({ dilated: true })), 5);
  assert.equal(needed(state({ dilated: true, position: 33 })), 6);
});

for (const [changes, layers] of [
  [{}, 16],
  [{ position: 1 }, 32],
  [{ size: 9 }, 4],
])
  test(`${JSON.stringify(changes)} needs ${layers} layers`, () =>
    assert.equal(needed(state(changes)), layers));

test("no answer is where the slider of layers ends", () => {
  const { max } = state({}).spec.controls.layers;
  for (const position of [1, 17]) assert.ok(needed(state({ position })) < max);
});

test("the words add up in the author's state", () =>
  assert.equal(
    says({}),
    "3 layers of kernels with 3 cells have a receptive field of 7: output 17 hears 7 of 33 inputs, 21%. " +
      "Not deep enough to hear them all. One layer of attention hears all 33, wherever they are.",
  ));

test("how deep a stack must be is said only once it is reached", () => {
  for (const layers of [1, 8, 15]) assert.doesNotMatch(says({ layers }), /16/);
  const told = (changes) => numbersIn(says(changes));
  assert.deepEqual(told({ layers: 16 }).slice(3, 6), ["17", "33", "33"]);
  assert.ok(told({ layers: 7, dilated: true }).includes("5"));
  assert.equal(told({ layers: 5, dilated: true })[2], "63");
  assert.equal(told({ layers: 40, dilated: true })[2], "2.2·10¹²");
  assert.match(says({ layers: 1, size: 1 }), /^1 layer of .* 1 cell /); // one of anything is singular
});
