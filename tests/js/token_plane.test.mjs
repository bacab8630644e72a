// What the second chapter's figure computes and says, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attend,
  between,
  extent,
  moved,
  sentence,
  shuffled,
  vectors,
} from "../../attn/widgets/token_plane/arithmetic.js";
import { authored } from "./authored.mjs";
import { agrees, near } from "./golden.mjs";

const STREET = "the cat walks on the street";
const CAT = authored("TokenPlane", { sentence: STREET, query: 2 });
const THREE = authored("TokenPlane", {
  sentence: "mi fa sol",
  embedding: { mi: [1, 0], fa: [0, 2], sol: [1, 1] },
  entries: [],
  axes: [0, 1],
});
const says = (state) => sentence(state, attend(state));

test("walks has the layer's weights, of all eight entries", () => {
  const { weights, outputs, X } = attend(CAT);
  assert.equal(X[2].length, 8);
  near(weights[2], [0.0709, 0.1927, 0.5238, 0.0709, 0.0709, 0.0709], 5e-4);
  near(
    CAT.axes.map((axis) => outputs[2][axis]),
    [0.7165, 0.1927],
    5e-4,
  );
});

test("three tokens have the weights and outputs that a hand works out", () => {
  const { weights, outputs } = attend(THREE);
  near(
    weights,
    [
      [0.422, 0.155, 0.422],
      [0.016, 0.867, 0.117],
      [0.155, 0.422, 0.422],
    ],
    5e-4,
  );
  near(
    outputs,
    [
      [0.845, 0.733],
      [0.133, 1.851],
      [0.578, 1.267],
    ],
    5e-4,
  );
});

agrees("self_attention", {
  self_attention: ({ X }) => {
    const words = X.map((_, i) => `word${i}`);
    const embedding = Object.fromEntries(words.map((word, i) => [word, X[i]]));
    return attend({ ...THREE, sentence: words.join(" "), embedding }).outputs;
  },
});

test("scores are symmetric, weights are not", () => {
  const { scores, weights } = attend(CAT);
  scores.forEach((row, i) => row.forEach((s, j) => assert.equal(s, scores[j][i])));
  near(weights[2][1], 0.193, 5e-4);
  near(weights[1][2], 0.095, 5e-4);
});

test("both “the” get the same output", () => {
  const { outputs } = attend(CAT);
  near(outputs[0], outputs[4], 1e-15);
});

test("a shuffle moves no token's output, and the sentence gives the change", () => {
  const state = { ...CAT, order: [4, 2, 5, 0, 3, 1] };
  assert.ok(moved(state, attend(state)) < 1e-15);
  assert.match(says(state), /Shuffled: .* (0|\de-1\d)\)\.$/);
  assert.doesNotMatch(says(CAT), /Shuffled/);
});

test("a token that did change would be seen", () => {
  const state = { ...CAT, order: [4, 2, 5, 0, 3, 1] };
  const result = attend(state);
  result.outputs[3] = Array(8).fill(9);
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
    says({ ...CAT, embedding: { ...CAT.embedding, cat: [0, 1, 0, 0, 1, 0, 3, 0] } }),
    "“walks” looks 3.2% at “the”, 64% at “cat”, 23% at itself, 3.2% at “on”, 3.2% at “the” and 3.2% at “street”; " +
      "its output has moves 2.15 and living 0.64. It looks most at “cat”, not at itself.",
  ));

test("a tie with itself is not called looking elsewhere", () =>
  assert.match(says(THREE), /\(0\.84, 0\.73\).*as much at “sol” as at itself/));

test("equal shares are no preference", () => {
  const still = { mi: [0, 0], fa: [0, 0], sol: [0, 0] };
  assert.match(says({ ...THREE, embedding: still }), /“mi”.*no preference, 33% each/);
  assert.doesNotMatch(says({ ...THREE, embedding: still }), /at itself/);
});

test("a word that occurs twice says so", () =>
  assert.match(says({ ...CAT, query: 4 }), / Both “the” /));

const COURSE = {
  words: ["mi", "fa", "sol"],
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
};
const TRAINED = { ...THREE, courses: { who: COURSE }, task: "who", embedding: {} };

test("training is named by its step until a word is moved by hand", () => {
  assert.match(says(TRAINED), /^Before training: “mi” looks/);
  assert.match(says({ ...TRAINED, moment: 1 }), /^After 30 steps of training: /);
  assert.match(says({ ...TRAINED, embedding: { mi: [1, 0.5] } }), /^Moved by hand: /);
});

test("the token that has to answer says its tag, and what it means", () => {
  const tag = { w: [0, 2], at: 1, no: "not low", yes: "low" };
  const asked = { ...TRAINED, courses: { who: { ...COURSE, tag } } };
  assert.doesNotMatch(says(asked), /tag/, "mi has nothing to answer");
  assert.match(says({ ...asked, query: 1 }), /tag is 3\.70: yes, low, by chance/);
  assert.match(says({ ...asked, query: 1, moment: 1 }), /tag is [\d.]+: yes, low\./);
  const turned = { ...tag, w: [0, -2] };
  const no = { ...asked, courses: { who: { ...COURSE, tag: turned } } };
  assert.match(says({ ...no, query: 1 }), /tag is −3\.70: no, not low, by chance/);
});

test("a word stands where its course has brought it, unless it was put elsewhere", () => {
  assert.deepEqual(vectors({ ...TRAINED, moment: 1 }).mi, [2, 0]);
  assert.deepEqual(vectors({ ...TRAINED, moment: 1, embedding: { mi: [9, 9] } }).mi, [9, 9]);
});

test("the plane holds the farthest word of every moment along each axis", () => {
  const course = { words: ["a"], steps: [0, 1], vectors: [[[1, 0]], [[0, -3.5]]] };
  const axes = [0, 1];
  assert.deepEqual(extent({ embedding: { a: [2, 0] }, courses: { who: course }, axes }), [2, 3.5]);
  assert.deepEqual(extent({ embedding: { a: [0.1, 0] }, courses: {}, axes }), [2, 2]);
  const eight = { embedding: { a: [9, 9, 9, 9, 3, 9, 2, 9] }, courses: {}, axes: [6, 4] };
  assert.deepEqual(extent(eight), [2, 3]);
});

test("words on their way begin where they were and end where they go", () => {
  const [from, to] = [{ a: [0, 4] }, { a: [2, 0] }];
  assert.deepEqual(
    [0, 0.5, 1].map((share) => between(from, to, share).a),
    [
      [0, 4],
      [1, 2],
      [2, 0],
    ],
  );
});
