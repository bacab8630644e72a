// What the first chapter's table computes, says and shows as SQL, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compute, sentence, statement } from "../../attn/widgets/table_lookup/drawing.js";
import { authored } from "./authored.mjs";

const with_ = (changes) => authored("TableLookup", changes);
const says = (changes) => sentence(with_(changes), compute(with_(changes)));
const golden = JSON.parse(readFileSync(new URL("../golden/table_lookup.json", import.meta.url)));

for (const { name, function: what, arguments: traits, result } of golden)
  test(`the figure equals attn: ${what}, ${name}`, () => {
    const state = with_(traits);
    const { weights, answers, ...rest } = compute(state);
    if (what === "sql") {
      const parts = statement(state, rest).map((part) => (Array.isArray(part) ? part[1] : part));
      assert.equal(parts.join(""), result);
      return;
    }
    const answer = answers[state.kind];
    const ours = [...weights[state.kind], ...(answer === null ? [] : [answer])];
    assert.equal(ours.length, result.length);
    ours.forEach((x, i) => assert.ok(Math.abs(x - result[i]) < 1e-12, `${x} and ${result[i]}`));
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
