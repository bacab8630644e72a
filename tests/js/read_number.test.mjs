// What people type into a number field, and how it is read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeReading, readNumber, Unreadable } from "../../web/questions/read-number.mjs";

const READ = {
  "digits, with a point or a comma": {
    8: 8,
    0.155: 0.155,
    "0,155": 0.155,
    "1,27": 1.27,
    1.267: 1.267,
    ".5": 0.5,
    ",5": 0.5,
    "5.": 5,
    " 20 ": 20,
  },
  "grouped digits": {
    "64,000": 64000,
    "1,024": 1024,
    "1,024.5": 1024.5,
    "1.024,5": 1024.5,
    "1 024": 1024,
    "1\u202f024,5": 1024.5,
    "64 000": 64000,
    "1'000": 1000,
    "1,000,000": 1e6,
    "1.000.000": 1e6,
    "2*64,000": 128000,
  },
  signs: { "−3": -3, "-3": -3, "–3": -3, "+3": 3, "--3": 3, "= 8": 8, "≈0.15": 0.15 },
  "fractions and per cent": {
    "8/2": 4,
    "8 ÷ 2": 4,
    "8:2": 4,
    "15.5%": 0.155,
    "15,5 %": 0.155,
    "1/3+1/6": 0.5,
  },
  roots: { "√64": 8, "sqrt(64)": 8, "Sqrt 64": 8, "√√16": 2, "√64/2": 4, "2√9": 6 },
  powers: { "2^3": 8, "2**3": 8, "2^-1": 0.5, "-2^2": -4, "2^3^2": 512 },
  "functions and constants": {
    π: Math.PI,
    "2π": 2 * Math.PI,
    "2 pi": 2 * Math.PI,
    e: Math.E,
    "ln 2": Math.LN2,
    ln2: Math.LN2,
    "log(2)": Math.LN2,
    "log2(8)": 3,
    "log10 1000": 3,
    "exp(-2)/(1+exp(-2))": 1 / (1 + Math.exp(2)),
    "2(1+3)": 8,
    "0,187 · 1 + 0,045 · 2": 0.277,
  },
  "e as a power of ten": {
    "1e-3": 0.001,
    "-1e-3": -0.001,
    "2.5E-4": 0.00025,
    "5*1e-3": 0.005,
    "3*2e3": 6000,
    "2*8.9e+06": 17.8e6,
  },
  "e as Euler's number": {
    "1/(2e+1)": 1 / (2 * Math.E + 1),
    "1/(2e + 1)": 1 / (2 * Math.E + 1),
    "1/(2*e+1)": 1 / (2 * Math.E + 1),
    "(2e - 1)/3": (2 * Math.E - 1) / 3,
    "e/(2e+1)": Math.E / (2 * Math.E + 1),
    "e-1": Math.E - 1,
    "e^2": Math.E ** 2,
    "2e": 2 * Math.E,
  },
};

for (const [kind, table] of Object.entries(READ)) {
  for (const [text, value] of Object.entries(table)) {
    test(`${kind}: ${text}`, () => {
      assert.ok(Math.abs(readNumber(text) - value) <= 1e-12 * Math.abs(value), readNumber(text));
    });
  }
}

test("nothing written is no answer", () => {
  assert.equal(readNumber(""), null);
  assert.equal(readNumber("  "), null);
});

for (const [text, says] of Object.entries({
  many: /“many” cannot be read/,
  "2 3": /cannot be read/,
  "1.2.3": /cannot be read/,
  "1,2,3": /cannot be read/,
  "1,02,3": /cannot be read/,
  "1e5.2": /cannot be read/,
  "(1": /cannot be read/,
  "1)": /cannot be read/,
  "1/": /cannot be read/,
  "*2": /cannot be read/,
  "-": /cannot be read/,
  "=": /cannot be read/,
  "½": /cannot be read/,
  sqrt: /cannot be read/,
  "0x10": /cannot be read/,
  Infinity: /cannot be read/,
  constructor: /cannot be read/,
  "√-1": /cannot be read/,
  "1/0": /no finite value/,
  "sqrt(-1)": /no finite value/,
  "1e999": /no finite value/,
})) {
  test(`refused, with a reason: ${text}`, () => {
    assert.throws(
      () => readNumber(text),
      (error) => error instanceof Unreadable && says.test(error.message),
    );
  });
}

for (const [text, shown] of Object.entries({
  20: "",
  0.155: "",
  "0,155": "read as 0.155",
  "1/(2e+1)": "read as 0.155362",
  "64,000": "read as 64000 (for the decimal, write 64.000)",
  "-1,267": "read as -1267 (for the decimal, write -1.267)",
  "1,234,567": "read as 1234567",
  "1/2π": "read as 1.5708",
  "5*1e-3": "read as 0.005",
  "15.5%": "read as 0.155",
  "": "",
})) {
  test(`shown beside ${text || "nothing"}: ${shown || "nothing"}`, () => {
    assert.equal(describeReading(text), shown);
  });
}
