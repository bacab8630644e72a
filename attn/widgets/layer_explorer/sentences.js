// Numbers in words: the layer at rest, a step of the journey, and where one number comes from, with
// the sum that made it. A part of a line is a string, {strong}, or {cell, text}: a number to follow.

import { moments } from "../kit/arithmetic.js";
import { favourite, fixed, list, percent, scientific, short, wordName } from "../kit/format.js";
import { ALL_HEADS, axes, MASK, matrix, number } from "./arithmetic.js";

const strong = (text) => ({ strong: text });

// Two decimals, more for what they would make 0.
export function write(x) {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || x === 0) return short(x);
  if (size >= 1e4 || size < 5e-4) return `${x < 0 ? "−" : ""}${scientific(size)}`;
  return short(x, size < 0.05 ? 3 : 2);
}

// --- at rest ----------------------------------------------------------------------------------

const MUCH = 0.5; // from here on an entry of the blend is worth telling

export function atRest(state, result) {
  const { stage, words, word, questions, head } = state;
  const me = strong(wordName(words, word));
  const row = matrix(state, result, "weights")[word];
  const looks = favourite(
    words.map((_, j) => wordName(words, j)),
    row,
  );
  const first =
    stage < 3 ? [me, ` ${looks}.`] : [me, " asks ", strong(questions[head]), ` and ${looks}.`];
  return [...first, gains(state, result)];
}

function gains(state, result) {
  const { stage, word } = state;
  const id = stage >= ALL_HEADS ? "blends" : "outputs";
  const names = axes(state, id).columns;
  const most = matrix(state, result, id)
    [word].map((x, c) => [x, names[c]])
    .filter(([x]) => x >= MUCH)
    .sort(([a], [b]) => b - a)
    .slice(0, 3);
  const brings = stage >= ALL_HEADS ? "This head brings it" : "It takes home";
  return most.length
    ? ` ${brings} ${list(most.map(([x, name]) => `${fixed(x)} of “${name}”`))}.`
    : "";
}

// --- one number -------------------------------------------------------------------------------

// What a number means, in a plain sentence.
export function meaning(state, { cell: at, value }) {
  const { rows, columns } = axes(state, at.id, at.head);
  const [one, two] = [strong(wordName(rows, at.row)), strong(wordName(columns, at.col))];
  return MEANINGS[at.id](one, two, { state, value, at });
}

// A question has its own mark at its end.
const stop = ({ strong: text }) => (text.endsWith("?") ? "" : ".");
const rowOf = (what) => (one, two) => [`${what} `, one, " in ", two, "."];
const MEANINGS = {
  X: (one, two) => ["How much ", one, " has of ", two, "."],
  positions: (one, two) => ["What the place of ", one, " adds to ", two, ", whatever the word."],
  tokens: (one, two) => ["How much ", one, " has of ", two, ", with its place added."],
  W_q: (one, two) => ["How strongly a word with ", one, " asks ", two, stop(two)],
  W_k: (one, two) => ["How well a word with ", one, " answers ", two, stop(two)],
  W_v: (one, two) => ["How much of ", one, " goes into the value ", two, "."],
  queries: (one, two) => ["How strongly ", one, " asks ", two, stop(two)],
  keys: (one, two, { state }) =>
    state.stage < 3
      ? ["The entry ", two, " of ", one, ", as a key: X turned on its side."]
      : ["How well ", one, " answers ", two, stop(two)],
  values: (one, two, { state }) =>
    state.stage < 3
      ? ["The entry ", two, " of ", one, ", as a value: X once more."]
      : ["What ", one, " hands over of ", two, "."],
  scores: (one, two, { state }) =>
    state.stage < 3
      ? ["How much ", one, " and ", two, " share."]
      : ["How well what ", one, " asks fits what ", two, " offers."],
  mask: (one, two, { value }) => [
    one,
    value === 0 ? " may look at " : " may not look at ",
    two,
    ".",
  ],
  scaled: (one, two, { value }) =>
    value === -Infinity
      ? [one, " may not look at ", two, ", which comes later."]
      : ["The score of ", one, " with ", two, ", divided by √d_k."],
  weights: (one, two, { value }) => [
    "Of its attention ",
    one,
    " gives ",
    two,
    ` ${percent(value)}.`,
  ],
  blends: (one, two) => [
    "What ",
    one,
    " takes home of ",
    two,
    ": everyone’s value, by the weights.",
  ],
  joined: (one, two, { state, at }) => [
    ...["What ", one, " takes home of ", two, ", from the head “"],
    strong(state.questions[headOf(state, at.col)]),
    "”.",
  ],
  W_o: (one, two) => ["How much of the value ", one, " goes into the entry ", two, "."],
  outputs: (one, two) => ["What attention gives ", one, " of ", two, "."],
  normed: rowOf("Old and new added, then brought to one scale:"),
  W_1: (one, two) => ["How much ", one, " counts for the unit “", two, "”."],
  hidden: (one, two) => ["How much ", one, " looks like ", two, "; below 0 counts as 0."],
  W_2: (one, two) => ["How much the unit “", one, "” writes into ", two, "."],
  thought: (one, two) => ["What the small network gives ", one, " of ", two, "."],
  block: rowOf("What leaves the layer:"),
};

