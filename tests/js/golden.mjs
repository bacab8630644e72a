// The cases that Python wrote into tests/golden, and what it is to agree with them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const INFINITIES = { inf: Infinity, "-inf": -Infinity }; // JSON has none

const decodeNumbers = (x) => (Array.isArray(x) ? x.map(decodeNumbers) : (INFINITIES[x] ?? x));

const decodeArguments = (given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, x]) => [name, Array.isArray(x) ? decodeNumbers(x) : x]),
  );

/** All cases of one file: {name, function, arguments, result}. */
export const golden = (stem) =>
  JSON.parse(readFileSync(new URL(`../golden/${stem}.json`, import.meta.url)));

/** Two numbers, or lists of them, whatever the lists inside, are as close as that. */
export function near(actual, expected, slack = 1e-12) {
  const [ours, theirs] = [actual, expected].map((x) => [x].flat(Infinity));
  assert.equal(ours.length, theirs.length);
  ours.forEach((x, i) => {
    const y = theirs[i];
    const close = x === y || Math.abs(x - y) <= slack * Math.max(1, Math.abs(y));
    assert.ok(close, `${x} is not near ${y}, at ${i}`);
  });
}

/** A test for each case of a file whose function is one of `calls`: it gives the same numbers. */
export function agrees(stem, calls, slack) {
  for (const { name, function: call, arguments: given, result } of golden(stem))
    if (call in calls)
      test(`the figure equals attn: ${call}, ${name}`, () => {
        const actual = calls[call](decodeArguments(given));
        const expected = result === "none" ? null : decodeNumbers(result);
        if (typeof expected === "string") assert.equal(actual, expected);
        else near(actual, expected, slack);
      });
}
