// What a link or an address asks of a figure, and how the figure gets there, without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { move } from "../../web/figures/figure-links.mjs";
import { between, changesOf, permitted, readLink } from "../../web/figures/figure-state.mjs";
import { Model } from "../../web/figures/model.mjs";
import { authored } from "./authored.mjs";

function modelOf(name, changes) {
  const { spec, ...traits } = authored(name, changes);
  return new Model({ ...traits, _spec: spec });
}
const asked = (name, state) => changesOf(modelOf(name), state);
const fromAddress = (name, state) => {
  const model = modelOf(name);
  return permitted(model, changesOf(model, state));
};

test("a link names a figure, which of its class, and a state", () => {
  assert.deepEqual(readLink("#SoftLookup?beta=8"), {
    figure: "SoftLookup",
    number: 1,
    state: "beta=8",
  });
  assert.equal(readLink("#SoftLookup-2?beta=8").number, 2);
});

for (const other of ["", "#sec-01-figure", "#SoftLookup", "#SoftLookup?", "#SoftLookup-0?beta=8"])
  test(`"${other}" is not such a link`, () => assert.equal(readLink(other), null));

test("values are numbers, truths, choices and names of places", () => {
  assert.deepEqual(asked("SoftLookup", "query_angle=-45.5&plain=true&rule=relu"), {
    query_angle: -45.5,
    plain: true,
    rule: "relu",
  });
  assert.deepEqual(asked("QKVStepper", "step=softmax&word=2"), { step: 3, word: 2 });
  assert.deepEqual(asked("QKVStepper", "step=4"), { step: 4 });
  const robot = "the robot walks on the street";
  assert.equal(asked("TokenPlane", "sentence=the+robot%20walks+on+the+street").sentence, robot);
});

test("one entry of a list, all of them, and none", () => {
  assert.deepEqual(asked("HeadSplitter", "on=true&on.0=false").on, [false, true, true, true]);
  assert.deepEqual(asked("QKVStepper", "W_q.0.1=-2").W_q, [
    [5, -2],
    [0, 5],
  ]);
  assert.deepEqual(asked("TokenPlane", "embedding.cat=1.5").embedding.cat, Array(8).fill(1.5));
  assert.deepEqual(asked("TokenPlane", "order=").order, []);
});

for (const [name, state] of [
  ["SoftLookup", "gamma=1"],
  ["SoftLookup", "_spec=1"],
  ["SoftLookup", "beta=big"],
  ["SoftLookup", "beta="],
  ["SoftLookup", "plain=1"],
  ["SoftLookup", "rule.0=r"],
  ["HeadSplitter", "on.4=true"],
  ["HeadSplitter", "on.length=2"],
  ["TokenPlane", "embedding=1"],
  ["TokenPlane", "embedding.nobody=1"],
])
  test(`${name} has no state ${state}`, () => assert.throws(() => asked(name, state), RangeError));

for (const [name, state] of [
  ["SoftLookup", "query_angle=181"],
  ["SoftLookup", "rule=magic"],
  ["ScaleExplorer", "d_k=4096"],
  ["QKVStepper", "W_q.0.1=7"],
  ["QKVStepper", "step=6"],
  ["QKVStepper", "step=0.5"],
  ["QKVStepper", "word=7"],
  ["TokenPlane", "sentence=never+seen"],
  ["TokenPlane", "query=40"],
  ["MaskEditor", "own="],
])
  test(`an address cannot ask ${name} for ${state}`, () =>
    assert.throws(() => fromAddress(name, state), RangeError));

test("what an address asks for stands where a slider can", () => {
  assert.deepEqual(fromAddress("SoftLookup", "beta=1.26&plain=true"), { beta: 1.3, plain: true });
  assert.deepEqual(fromAddress("ScaleExplorer", "d_k=100"), { d_k: 128 });
  assert.deepEqual(fromAddress("GradientPaths", "n=30.4"), { n: 30 });
  assert.deepEqual(fromAddress("HeadSplitter", "on.1=false&cut=sequence"), {
    on: [true, false, true, true],
    cut: "sequence",
  });
});

test("on its way a number stands where a slider can, and arrives exactly", () => {
  const range = { min: 0, max: 8, step: 0.1 };
  assert.equal(between(range, 1, 2, 0.333), 1.3);
  assert.equal(between(range, 1, 2.05, 1), 2.05);
  assert.equal(between({ min: 1, max: 1024, step: 1, base: 2 }, 1, 1024, 0.52), 32);
});

test("entries go straight; choices, and places by their number, change at once", () => {
  assert.deepEqual(between(undefined, { a: [0, 1], b: [2, 2] }, { a: [1, 1], b: [2, 2] }, 0.25), {
    a: [0.25, 1],
    b: [2, 2],
  });
  assert.deepEqual(between(undefined, [2, 0, 1], [], 0.5), []);
  assert.equal(between([["a", "A"]], "b", "a", 0.1), "a");
  assert.equal(between(["first", "second"], 0, 1, 0.1), 1);
  assert.equal(between(undefined, 0, 4, 0.1), 4);
});

// Frames that a test lets pass.
function frames() {
  const waiting = [];
  globalThis.requestAnimationFrame = (step) => waiting.push(step);
  return { pass: (now) => waiting.splice(0).forEach((step) => step(now)), waiting };
}

test("a figure moves in some frames and says when it has arrived", () => {
  const { pass, waiting } = frames();
  const model = modelOf("SoftLookup", { query_angle: 0 });
  let arrived = 0;
  const start = performance.now();
  move(model, { query_angle: 90 }, { duration: 300, done: () => arrived++ });
  pass(start + 150);
  assert.ok(model.get("query_angle") > 30 && model.get("query_angle") < 60);
  assert.equal(arrived, 0);
  pass(start + 400);
  assert.equal(model.get("query_angle"), 90);
  assert.deepEqual([arrived, waiting.length], [1, 0]);
});

test("without a duration it is there at once", () => {
  const { waiting } = frames();
  const model = modelOf("SoftLookup");
  move(model, { query_angle: 90, rule: "relu" }, { duration: 0 });
  assert.deepEqual([model.get("query_angle"), model.get("rule")], [90, "relu"]);
  assert.equal(waiting.length, 0);
});

test("a reader who takes the slider meanwhile keeps it", () => {
  const { pass, waiting } = frames();
  const model = modelOf("SoftLookup", { query_angle: 0 });
  const start = performance.now();
  move(model, { query_angle: 90 }, { duration: 300 });
  pass(start + 100);
  model.set("query_angle", -20);
  pass(start + 200);
  assert.equal(model.get("query_angle"), -20);
  assert.equal(waiting.length, 0);
});
