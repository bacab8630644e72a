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
import { authored } from "./authored.mjs";
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
  assert.match(
    says({ way: "score" }),
    /But 7\.6% goes to what is hidden: y moves with hidden values, ‖∂y\/∂V‖ = 0\.062\.$/,
  );
  assert.match(
    says({ way: "weight" }),
    /sum to 0\.92\. But the hidden keys have kept 7\.6% of its 1, and y moves with them: ‖∂y\/∂K‖ = 0\.195\.$/,
  );
  assert.match(says({ way: "weight", query: 2 }), /kept 95% of its 1, and y moves with them/);
});

test("where y cannot move with hidden keys, the words say why", () => {
  assert.match(
    says({ way: "weight", query: 4 }),
    /kept 33% of its 1\. Only because this query is all zeros does y not move with them\.$/,
  );
  const own = state().own.map((row, i) => row.map((_, j) => (i === 1 ? j === 0 : row[j])));
  assert.match(
    says({ kind: "custom", own, way: "weight", query: 2 }),
    /Only because y is 0 does y not move with them\.$/,
  );
});

test("a query that sees nothing is told in words, in each way", () => {
  const blind = { kind: "custom", own: without(3), query: 4 };
  assert.equal(
    says({ ...blind, way: "inf" }),
    "Hidden by score = −∞: on may look at nothing. No score is left to share 1: 0/0, and every weight is NaN.",
  );
  assert.match(
    says({ ...blind, way: "big" }),
    /^Hidden by score = −1e9: on may look at nothing, and still looks 17% at each of the hidden keys: y moves with their values, ‖∂y\/∂V‖ = 0\.577\./,
  );
  assert.match(
    says({ ...blind, way: "weight" }),
    /on may look at nothing; all its weights are 0, and so is its output\.$/,
  );
  for (const way of ["inf", "big", "score", "weight"])
    assert.doesNotMatch(says({ ...blind, way }), /not a number|undefined/);
});

test("queries that see nothing are named when another is followed", () =>
  assert.match(
    says({ kind: "custom", own: without(3, 4) }),
    / on and the \(5\) may look at nothing\.$/,
  ));

test("a query from which nothing is hidden says so", () =>
  assert.match(says({ query: 6 }), /Nothing is hidden from it\.$/));

test("places beyond the sentence's words are padding, numbered", () =>
  assert.match(
    says({ kind: "all", length: 3, query: 2 }),
    /cat looks 2\.5% at the, 2\.5% at itself, 87% at walks, 2\.5% at \[pad\] \(4\)/,
  ));
