// What a layer costs: the figure's numbers are attn's, its words follow them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as cost from "../../attn/widgets/cost_table/drawing.js";
import { authored, speaker } from "./authored.mjs";
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

test("the bill is told below, at and above n = 2d", () => {
  assert.match(bill({}), /the projections are the larger part; that changes at n = 2d = 1,024/);
  assert.match(bill({ n: 1024 }), /projections and scores with blend cost the same: n = 2d/);
  assert.match(bill({ n: 2048 }), /scores and blend are the larger part/);
});

test("at the crossing neither takes more, and beyond it attention's multiple is told", () => {
  assert.match(
    bill({ n: 512 }),
    /The GRU takes just as many in its 512 steps, one after another\./,
  );
  assert.match(bill({ n: 65536 }), /That is 43 times what the GRU takes in its 65,536 steps/);
});

test("where lines do not cross the sentence says so", () => {
  assert.match(bill({ cell: "rnn" }), /Attention costs more than the plain RNN at every n\./);
  assert.match(
    bill({ cell: "gru" }),
    /Attention costs less than the GRU below n = 512, more above\./,
  );
  assert.match(bill({ s: 4 }), /more than a convolution with s = 4 at every n/);
  assert.match(bill({ s: 5 }), /less than a convolution with s = 5 below n = 256/);
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
