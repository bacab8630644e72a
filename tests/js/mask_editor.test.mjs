// The sixth chapter's figure: its numbers are attn's own, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compute,
  leaks,
  maskedRow,
  maskOf,
  sentence,
} from "../../attn/widgets/mask_editor/arithmetic.js";
import { authored, numbersIn } from "./authored.mjs";
import { agrees } from "./golden.mjs";

const { spec } = authored("MaskEditor");
const CALLS = {
  maskedRow: ({ scores, look, way }) => maskedRow(scores, look, way, spec),
  leaks: ({ q, K, V, look, way, scale }) => leaks(q, K, V, look, way, { ...spec, scale }),
};

agrees("masks", CALLS);

const state = (changes) => authored("MaskEditor", changes);
const says = (changes) => {
  const edited = state(changes);
  return sentence(edited, compute(edited));
};
const without = (...rows) =>
  state().own.map((row, i) => row.map((look) => look && !rows.includes(i)));

test("each mask by name lets a query see what it should", () => {
  const row = (changes, i) => maskOf(state(changes))[i].map(Number).join("");
  assert.equal(row({ kind: "causal" }, 2), "111000");
  assert.equal(row({ kind: "padding", length: 4 }, 2), "111100");
  assert.equal(row({ kind: "both", length: 4 }, 5), "111100");
  assert.equal(row({ kind: "window", window: 2 }, 2), "011000");
  assert.equal(row({ kind: "all" }, 0), "111111");
});

test("with a score of minus infinity nothing leaks, and the words say so", () =>
  assert.equal(
    says({}),
    "Hidden by score = −∞: walks looks 2.8% at the (1), 94% at cat and 2.8% at itself; its weights sum to 1.00. Nothing hidden reaches its output y.",
  ));

test("a score of 0 leaks through values, a weight of 0 through keys", () => {
  const told = (changes) => numbersIn(says(changes));
  assert.deepEqual(told({ way: "score" }).slice(-2), ["7.6%", "0.062"]);
  assert.deepEqual(told({ way: "weight" }).slice(-3), ["7.6%", "1", "0.195"]);
  assert.ok(told({ way: "weight", query: 2 }).includes("95%"));
});

test("where y cannot move with hidden keys, the words say why", () => {
  const own = state().own.map((row, i) => row.map((_, j) => (i === 1 ? j === 0 : row[j])));
  const [zeros, still] = [
    says({ way: "weight", query: 4 }),
    says({ kind: "custom", own, way: "weight", query: 2 }),
  ].map((text) => text.match(/Only because (.*?) does y not move/)?.[1]);
  assert.ok(zeros && still && zeros !== still);
});

test("a query that sees nothing is told in words, in each way", () => {
  const blind = { kind: "custom", own: without(3), query: 4 };
  const told = ["inf", "big", "score", "weight"].map((way) => says({ ...blind, way }));
  for (const text of told) {
    assert.match(text, /may look at nothing/);
    assert.doesNotMatch(text, /not a number|undefined/);
  }
  assert.match(told[0], /NaN/);
  assert.deepEqual(numbersIn(told[1]).slice(1), ["9", "17%", "0.577"]);
  const other = says({ kind: "custom", own: without(3, 4) }); // and when another is followed
  assert.match(other, /on and the \(5\) may look at nothing/);
  assert.doesNotMatch(says({ query: 6 }), /may look at nothing/);
});

test("places beyond the sentence's words are padding, numbered", () =>
  assert.match(says({ kind: "all", length: 3, query: 2 }), /2\.5%.*87%.*\[pad\] \(4\)/));
