// What the six steps write, read and say, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attention, matmul } from "../../attn/widgets/kit/arithmetic.js";
import {
  example,
  mark,
  READS,
  sentence,
  sixSteps,
  WRITES,
} from "../../attn/widgets/qkv_stepper/drawing.js";
import { authored, numbersIn } from "./authored.mjs";

const with_ = (changes) => authored("QKVStepper", changes);
const AUTHORED = with_();
const says = (state) => sentence(state, sixSteps(state));
const near = (a, b, slack = 5e-4) => assert.ok(Math.abs(a - b) < slack, `${a} is not near ${b}`);

test("walks asks who?: it scores 5 with cat, and gives it .873", () => {
  const result = sixSteps(AUTHORED);
  assert.deepEqual(result.Q[2], [5, 0]);
  assert.deepEqual(result.S[2], [0, 5, 0, 0, 0, 0]);
  [0.025, 0.873, 0.025, 0.025, 0.025, 0.025].forEach((a, j) => near(result.A[2][j], a));
  [0.873, 0].forEach((y, c) => near(result.Y[2][c], y));
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
  A[2].forEach((a) => near(a, 1 / 6, 1e-12));
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

test("half W_q and twice W_k change no weight", () => {
  const times = (W, factor) => W.map((row) => row.map((x) => factor * x));
  const other = with_({ W_q: times(AUTHORED.W_q, 0.5), W_k: times(AUTHORED.W_k, 2) });
  assert.deepEqual(sixSteps(other).A, sixSteps(AUTHORED).A);
});

test("with no question of its own, walks shares equally and cat still asks", () => {
  const W_q = [
    [0, 0],
    [0, 5],
  ];
  const { A } = sixSteps(with_({ W_q }));
  A[2].forEach((a) => near(a, 1 / 6, 1e-12));
  near(A[1][2], 0.873);
});

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

test("a step first says what it does, then what came of it", () => {
  const spoken = [0, 1, 2, 3, 4, 5].map((step) => says(with_({ step })));
  assert.equal(
    spoken[5],
    "Step 6, sum: add up the weighted values. “walks” looks most at “cat”, 87%, and leaves as (0.87, 0).",
  );
  spoken.forEach((text, step) => assert.ok(text.startsWith(`Step ${step + 1}, `), text));
  const numbers = spoken.map((text) => numbersIn(text.split(". ").at(-1)));
  assert.deepEqual(numbers.slice(0, 3), [["1", "0", "5", "0"], ["5", "0"], ["3.54", "0"]]); // biome-ignore format: one row
  assert.deepEqual(numbers[3], ["2.5%", "87%", "2.5%", "2.5%", "2.5%", "2.5%"]);
  assert.deepEqual(numbers[4], ["0.87", "0"]);
  for (const text of spoken.slice(0, 3)) assert.doesNotMatch(text, /87/);
});

test("each step works out one line", () => {
  const result = sixSteps(AUTHORED);
  const text = (step) => example(with_({ step }), result).flat().join("");
  assert.match(text(1), /^cat: q · k = query\(5, 0\) · key\(1, 0\) = 5$/);
  assert.match(text(3), /^cat: e\^3\.54 ÷ 39\.31 = weight0\.873$/);
  assert.match(text(5), /^walks: y = sum of the last column = output\(0\.87, 0\)$/);
});

test("scores that differ are all named, and equal ones at once", () => {
  const flat = with_({ W_q: AUTHORED.W_q.map((row) => row.map(() => 0)), step: 1 });
  assert.match(says(flat), / 0 with every word/);
  const three = { tokens: ["a", "b", "c"], word: 0, step: 1 };
  const embeddings = [
    [1, 0],
    [0, 1],
    [0, 2],
  ];
  assert.match(says(with_({ ...three, embeddings })), / 0 with “a”, 5 with “b” and 10 with “c”/);
});

test("without a preference, no word is named as the one most looked at", () => {
  const flat = with_({ W_q: AUTHORED.W_q.map((row) => row.map(() => 0)), step: 5 });
  assert.match(says(flat), /“walks” has no preference, 17% each/);
});

test("two words looked at alike are both named", () => {
  const embeddings = AUTHORED.embeddings.with(5, AUTHORED.embeddings[1]);
  assert.match(says(with_({ embeddings, step: 5 })), /“cat” and “street”, 4\d% each/);
});

test("values without anything to give say so", () => {
  const none = AUTHORED.W_v.map((row) => row.map(() => 0));
  assert.deepEqual(numbersIn(says(with_({ W_v: none, step: 4 })).split(". ")[1]), []);
});