const headOf = ({ questions, spec }, col) =>
  Math.floor((col * questions.length) / spec.carried.length);

// --- its sum ----------------------------------------------------------------------------------

const FULL = 2; // so many terms are written in full; of more, those that are not 0

export function sum(state, result, found) {
  const { rule, value } = found;
  if (rule === "given") return [given(state, found)];
  const end = [" = ", { result: write(value) }];
  if (found.terms.length === 1 && found.terms[0].length === 1 && rule === "sum")
    return ["a copy of ", { cell: found.terms[0][0], text: write(value) }];
  return [...RULES[rule](state, result, found), ...end];
}

// A matrix on its side contradicts its shape unless it says so.
function lies(state, id) {
  if (!["W_q", "W_k", "W_v"].includes(id)) return "";
  const { rows, columns } = axes(state, id);
  return `; ${id} is (${rows.length}, ${columns.length}), on its side here`;
}

function given(state, { cell: { id, row }, value }) {
  const { stage, spec } = state;
  if (id === "positions")
    return `${write(spec.position_scale)} × a wave at place ${row} = ${write(value)}`;
  if (id === "mask" && stage >= MASK)
    return value === 0 ? "adds 0" : "adds −∞, so that its weight is 0";
  return `${write(value)}, set by hand${lies(state, id)}`;
}

const RULES = { sum: products, relu, scale, softmax, norm };

function products(state, result, { terms }) {
  const numbers = terms.map((term) => term.map((source) => number(state, result, source)));
  const kept = terms
    .map((term, i) => [term, numbers[i]])
    .filter(([, factors]) => terms.length <= FULL || factors.reduce((a, b) => a * b) !== 0);
  const zeros = terms.length - kept.length;
  const parts = kept.map(([term, factors]) =>
    term.flatMap((cell, k) => [...(k ? [" × "] : []), { cell, text: write(factors[k]) }]),
  );
  if (zeros) parts.push([`${zeros} × 0`]);
  return parts.flatMap((part, i) => (i ? [" + ", ...part] : part));
}

function relu(state, result, found) {
  return ["max(0, ", ...products(state, result, found), ")"];
}

function scale(state, result, { terms: [[score], [mask] = []] }) {
  const size = matrix(state, result, "queries")[0].length;
  const parts = [{ cell: score, text: write(number(state, result, score)) }, ` ÷ √${size}`];
  if (!mask) return parts;
  const hidden = number(state, result, mask) !== 0;
  return [...parts, hidden ? " − " : " + ", { cell: mask, text: hidden ? "∞" : "0" }];
}

// e to its own score, by the sum over the row; equal scores are counted together.
function softmax(state, result, { cell: at, terms }) {
  const scores = terms.map(([source]) => number(state, result, source));
  const kinds = [...new Map(scores.map((s, j) => [write(s), terms[j][0]]))];
  const many = (text) => scores.filter((s) => write(s) === text).length;
  const power = (text, cell) => ["e^", { cell, text }];
  const below = kinds.flatMap(([text, cell], i) => [
    ...(i ? [" + "] : []),
    ...(many(text) > 1 ? [`${many(text)} × `] : []),
    ...(text === "−∞" ? ["0"] : power(text, cell)),
  ]);
  const own = write(scores[at.col]);
  return [...(own === "−∞" ? ["0"] : power(own, terms[at.col][0])), " ÷ (", ...below, ")"];
}

function norm(state, result, { cell: { col }, terms }) {
  const row = terms.map((term) => term.reduce((a, source) => a + number(state, result, source), 0));
  const { mean, deviation } = moments(row);
  const added = terms[col].flatMap((cell, k) => [
    ...(k ? [" + "] : []),
    { cell, text: write(number(state, result, cell)) },
  ]);
  return ["(", ...added, ` − the row’s mean ${write(mean)}) ÷ its spread ${write(deviation)}`];
}
