// What the first chapter's table computes, says and shows as SQL, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compute, sentence, statement } from "../../attn/widgets/table_lookup/drawing.js";
import { authored, numbersIn } from "./authored.mjs";
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

test("it says what was asked for, which rows count, and the answer", () => {
  assert.equal(
    says({ kind: "soft", query_angle: 45 }),
    "Soft, asked for north-east: every row counts, east 50%, north 50% and west under 0.1%; the answer is 15.01.",
  );
  const soft = numbersIn(says({ kind: "soft", query_angle: -90 }));
  assert.deepEqual(soft, ["50%", "0.3%", "50%", "20.00"]);
  assert.deepEqual(numbersIn(says({})), ["20"]);
  assert.deepEqual(numbersIn(says({ kind: "nearest", query_angle: 60 })), ["60", "0.87", "20"]);
});

test("no answer, and a tie, are said as such", () => {
  for (const [query_angle, name] of [[45, "north-east"], [-37, "−37°"]]) // biome-ignore format: one row
    assert.match(says({ query_angle }), new RegExp(`“${name}”.*no answer`));
  const tie = says({ kind: "nearest", query_angle: 45 });
  assert.match(tie, /tie/);
  assert.deepEqual(numbersIn(tie), ["0.71", "10"]);
});
