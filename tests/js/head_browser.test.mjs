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

test("the words name the head, the token, where it looks and how many heads pass", () => {
  const state = loaded({ layer: 4, head: 2 });
  const said = browser.sentence(state, browser.compute(state));
  assert.match(
    said,
    /^Layer 4, head 2, weights: “it” looks most at “animal” with 69%, then \[CLS\] 10%/,
  );
  assert.match(said, /All 72 heads pass the filters\.$/);
});

test("a token that stands twice is told by its number", () => {
  const state = loaded({ query: 8 });
  const said = browser.sentence(state, browser.compute(state));
  assert.match(said, /: “street” looks most at “the” \(token 7\) with over 99%\. /);
});

test("a full stop is quoted, and a head that looks at one key alone claims no zero", () => {
  const state = loaded({ query: 15 });
  const said = browser.sentence(state, browser.compute(state));
  assert.match(said, /: \[SEP\] looks most at “\.” with over 99%\. /);
  assert.match(said, /the spread is under 0\.1 bits\./);
});

test("before the bytes are here, and when they do not come, the words say so", () => {
  const state = { ...authored("HeadBrowser"), data: null, failed: false };
  assert.match(browser.sentence(state, browser.compute(state)), /on their way/);
  state.failed = true;
  assert.match(browser.sentence(state, browser.compute(state)), /could not be loaded/);
});

test("a query beyond a short sentence is its last token", () => {
  const { at, tokens } = browser.compute(loaded({ sentence: "verb", query: 16 }));
  assert.equal(tokens[at], "[SEP]");
});
