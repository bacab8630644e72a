// What the six steps write, read and say, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attention, matmul } from "../../attn/widgets/kit/arithmetic.js";
import {
  lines,
  mark,
  READS,
  sentence,
  sixSteps,
  WRITES,
} from "../../attn/widgets/qkv_stepper/drawing.js";
import { authored } from "./authored.mjs";

const with_ = (changes) => authored("QKVStepper", changes);
const AUTHORED = with_();
const says = (state) => sentence(state, sixSteps(state));
const near = (a, b, slack = 5e-4) => assert.ok(Math.abs(a - b) < slack, `${a} is not near ${b}`);

test("walks asks for life: scores 4, 0, −4 and weights .941, .056, .003", () => {
  const result = sixSteps(AUTHORED);
  assert.deepEqual(result.Q[1], [0, 4]);
  assert.deepEqual(result.S[1], [4, 0, -4]);
  [0.941, 0.056, 0.003].forEach((a, j) => near(result.A[1][j], a));
  [0.526, 0.938].forEach((y, c) => near(result.Y[1][c], y));
});

test("six steps one by one end where attention ends", () => {
  const state = with_({
    W_q: [
      [0.3, -1],
      [2, 0.5],
    ],
    W_k: [
      [1, 0.2],
      [-0.7, 1],
    ],
    W_v: [
      [0, 2],
      [1, -1],
    ],
  });
  const [Q, K, V] = ["W_q", "W_k", "W_v"].map((name) => matmul(state.embeddings, state[name]));
  const whole = attention(Q, K, V);
  sixSteps(state).Y.forEach((row, i) => row.forEach((y, c) => near(y, whole[i][c], 1e-12)));
});

test("the weighted values of the followed word add up to its row of Y", () => {
  for (const word of [0, 1, 2]) {
    const { parts, Y } = sixSteps(with_({ word }));
    Y[word].forEach((y, c) =>
      near(
        y,
        parts.reduce((sum, v) => sum + v[c], 0),
        1e-12,
      ),
    );
  }
});

test("a query of zero shares equally", () => {
  const { A } = sixSteps(
    with_({
      W_q: [
        [0, 0],
        [1, 0],
      ],
    }),
  );
  A[1].forEach((a) => near(a, 1 / 3, 1e-12));
});

test("moving W_v leaves the weights alone", () =>
  assert.deepEqual(
    sixSteps(
      with_({
        W_v: [
          [2, -1],
          [0.3, 0],
        ],
      }),
    ).A,
    sixSteps(AUTHORED).A,
  ));

test("half W_q and twice W_k change no weight", () =>
  assert.deepEqual(
    sixSteps(
      with_({
        W_q: [
          [0, 1],
          [0, 0],
        ],
        W_k: [
          [2, 0],
          [0, 2],
        ],
      }),
    ).A,
    sixSteps(AUTHORED).A,
  ));

test("every step reads only what was given or written before it", () => {
  const known = new Set(["X", "W_q", "W_k", "W_v"]);
  READS.forEach((names, step) => {
    names.forEach((name) => assert.ok(known.has(name), `step ${step + 1} reads ${name} too early`));
    WRITES[step].forEach((name) => known.add(name));
  });
});

test("a card is later, written, read, then done", () =>
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => mark("S", step)),
    ["later", "writes", "reads", "done"],
  ));

test("each step has its own sentence and its own arithmetic", () => {
  const spoken = [0, 1, 2, 3, 4, 5].map((step) => says(with_({ step })));
  assert.equal(new Set(spoken).size, 6);
  assert.match(
    spoken[0],
    /^Step 1, project, reads X, W_q, W_k and W_v and writes Q, K and V: walks \(2\.00, 0\.00\) becomes the query \(0\.00, 4\.00\)/,
  );
  assert.match(spoken[3], /walks looks 94% at cat, 6% at walks and under 1% at street\./);
  assert.equal(
    spoken[5],
    "Step 6, sum, reads a·v and writes Y: the weighted values add up. In the end walks looks most at cat, 94%, and leaves as (0.53, 0.94).",
  );
  const counts = [0, 1, 2, 3, 4, 5].map(
    (step) => lines(with_({ step }), sixSteps(AUTHORED)).length,
  );
  assert.deepEqual(counts, [4, 3, 3, 3, 3, 1]);
});

test("without a preference, no word is named as the one most looked at", () => {
  const flat = with_({ W_q: AUTHORED.W_q.map((row) => row.map(() => 0)) });
  assert.match(says(flat), /In the end walks has no preference, 33% each, and leaves as/);
});

test("two words looked at alike are both named", () => {
  const tie = with_({ embeddings: [...AUTHORED.embeddings.slice(0, 2), AUTHORED.embeddings[0]] });
  assert.match(says(tie), /In the end walks looks most at cat and street, 4\d% each,/);
});
