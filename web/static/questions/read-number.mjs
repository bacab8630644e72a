/**
 * Read a number as people write it: 0.155, 0,155, 15.5%, 1/(2e+1), √64, 2^3, ln 2, −3, 1e-3.
 *
 * - A point or a comma is a decimal point. Several of one kind, or both kinds, group thousands:
 *   1,024.5 and 1.024,5 and 1 024.5 are the same. A single comma is always a decimal comma.
 * - `e` is Euler's number, except in a power of ten. Digits, e, digits is one: 2e3; with a sign it is
 *   one if it is the whole answer, 1e-3, or has two digits, 8.9e+06, as programs print it. So
 *   1/(2e+1) is 0.155, as on paper. 5*1e-3 can be read in two ways and is refused.
 * - A factor may stand beside another, 2π or 2(1+3), and a function before its number, ln 2 or √64.
 *   1/2π and √2π can be read in two ways and are refused.
 * - A unit behind the answer is left out: 30 °C and 30° are 30.
 * - `%` divides by 100, `°` within a formula turns degrees into radians, `log` is the natural one, as in NumPy.
 */

const CONSTANTS = { e: Math.E, pi: Math.PI, π: Math.PI };
const { abs, exp, sqrt, log, log2, log10, sin, cos, tan, tanh } = Math;
const FUNCTIONS = { abs, exp, sqrt, "√": sqrt, ln: log, log, log2, log10, sin, cos, tan, tanh };
const NAMES = Object.keys({ ...CONSTANTS, ...FUNCTIONS }).sort((a, b) => b.length - a.length);
const SAME = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "∕": "/", ":": "/" };
const ZEROS = [0x660, 0x6f0, 0x966, 0xff10]; // Arabic, Persian, Devanagari, full-width digits
const GAP = "[ \\u00a0\\u2009\\u202f'’_]";

const TOKENS = [
  ["space", /\s+/y],
  ["grouped", new RegExp(`\\d{1,3}(?:${GAP}\\d{3})+(?!\\d)(?:[.,]\\d+)?`, "y")],
  ["grouped", /\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}/y],
  ["grouped", /\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}/y],
  ["plain", /\d+(?:[.,]\d*)?|[.,]\d+/y],
  ["part", /[¼-¾⅐-⅞]/y],
  ["power", /[⁻⁺]?[⁰¹²³⁴-⁹]+/y],
  ["name", new RegExp(`(?:np\\.|numpy\\.|math\\.)?(${NAMES.join("|")})`, "iy")],
  ["sign", /\*\*|[-+*/^()%°]/y],
];
const EXPONENT = /e([+-]?)(\d+)/iy;

export class Unreadable extends Error {}

/**
 * @param {string} text
 * @returns {number|null} null if nothing is written
 * @throws {Unreadable} with a sentence for the reader
 */
export function readNumber(text) {
  const plain = normalised(text);
  if (!plain) return null;
  const value = new Formula(tokens(plain, text.trim()), text.trim()).value();
  if (!Number.isFinite(value)) throw new Unreadable(`“${text.trim()}” has no finite value.`);
  return value;
}

/** A number for the reader to compare with what they wrote. */
const inDigits = (value) => String(Number(value.toPrecision(6)));

/** What to show beside a field: how the text was read, where that is not plain to see. */
export function reading(text) {
  const value = readNumber(text);
  if (value === null || String(value) === text.trim()) return "";
  const comma = /^[-−+]?[1-9]\d{0,2},\d{3}$/.test(text.trim())
    ? " (a comma is a decimal comma)"
    : "";
  return `read as ${inDigits(value)}${comma}`;
}

function normalised(text) {
  return text
    .trim()
    .replace(/^(?:[=≈~]\s*)+/, "")
    .replace(/\p{Nd}/gu, digit)
    .replace(/[−–×·⋅÷∕:]/g, (letter) => SAME[letter])
    .replaceAll("٫", ".")
    .replace(/\s*(?:°\s*C|℃)$/i, "")
    .replace(/^([-+]?[\d.,\s]*\d)\s*°$/, "$1");
}

/** A digit of another script as 0 to 9. */
function digit(letter) {
  const values = ZEROS.map((zero) => letter.codePointAt(0) - zero);
  return values.find((value) => value >= 0 && value < 10) ?? letter;
}

const misread = (written) =>
  new Unreadable(`“${written}” cannot be read. Write a number such as 0.25, 1/4, 25% or sqrt(2).`);

/** The text as [kind, value] pairs: numbers, names, signs. */
function tokens(text, written) {
  const found = [];
  let at = 0;
  const match = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const [kind, hit] = firstMatch(match, written);
    at += hit[0].length;
    if (kind === "plain") {
      const exponent = powerOfTen(match(EXPONENT), hit[0], text);
      at += exponent.length;
      found.push(["number", Number(hit[0].replace(",", ".") + exponent)]);
    } else found.push(...tokensOf(kind, hit));
    const numeric = kind === "plain" || kind === "grouped";
    if (numeric && /^[\d.,]/.test(text.slice(at))) throw misread(written);
  }
  return found;
}

