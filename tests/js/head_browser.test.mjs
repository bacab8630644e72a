// The head browser: its numbers are Python's from the same bytes, and its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as browser from "../../attn/widgets/head_browser/arithmetic.js";
import { authored } from "./authored.mjs";
import { agrees } from "./golden.mjs";

const bytes = (name) =>
  new Uint8Array(
    readFileSync(new URL(`../../attn/widgets/head_browser/data/${name}.bin`, import.meta.url)),
  );
const loaded = (traits) => {
  const state = authored("HeadBrowser", traits);
  return { ...state, data: bytes(state.sentence) };
};

const FOUND = {
  onStart: ({ start }) => start,
  bits: ({ wide }) => wide,
  chosen: ({ chosen }) => chosen.map(Number),
  row: ({ A, at }) => A[at],
};
const calls = Object.entries(FOUND).map(([name, find]) => [
  name,
  (traits) => find(browser.compute(loaded(traits))),
]);

agrees("head_browser", Object.fromEntries(calls), 1e-9);

const says = (traits) => {
  const state = loaded(traits);
  return browser.sentence(state, browser.compute(state));
};

test("the words name the head, the token, where it looks and how many heads pass", () => {
  assert.equal(
    says({ layer: 4, head: 2 }),
    "Layer 4, head 2, weights: “it” looks most at “animal” with 69%, then [CLS] 10% and “it” 6.3%. " +
      "On average over its queries, 51% goes to [CLS], and the spread is 1.8 bits. All 72 heads pass the filters.",
  );
  assert.match(says({ query: 8 }), /“street”.*“the” \(token 7\).*99%/); // it stands twice
  assert.match(says({ query: 15 }), /\[SEP\].*“\.”.*under 0\.1/); // no zero is claimed
});

test("before the bytes are here, and when they do not come, the words say so", () => {
  const state = { ...authored("HeadBrowser"), data: null, failed: false };
  const waiting = browser.sentence(state, browser.compute(state));
  const failed = { ...state, failed: true };
  assert.notEqual(browser.sentence(failed, browser.compute(failed)), waiting);
});

test("a query beyond a short sentence is its last token", () => {
  const { at, tokens } = browser.compute(loaded({ sentence: "verb", query: 16 }));
  assert.equal(tokens[at], "[SEP]");
});
