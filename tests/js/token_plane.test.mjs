// What the second chapter's figure computes and says, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  attend,
  extent,
  inOrder,
  moved,
  places,
  sentence,
  shuffled,
} from "../../attn/widgets/js/tokens.js";

const STREET = "the cat walks on the street";
const EMBEDDING = {
  the: [-0.7, -0.6],
  cat: [1.2, 1.1],
  walks: [1.1, 0.2],
  on: [-0.2, -1.1],
  street: [0.6, -1.2],
  a: [1, 0],
  b: [0, 2],
  c: [1, 1],
};
const ABC = {
  sentence: "a b c",
  order: [0, 1, 2],
  query: 0,
  embedding: EMBEDDING,
  courses: {},
  task: "",
  moment: 0,
};
const CAT = { ...ABC, sentence: STREET, order: inOrder(6), query: 2 };
const says = (state) => sentence(state, attend(state));
const near = (a, b, slack = 5e-4) => assert.ok(Math.abs(a - b) < slack, `${a} is not near ${b}`);
const all = (A, B, slack) => A.forEach((row, i) => row.forEach((x, j) => near(x, B[i][j], slack)));

test("three tokens have the chapter's weights and outputs", () => {
  const { weights, outputs } = attend(ABC);
  all(weights, [
    [0.422, 0.155, 0.422],
    [0.016, 0.867, 0.117],
    [0.155, 0.422, 0.422],
  ]);
  all(outputs, [
    [0.845, 0.733],
    [0.133, 1.851],
    [0.578, 1.267],
  ]);
});

test("the outputs equal those that attn.core wrote for these tokens", () => {
  const cases = JSON.parse(readFileSync(new URL("../golden/self_attention.json", import.meta.url)));
  const golden = cases.find(({ name }) => name === "the second chapter's three tokens");
  all(attend(ABC).outputs, golden.result, 1e-12);
});

test("scores are symmetric, weights are not", () => {
  const { scores, weights } = attend(CAT);
  scores.forEach((row, i) => row.forEach((s, j) => assert.equal(s, scores[j][i])));
  assert.ok(Math.abs(weights[1][2] - weights[2][1]) > 0.1);
});

test("both “the” get the same output", () => {
  const { outputs } = attend(CAT);
  all([outputs[0]], [outputs[4]], 1e-15);
});

test("a shuffle moves no token's output, and the sentence gives the change", () => {
  const state = { ...CAT, order: [4, 2, 5, 0, 3, 1] };
  assert.ok(moved(state, attend(state)) < 1e-15);
  assert.match(
    says(state),
    /Shuffled: every token keeps its output \(largest change (0|\de-1\d)\)\.$/,
  );
  assert.doesNotMatch(says(CAT), /Shuffled/);
});

test("a token that did change would be seen", () => {
  const state = { ...CAT, order: [4, 2, 5, 0, 3, 1] };
  const result = attend(state);
  result.outputs[3] = [9, 9];
  assert.ok(moved(state, result) > 1);
});

test("shuffled gives another order of the same tokens", () => {
  let seed = 1;
  const random = () => {
    seed = (16807 * seed) % 2147483647;
    return seed / 2147483647;
  };
  const seen = new Set();
  for (let i = 0; i < 200; i += 1) {
    const order = shuffled([0, 1, 2], random);
    assert.deepEqual([...order].sort(), [0, 1, 2]);
    seen.add(order.join(""));
  }
  assert.deepEqual([...seen].sort(), ["021", "102", "120", "201", "210"]);
  assert.deepEqual(shuffled([0], random), [0]);
});

test("the sentence names every token, the output, and who is looked at most", () =>
  assert.equal(
    says(CAT),
    "“walks” looks 4% at the, 42% at cat, 31% at itself, 6% at on, 4% at the and 14% at street; " +
      "its output is (0.87, 0.25). It looks most at cat, not at itself.",
  ));

test("a tie with itself is not called looking elsewhere", () =>
  assert.doesNotMatch(says(ABC), /not at itself/));

test("a word that occurs twice says so", () =>
  assert.match(says({ ...CAT, query: 4 }), /All 2 “the” have the same output\.$/));

test("training is named by its step until a word is moved by hand", () => {
  const courses = {
    who: {
      words: ["a", "b", "c"],
      steps: [0, 30],
      vectors: [
        [
          [1, 0],
          [0, 2],
          [1, 1],
        ],
        [
          [2, 0],
          [0, 2],
          [1, 1],
        ],
      ],
    },
  };
  const state = { ...ABC, courses, task: "who" };
  assert.match(says(state), /^Before training: “a” looks/);
  assert.match(
    says({ ...state, moment: 1, embedding: { ...EMBEDDING, a: [2, 0] } }),
    /^After 30 steps of training: /,
  );
  assert.match(says({ ...state, moment: 1 }), /^Moved by hand: /);
});

test("the plane holds the farthest word of every moment", () => {
  const courses = { who: { words: ["a"], steps: [0, 1], vectors: [[[1, 0]], [[0, -3.5]]] } };
  assert.equal(extent({ embedding: { a: [1, 0] }, courses }), 3.5);
  assert.equal(extent({ embedding: { a: [0.1, 0] }, courses: {} }), 1.2);
});

test("names that would cover each other stand a line apart", () => {
  const tips = ["one", "two", "far"].map((text, i) => ({
    at: [
      [110, 100],
      [112, 101],
      [20, 40],
    ][i],
    text,
    gap: 20,
  }));
  const [one, two, far] = places(tips, [100, 100]);
  assert.ok(Math.abs(one.y - two.y) >= 15);
  assert.equal(one["text-anchor"], "start");
  assert.equal(far["text-anchor"], "end");
});
