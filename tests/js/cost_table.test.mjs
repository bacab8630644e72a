// What a layer costs: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as cost from "../../attn/widgets/cost_table/drawing.js";
import { authored, numbersIn, speaker } from "./authored.mjs";
import { agrees } from "./golden.mjs";

function computed({ traits }) {
  const { current, paths: way, crossings } = cost.compute(authored("CostTable", traits));
  return [
    ...[current.projections, current.scores, current.recurrence, current.convolution],
    ...[way.attention, way.recurrence, way.convolution, way.dilated],
    ...[crossings.recurrence, crossings.convolution],
  ];
}

agrees("recurrence", { costs: computed });

const bill = speaker("CostTable", cost);

test("the bill is told below, at and above n = 2d, and where a rival crosses", () => {
  const told = (changes) => numbersIn(bill(changes));
  assert.ok(told({}).includes("1,024"));
  assert.ok(told({ n: 65536 }).includes("43"));
  assert.ok(told({ cell: "gru" }).includes("512"));
  assert.ok(told({ s: 5 }).includes("256"));
  const bare = ({ n }) => bill({ n, plain: true }).replace(/[\d.,⁰-⁹·]+/g, "");
  assert.equal(new Set([{ n: 512 }, { n: 1024 }, { n: 2048 }].map(bare)).size, 3);
  for (const changes of [{ cell: "rnn" }, { s: 4 }]) assert.match(bill(changes), /every n/);
});

test("a plain bill compares attention with the recurrence alone", () =>
  assert.equal(
    bill({ n: 2048, plain: true }),
    "At n = 2,048 and d = 512 attention takes 6.4·10⁹ multiply-adds, and scores and blend are the larger part, " +
      "as they are above n = 2d = 1,024. That is 2.00 times what the GRU takes in its 2,048 steps, one after another.",
  ));

test("counts are short", () =>
  assert.deepEqual([999, 1000, 71303168, 1.4e11].map(cost.count), [
    "999",
    "1.0·10³",
    "7.1·10⁷",
    "1.4·10¹¹",
  ]));
