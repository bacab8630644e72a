/**
 * Read a number as people write it: 0.155, 0,155, 64,000, 15.5%, 1/(2e+1), √64, 2^3, ln 2, −3, 1e-3.
 *
 * What can be meant in two ways is read in one, and `describeReading` shows which:
 * - A comma before three digits groups thousands, 64,000, unless a zero is before it, 0,155. Any
 *   other comma is a decimal one. 1.024,5 and 1 024.5 are read too.
 * - `e` is Euler's number, except in a power of ten as programs print it: 2e3, 1e-3, 8.9e+06.
 * - A factor may stand beside another, 2π or 2(1+3), and counts as multiplied; a function takes the
 *   one thing behind it, √64 or ln 2. `log` is the natural one, as in NumPy.
 */

/** @type {Record<string, number>} */
const CONSTANTS = { e: Math.E, pi: Math.PI };
const { sqrt, exp, log, log2, log10 } = Math;
/** @type {Record<string, (x: number) => number>} */
const FUNCTIONS = { sqrt, exp, ln: log, log, log2, log10 };

/** @type {[RegExp, string][]} */
const SPELLINGS = [
  [/^\s*[=≈~]/, ""],
  [/[−–]/g, "-"],
  [/[×·⋅]/g, "*"],
  [/[÷:]/g, "/"],
  [/\*\*/g, "^"],
  [/√/g, " sqrt "],
  [/π/g, " pi "],
  [/(?<=\d)[\s'’_](?=\d{3}(?!\d))/g, ""], // 64 000
];
const TOKENS = /\d[\d.,]*(?:e(?:-?\d+|\+\d{2,}))?|[.,]\d+|log2|log10|[a-z]+|[-+*/^()%]/g;
const GROUPED_BY_COMMAS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/; // 64,000 or 1,024.5
const GROUPED_BY_POINTS = /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+|\.\d{3})$/; // 1.024,5 or 1.000.000

export class Unreadable extends Error {}

/**
 * @param {string} text
 * @returns {number|null} null if nothing is written
 * @throws {Unreadable} with a sentence for the reader
 */
export function readNumber(text) {
  const written = text.trim();
  if (!written) return null;
  const value = new Formula(written).value();
  if (!Number.isFinite(value)) throw new Unreadable(`“${written}” has no finite value.`);
  return value;
}

/**
 * What to show beside a field: how the text was read, where that is not plain to see.
 * @param {string} text
 */
export function describeReading(text) {
  const written = text.trim();
  const value = readNumber(written);
  if (value === null || String(value) === written) return "";
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(6));
  const [twoWays] = written.match(/^\D?[1-9]\d{0,2},\d{3}$/) ?? [];
  const other = twoWays ? ` (for the decimal, write ${twoWays.replace(",", ".")})` : "";
  return `read as ${shown}${other}`;
}

/** @param {string} token  digits, points and commas, and maybe a power of ten */
function numberOf(token) {
  if (GROUPED_BY_COMMAS.test(token)) return Number(token.replaceAll(",", ""));
  if (GROUPED_BY_POINTS.test(token)) return Number(token.replaceAll(".", "").replace(",", "."));
  return Number(token.replace(",", ".")); // NaN for 1.2.3
}

/** A formula, read from left to right: sums of products of powers. */
class Formula {
  #written;
  #tokens;

  /** @param {string} written */
  constructor(written) {
    const plain = SPELLINGS.reduce(
      (text, [pattern, sign]) => text.replace(pattern, sign),
      written.toLowerCase(),
    );
    this.#written = written;
    this.#tokens = plain.match(TOKENS) ?? [];
    if (this.#tokens.join("") !== plain.replace(/\s/g, "")) throw this.#misread();
  }

  value() {
    const value = this.#sum();
    if (this.#tokens.length) throw this.#misread();
    return value;
  }

  #misread() {
    const examples = "Write a number such as 0.25, 1/4, 25% or sqrt(2).";
    return new Unreadable(`“${this.#written}” cannot be read. ${examples}`);
  }

  /** The next token, taken if it is one of these. @param {string[]} signs */
  #take(...signs) {
    const [next = ""] = this.#tokens;
    return signs.includes(next) ? this.#tokens.shift() : undefined;
  }

  #sum() {
    let value = this.#product();
    for (let sign = this.#take("+", "-"); sign; sign = this.#take("+", "-")) {
      value += sign === "+" ? this.#product() : -this.#product();
    }
    return value;
  }

  #product() {
    let value = this.#signed();
    for (;;) {
      if (this.#take("*")) value *= this.#signed();
      else if (this.#take("/")) value /= this.#signed();
      else if (/^[a-z(]/.test(this.#tokens[0] ?? "")) value *= this.#power();
      else return value;
    }
  }

  /** @returns {number} */
  #signed() {
    if (this.#take("-")) return -this.#signed();
    return this.#take("+") ? this.#signed() : this.#power();
  }

  /** @returns {number} */
  #power() {
    let base = this.#factor();
    while (this.#take("%")) base /= 100;
    return this.#take("^") ? base ** this.#signed() : base;
  }

  /** @returns {number} */
  #factor() {
    if (this.#take("(")) {
      const value = this.#sum();
      if (!this.#take(")")) throw this.#misread();
      return value;
    }
    const token = this.#tokens.shift() ?? "";
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token];
    if (Object.hasOwn(FUNCTIONS, token)) return FUNCTIONS[token](this.#factor());
    const value = /^[\d.,]/.test(token) ? numberOf(token) : Number.NaN;
    if (Number.isNaN(value)) throw this.#misread();
    return value;
  }
}
