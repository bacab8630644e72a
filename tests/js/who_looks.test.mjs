// The sixth chapter's second figure: its rows are attn's own, its words follow them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as who from "../../attn/widgets/who_looks/drawing.js";
import { authored } from "./authored.mjs";

const golden = JSON.parse(readFileSync(new URL("../golden/masks.json", import.meta.url)));
const cases = golden.filter((one) => one.function === "whoLooks");

test("there are cases of each kind", () =>
  assert.equal(new Set(cases.map((one) => one.arguments.kind)).size, 3));

for (const { name, arguments: state, result } of cases) {
  test(`the weights equal attn: ${name}`, () => {
    const actual = who.compute(authored("WhoLooks", state)).A.flat();
    const expected = result.flat();
    assert.equal(actual.length, expected.length);
    actual.forEach((x, i) => {
      assert.ok(Math.abs(x - expected[i]) <= 1e-12, `${actual} is not ${expected}`);
    });
  });
}

test("the writer's words tell what is written and how many rows wait", () => {
  const tell = (changes) => {
    const state = authored("WhoLooks", changes);
    return who.sentence(state, who.compute(state));
  };
  assert.match(
    tell({ step: 1 }),
    /^Step 1: nothing is written yet, and the writer looks most at the, .* 3 rows have to wait\.$/,
  );
  assert.match(tell({ step: 3 }), /“le chat” is written, and the writer looks most at black/);
  assert.match(
    tell({ step: 3, second: "noir" }),
    /“le noir” is written, and the writer looks most at cat/,
  );
  assert.match(tell({ step: 4 }), /No row waits\.$/);
  assert.match(tell({ kind: "self" }), /^All 4 rows at once\. “black”/);
  assert.match(tell({ kind: "pooling" }), /^One row: the learned query looks most at patch 3/);
});
