// Numbers as the figures write them: a true minus sign, and never a negative zero.

/** @type {(x: number, digits?: number) => string} */
export function fixed(x, digits = 2) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "not a number" : x > 0 ? "∞" : "−∞";
  const text = Math.abs(x).toFixed(digits);
  return x < 0 && Number(text) !== 0 ? `−${text}` : text;
}

// As short as the number allows: 10 rather than 10.00, 2.5 rather than 2.50.
/** @type {(x: number, digits?: number) => string} */
export const short = (x, digits = 2) =>
  Number.isFinite(x) ? fixed(Number(x.toFixed(digits)), decimals(x, digits)) : fixed(x);

/** @type {(x: number, most: number) => number} */
function decimals(x, most) {
  const [, tail = ""] = x.toFixed(most).split(".");
  return tail.replace(/0+$/, "").length;
}

/** @type {(c: string) => string} */
const superscript = (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]);

// 10⁻⁷; 1 for the power 0.
/** @type {(power: number) => string} */
export const tenTo = (power) => (power ? `10${[...`${power}`].map(superscript).join("")}` : "1");

// Two digits and a power of ten: 4.5·10⁻⁷.
/** @type {(x: number) => string} */
export function scientific(x) {
  const [digits, power] = x.toExponential(1).split("e");
  return `${digits}·${tenTo(Number(power))}`;
}

/** @type {(angle: number) => string} */
export const degree = (angle) => `${short(angle)}°`;

// A share in per cent that never claims a 0 or a 100 it does not have. Below 10 it has a decimal: the
// small shares of a row, rounded to whole ones, would add up to too much.
/** @type {(p: number) => string} */
export function percent(p) {
  if (p > 0 && p < 0.0005) return "under 0.1%";
  if (p < 1 && p >= 0.995) return "over 99%";
  return `${short(100 * p, p < 0.0995 ? 1 : 0)}%`;
}

/** @type {(v: number[], digits?: number) => string} */
export const vector = (v, digits = 2) => `(${v.map((x) => fixed(x, digits)).join(", ")})`;

// A word that a sentence talks about.
/** @type {(word: string) => string} */
export const quoted = (word) => `“${word}”`;

// Words that stand twice are told apart by their place: “the (1)”, “the (5)”.
/** @type {(words: string[], j: number) => string} */
export const wordName = (words, j) =>
  words.indexOf(words[j]) === words.lastIndexOf(words[j]) ? words[j] : `${words[j]} (${j + 1})`;

/** @type {(parts: string[]) => string} */
export function list(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

// Which of the names a row of weights prefers, a tie and no preference told as such.
/** @type {(names: string[], weights: number[]) => string} */
export function favourite(names, weights) {
  const most = Math.max(...weights);
  const best = names.filter((_, j) => most - weights[j] < 1e-9);
  if (best.length === names.length && names.length > 1)
    return `has no preference, ${percent(most)} each`;
  const share = best.length > 1 ? `${percent(most)} each` : percent(most);
  return `looks most at ${list(best)}, ${share}`;
}

// A scale is a function from the data to the page, with what a drawing needs to know of it.
/** @type {(domain: [number, number], range: [number, number]) => (x: number) => number} */
export function scale([d0, d1], [r0, r1]) {
  if (d0 === d1) throw new RangeError(`a scale needs two ends, not ${d0} twice`);
  return (x) => r0 + ((x - d0) / (d1 - d0)) * (r1 - r0);
}

/** @type {(x: number, low: number, high: number) => number} */
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