function firstMatch(match, written) {
  for (const [kind, pattern] of TOKENS) {
    const hit = match(pattern);
    if (hit) return [kind, hit];
  }
  throw misread(written);
}

function tokensOf(kind, hit) {
  if (kind === "space") return [];
  if (kind === "grouped") return [["number", ungrouped(hit[0])]];
  if (kind === "part") return [["part", fraction(hit[0])]];
  if (kind === "power")
    return [
      ["sign", "^"],
      ["number", Number(hit[0].normalize("NFKC").replace("−", "-"))],
    ];
  if (kind === "name") return [["name", hit[1].toLowerCase()]];
  return [["sign", hit[0] === "**" ? "^" : hit[0]]];
}

/** The last separator is the decimal one, unless it occurs more than once. */
function ungrouped(text) {
  const last = text.match(/[.,](?=\d+$)/)?.[0];
  const decimal = last && text.split(last).length === 2 ? last : null;
  const [whole, rest] = decimal ? text.split(decimal) : [text, "0"];
  return Number(`${whole.replace(/\D/g, "")}.${rest}`);
}

function fraction(letter) {
  const [above, below] = letter.normalize("NFKC").split("⁄");
  return Number(above) / Number(below);
}

/** The `e-3` behind these digits, or nothing where the e is Euler's number. */
function powerOfTen(hit, digits, text) {
  if (!hit) return "";
  const [written, sign, power] = hit;
  const alone = text.replace(/^[-+]|%$|\s/g, "") === digits + written;
  if (!sign || power.length > 1 || alone) return written;
  if (sign === "+") return "";
  const either = `${digits}*e-${power}, or ${digits}*10^-${power}`;
  throw new Unreadable(`“${digits}${written}” can be read in two ways: write ${either}.`);
}

/** A formula, read from left to right: sums of products of powers. */
class Formula {
  #tokens;
  #written;
  #at = 0;

  constructor(found, written) {
    this.#tokens = found;
    this.#written = written;
  }

  value() {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw misread(this.#written);
    return value;
  }

  #next(...signs) {
    const [kind, value] = this.#tokens[this.#at] ?? [];
    if (kind !== "sign" || !signs.includes(value)) return null;
    this.#at += 1;
    return value;
  }

  /** Whether a factor starts here that may stand beside the last one: a name or a bracket. */
  get #beside() {
    const [kind, value] = this.#tokens[this.#at] ?? [];
    return kind === "name" || (kind === "sign" && value === "(");
  }

  #sum() {
    let value = this.#product();
    for (let sign = this.#next("+", "-"); sign; sign = this.#next("+", "-")) {
      value += sign === "+" ? this.#product() : -this.#product();
    }
    return value;
  }

  #product() {
    let value = this.#signed();
    let divided = false;
    for (;;) {
      const sign = this.#next("*", "/");
      if (sign === "/") value /= this.#signed();
      else if (sign) value *= this.#signed();
      else if (this.#beside && !divided) value *= this.#power();
      else if (this.#beside) throw this.#unclear();
      else return value;
      if (sign) divided = sign === "/";
    }
  }

  #signed() {
    const sign = this.#next("+", "-");
    if (!sign) return this.#power();
    return sign === "-" ? -this.#signed() : this.#signed();
  }

  #power() {
    const base = this.#postfix();
    return this.#next("^") ? base ** this.#signed() : base;
  }

  #postfix() {
    let value = this.#factor();
    for (let sign = this.#next("%", "°"); sign; sign = this.#next("%", "°")) {
      value = sign === "%" ? value / 100 : (value * Math.PI) / 180;
    }
    return value;
  }

  #factor() {
    if (this.#next("(")) {
      const value = this.#sum();
      if (!this.#next(")")) throw misread(this.#written);
      return value;
    }
    const [kind, value] = this.#tokens[this.#at++] ?? [];
    if (kind === "number") return value + this.#part();
    if (kind === "part") return value;
    if (kind !== "name") throw misread(this.#written);
    return value in CONSTANTS ? CONSTANTS[value] : FUNCTIONS[value](this.#argument());
  }

  /** The ½ of 1½. */
  #part() {
    const [kind, value] = this.#tokens[this.#at] ?? [];
    if (kind === "part") this.#at += 1;
    return kind === "part" ? value : 0;
  }

  /** What a function is taken of: `(2+1)`, or the number or name behind it, `ln 2`, `cos 30°`. */
  #argument() {
    const [kind, value] = this.#tokens[this.#at] ?? [];
    const bracketed = kind === "sign" && value === "(";
    const argument = this.#postfix();
    if (!bracketed && (this.#beside || this.#next("^"))) throw this.#unclear();
    return argument;
  }

  #unclear() {
    return new Unreadable(`“${this.#written}” can be read in two ways: use brackets.`);
  }
}
