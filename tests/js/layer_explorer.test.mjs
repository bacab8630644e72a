// The layer: its numbers are attn's own, and every one of them is result of what its trace names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wayOf } from "../../attn/widgets/kit/swipe.js";
import {
  compute,
  front,
  matrix,
  number,
  ofHead,
  present,
} from "../../attn/widgets/layer_explorer/arithmetic.js";
import { steps, tell } from "../../attn/widgets/layer_explorer/journey.js";
import { layout } from "../../attn/widgets/layer_explorer/layout.js";
import { neighbour } from "../../attn/widgets/layer_explorer/pointer_and_keys.js";
import { atRest, meaning, sum, write } from "../../attn/widgets/layer_explorer/sentences.js";
import {
  stationOf,
  stationPlan,
  stations,
} from "../../attn/widgets/layer_explorer/station_layout.js";
import { sources, trace } from "../../attn/widgets/layer_explorer/trace.js";
import { numbersIn } from "./authored.mjs";
import { agrees, golden, near } from "./golden.mjs";

const heads = (state, result) =>
  result.heads.map((_, h) => ({ ...state, head: state.stage < 5 ? state.head : h }));

agrees("layer", {
  layer({ state }) {
    const result = compute(state);
    return present(state).flatMap((id) =>
      (ofHead(state, id) ? heads(state, result) : [state]).map((one) => matrix(one, result, id)),
    );
  },
});

const CASES = golden("layer").map(({ name, arguments: { state } }) => [name, state]);

// A number made again from nothing but the numbers of its sources.
const product = (term) => term.reduce((a, b) => a * b, 1);
const total = (terms) => terms.map(product).reduce((a, b) => a + b, 0);
const AGAIN = {
  sum: (terms) => total(terms),
  relu: (terms) => Math.max(0, total(terms)),
  scale: ([[score], [mask] = [0]], { size }) => score / Math.sqrt(size) + mask,
  softmax: (terms, { col }) =>
    Math.exp(terms[col][0]) / terms.reduce((sum, [s]) => sum + Math.exp(s), 0),
  norm: (terms, { col }) => {
    const row = terms.map(([a, b]) => a + b);
    const mean = row.reduce((a, b) => a + b) / row.length;
    const variance = row.reduce((a, x) => a + (x - mean) ** 2, 0) / row.length;
    return (row[col] - mean) / Math.sqrt(variance + 1e-5);
  },
};
// visit(id, row, col, value) for each number that the stage has.
const everyNumber = (state, result, visit) => {
  for (const id of present(state))
    matrix(state, result, id).forEach((line, row) => {
      line.forEach((value, col) => visit({ id, row, col }, value));
    });
};
const GIVEN = ["X", "positions", "mask", "W_q", "W_k", "W_v", "W_o", "W_1", "W_2"];

for (const [name, state] of CASES) {
  test(`each number is what its trace makes of its sources: ${name}`, () => {
    const result = compute(state);
    for (const one of heads(state, result)) {
      const size = result.heads[0].queries[0].length;
      everyNumber(one, result, (at, expected) => {
        const { rule, terms, value } = trace(one, result, at);
        assert.equal(value, expected);
        assert.equal(rule === "given", GIVEN.includes(at.id), at.id);
        if (rule === "given") return;
        const numbers = terms.map((term) => term.map((source) => number(one, result, source)));
        near(AGAIN[rule](numbers, { col: at.col, size }), expected);
      });
    }
  });
}

for (const [name, state] of CASES) {
  test(`asking where from leads from any number to one that was given: ${name}`, () => {
    const result = compute(state);
    everyNumber(state, result, (start) => {
      let [at, now, count] = [start, state, 0];
      for (;;) {
        const found = trace(now, result, at);
        for (const source of sources(found)) assert.ok(present(state).includes(source.id));
        if (!found.main) break;
        const { head = front(now), ...next } = found.main;
        [at, now, count] = [next, { ...now, head: now.stage < 5 ? now.head : head }, count + 1];
        assert.ok(count < 20);
      }
      assert.ok(GIVEN.includes(at.id));
    });
  });
}

// --- words ------------------------------------------------------------------------------------

const text = (parts) =>
  parts
    .map((part) => (typeof part === "string" ? part : (part.strong ?? part.result ?? part.text)))
    .join("");

