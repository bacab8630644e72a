// What the first chapter's table computes, says and shows as SQL, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, sentence, statement } from "../../attn/widgets/table_lookup/drawing.js";
import { authored } from "./authored.mjs";
import { agrees } from "./golden.mjs";

const with_ = (changes) => authored("TableLookup", changes);
const says = (changes) => sentence(with_(changes), compute(with_(changes)));

agrees("table_lookup", {
  lookup: (traits) => {
    const { weights, answers } = compute(with_(traits));
    const answer = answers[traits.kind];
    return [...weights[traits.kind], ...(answer === null ? [] : [answer])];
  },
  sql: (traits) =>
    statement(with_(traits), compute(with_(traits)))
      .map((part) => (Array.isArray(part) ? part[1] : part))
      .join(""),
});

for (const [changes, expected] of [
  [{}, "Exact, asked for north: one row has this key, and its value is the answer: 20."],
  [
    { query_angle: 45 },
    "Exact, asked for north-east: no row has the key “north-east”, so there is no answer.",
  ],
  [
    { query_angle: -37 },
    "Exact, asked for −37°: no row has the key “−37°”, so there is no answer.",
  ],
  [
    { kind: "nearest", query_angle: 60 },
    "Nearest, asked for 60°: north has the highest score, 0.87, and its value is the answer: 20.",
  ],
  [
    { kind: "nearest", query_angle: 45 },
    "Nearest, asked for north-east: east and north tie at a score of 0.71; the first one in the table wins, and the answer is 10.",
  ],
  [
    { kind: "soft", query_angle: 45 },
    "Soft, asked for north-east: every row counts, east 50%, north 50% and west under 0.1%; the answer is 15.01.",
  ],
  [
    { kind: "soft", query_angle: -90 },
    "Soft, asked for south: every row counts, east 50%, north 0.3% and west 50%; the answer is 20.00.",
  ],
])
  test(`it says ${expected}`, () => assert.equal(says(changes), expected));