for (const [name, state] of CASES) {
  test(`each number is told with the sum that made it: ${name}`, () => {
    const result = compute(state);
    everyNumber(state, result, (at, value) => {
      const found = trace(state, result, at);
      const told = `${text(meaning(state, found))} ${text(sum(state, result, found))}`;
      assert.doesNotMatch(told, /undefined|NaN|null|\[object/, JSON.stringify(at));
      if (at.id !== "mask") assert.ok(told.includes(write(value)), `${told} lacks ${write(value)}`);
    });
  });
}

const book = (stage) => CASES.find(([name]) => name === `stage ${stage}, as in the book`)[1];
const says = (stage, id, row, col, changes = {}) => {
  const state = { ...book(stage), ...changes };
  const result = compute(state);
  const found = trace(state, result, { id, row, col });
  return [text(meaning(state, found)), text(sum(state, result, found))];
};

test("a sum says its terms: two in full, of more those that are not 0, a rule's own line", () => {
  const numbers = (...at) => numbersIn(says(...at)[1]);
  assert.equal(says(5, "scores", 2, 1)[1], "5 × 1 + 0 × 0 = 5");
  assert.deepEqual(numbers(5, "queries", 2, 0), ["1", "5", "7", "0", "5"]);
  assert.deepEqual(numbers(4, "scaled", 2, 1), ["5", "2", "3.54"]);
  assert.deepEqual(numbers(6, "scaled", 2, 1), ["5", "2", "0", "3.54"]);
  assert.match(says(6, "scaled", 2, 5)[1], /−∞$/);
  assert.deepEqual(numbers(6, "weights", 2, 5), ["0", "2", "0", "3.54", "3", "0", "0"]);
  assert.deepEqual(numbers(5, "weights", 2, 1), ["3.54", "5", "0", "3.54", "0.87"]);
  assert.deepEqual(numbers(10, "normed", 2, 6), ["1", "1.01", "1.02", "0.53", "1.87"]);
  assert.match(says(10, "hidden", 2, 3)[1], /^max\(0, .*\) = 0$/);
  assert.deepEqual(numbers(5, "outputs", 2, 6), ["0.9", "0.5", "0.9", "0.5", "6", "0", "0.9"]);
  assert.deepEqual(numbers(3, "W_q", 2, 0), ["5", "8", "2"]); // and its shape, (8, 2)
});

test("at rest it tells who is looked at and what is taken home, and no preference as such", () => {
  const rest = (changes) => {
    const state = { ...book(5), ...changes };
    return text(atRest(state, compute(state)));
  };
  assert.equal(
    rest({}),
    "walks asks who? and looks most at cat, 87%. This head brings it 0.90 of “moves” and 0.87 of “living”.",
  );
  assert.deepEqual(numbersIn(rest({ strength: 0 })), ["17%"]);
});

test("every step of every stage is told", () => {
  for (const stage of [2, 3, 4, 5, 6, 7, 10]) {
    const state = book(stage);
    steps(state).forEach(({ name }, i) => {
      const told = text(tell({ ...state, step: i + 1 }, compute(state)));
      assert.ok(told.startsWith(`Step ${i + 1}, ${name}: `) && !told.includes("undefined"), told);
    });
    const last = { ...state, step: 10 };
    assert.ok(text(tell(last, compute(last))).startsWith(`Step ${steps(state).length}, `));
  }
});

// --- places -----------------------------------------------------------------------------------

for (const [name, state] of CASES) {
  test(`no two matrices overlap, and all are in the picture: ${name}`, () => {
    const plan = layout(state, { width: 654, height: 426 });
    assert.deepEqual(Object.keys(plan.boxes).sort(), present(state).sort());
    const boxes = Object.values(plan.boxes);
    boxes.forEach((a, i) => {
      assert.ok(a.x >= 0 && a.right <= plan.width && a.bottom <= plan.height, a.id);
      for (const b of boxes.slice(0, i))
        assert.ok(
          a.x >= b.right || b.x >= a.right || a.y >= b.bottom || b.y >= a.bottom,
          `${a.id} and ${b.id}`,
        );
    });
  });

  test(`a phone has a place for every matrix: ${name}`, () => {
    const seen = new Set();
    for (const id of stations(state)) {
      const { boxes, width } = stationPlan(state, id, 294);
      for (const box of Object.values(boxes)) {
        seen.add(box.id);
        assert.ok(box.right <= width, `${box.id} at ${id}`);
      }
    }
    assert.deepEqual([...seen].sort(), present(state).sort());
    for (const id of present(state))
      assert.ok(stationPlan(state, stationOf(state, { id, row: state.word }), 294).boxes[id], id);
  });
}

test("arrow keys reach every matrix", () => {
  for (const stage of [2, 3, 5, 7, 10]) {
    const state = book(stage);
    const plan = layout(state, { width: 654, height: 426 });
    const reached = new Map([["X 0 0", { id: "X", row: 0, col: 0 }]]);
    for (const at of reached.values())
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        const next = neighbour(plan, at, key);
        if (next) reached.set(`${next.id} ${next.row} ${next.col}`, next);
      }
    const found = new Set([...reached.values()].map(({ id }) => id));
    assert.deepEqual([...found].sort(), present(state).sort());
  }
});

const counted = (rows, columns) =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => (3 * i + j) % 5),
  );

test("a reader's largest matrices fit, with one head and with many, at every width of a desk", () => {
  const square = counted(8, 8);
  const own = {
    ...book(10),
    words: [..."abcdefgh"],
    entries: [..."ABCDEFGH"],
    ...{ X: square, W_q: square, W_k: square, W_v: square, W_o: square },
    ...{ W_1: square, W_2: square, positions: square },
  };
  for (const questions of [["?"], ["1", "2"], ["1", "2", "3", "4"], [..."12345678"]])
    for (const stage of [2, 3, 4, 5, 6, 7, 10])
      for (const width of [560, 654, 860]) {
        const plan = layout({ ...own, questions, stage }, { width, height: 426 });
        const where = `${questions.length} heads, stage ${stage}, ${width} pixels`;
        assert.ok(plan.height <= 426, `${where}: ${plan.height} high`);
        for (const { id, right } of Object.values(plan.boxes))
          assert.ok(right <= width, `${where}: ${id}`);
      }
});

test("a finger that goes sideways means the next matrix, one that scrolls does not", () => {
  assert.equal(wayOf([200, 100], [120, 110]), "left");
  assert.equal(wayOf([100, 100], [180, 60]), "right");
  assert.equal(wayOf([100, 100], [130, 100]), null);
  assert.equal(wayOf([100, 100], [160, 190]), null);
});

test("the small network's step names the unit that finds most, and says if none does", () => {
  const state = { ...book(10), word: 2, step: 9 };
  const result = compute(state);
  const said = text(tell(state, result));
  assert.ok(said.includes("an action") && said.includes("1.87"), said);
  const silent = result.shared.hidden.map((row) => row.map(() => 0));
  const none = text(tell(state, { ...result, shared: { ...result.shared, hidden: silent } }));
  assert.ok(!none.includes("an action") && none.length > 40, none);
});
