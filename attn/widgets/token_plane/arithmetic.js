// What the words of a sentence do to each other, in which order they stand, and how it is said.
import { dot, matmul, range, softmax, transpose } from "../kit/arithmetic.js";
import { fixed, list, percent, quoted, vector } from "../kit/format.js";

const LEAST = 2; // how far the plane reaches at least, so that there is room to drag

export const split = (sentence) => sentence.trim().split(/\s+/);

// Where each word is: brought there by its course, or put there.
export const vectors = ({ embedding, courses, task, moment }) => ({
  ...(courses[task] ? wordsAt(courses[task], moment) : {}),
  ...embedding,
});

const wordsAt = ({ words, vectors: at }, moment) =>
  Object.fromEntries(words.map((word, i) => [word, at[moment][i]]));

// Tokens in the order in which they stand, and softmax(X Xᵀ) X with its parts.
export function attend(state) {
  const written = split(state.sentence);
  const order = state.order.length ? state.order : range(written.length);
  const words = order.map((i) => written[i]);
  const placed = vectors(state);
  const X = words.map((word) => placed[word]);
  const scores = matmul(X, transpose(X));
  const weights = scores.map(softmax);
  const outputs = matmul(weights, X);
  return { placed, order, words, X, scores, weights, outputs, at: order.indexOf(state.query) };
}

// Another order than this one, each of the others equally likely (but where there is none).
export function shuffled(order, random) {
  const next = [...order];
  for (let i = next.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [next[i], next[j]] = [next[j], next[i]];
  }
  return order.length > 1 && next.every((k, i) => k === order[i]) ? shuffled(order, random) : next;
}

// How far any token's output moved because the others changed places.
export function moved(state, { order, outputs }) {
  const home = attend({ ...state, order: [] }).outputs;
  return Math.max(...order.flatMap((i, at) => home[i].map((y, c) => Math.abs(y - outputs[at][c]))));
}

// The two entries of a vector that the plane shows.
export const seen = ({ axes }, v) => axes.map((axis) => v[axis]);

// "(0.72, 0.19)", or by name: "moves 0.72 and living 0.19".
export function describeVector(state, v) {
  const { entries, axes } = state;
  if (!entries.length) return vector(seen(state, v));
  return list(axes.map((axis) => `${entries[axis]} ${fixed(v[axis])}`));
}

export function sentence(state, result) {
  const { words, weights, outputs, at } = result;
  return (
    `${when(state)}${quoted(words[at])} ${looks(words, weights[at], at)}; ` +
    `its output ${state.entries.length ? "has" : "is"} ${describeVector(state, outputs[at])}.` +
    tag(state, result) +
    elsewhere(result) +
    twins(result) +
    shuffle(state, result)
  );
}

const undecided = (row) => row.length > 1 && Math.max(...row) - Math.min(...row) < 1e-12;

function looks(words, row, at) {
  if (undecided(row)) return `has no preference, ${percent(row[0])} each`;
  const shares = words.map((w, j) => `${percent(row[j])} at ${j === at ? "itself" : quoted(w)}`);
  return `looks ${list(shares)}`;
}

// The word that it looks at most, if that is another, or as much at as at itself.
function elsewhere({ words, weights, at }) {
  const row = weights[at];
  const best = words.filter((_, j) => row[j] > Math.max(...row) - 1e-12);
  const others = list([...new Set(best)].filter((word) => word !== words[at]).map(quoted));
  if (undecided(row) || !others) return "";
  const home = best.includes(words[at]);
  return home
    ? ` It looks as much at ${others} as at itself.`
    : ` It looks most at ${others}, not at itself.`;
}

// What the task reads off the output of the token that has to answer it.
function tag(state, { outputs, at }) {
  const { courses, task, query } = state;
  const asked = courses[task]?.tag;
  if (!asked || query !== asked.at) return "";
  const value = dot(asked.w, outputs[at]);
  const answer = value > 0 ? `yes, ${asked.yes}` : value < 0 ? `no, ${asked.no}` : "undecided";
  const chance = when(state) === UNTRAINED ? ", by chance" : "";
  return ` Its tag is ${fixed(value)}: ${answer}${chance}.`;
}

function twins({ words, at }) {
  const count = words.filter((word) => word === words[at]).length;
  const all = count === 2 ? "Both" : `All ${count}`;
  return count > 1 ? ` ${all} “${words[at]}” have the same output.` : "";
}

const UNTRAINED = "Before training: ";

// Which moment of its training the words stand at, if they still do.
function when({ courses, task, moment, embedding }) {
  if (!courses[task]) return "";
  const { words, steps } = courses[task];
  if (words.some((word) => word in embedding)) return "Moved by hand: ";
  return steps[moment] ? `After ${steps[moment]} steps of training: ` : UNTRAINED;
}

function shuffle(state, result) {
  if (result.order.every((k, i) => k === i)) return "";
  const change = moved(state, result);
  const size = change ? change.toExponential(0) : "0";
  return ` Shuffled: every token keeps its output (largest change ${size}).`;
}

// The farthest any word gets along each axis, whole training courses included.
export function extent({ embedding, courses, axes }) {
  const trained = Object.values(courses).flatMap((course) => course.vectors.flat());
  const all = [...Object.values(embedding), ...trained];
  return axes.map((axis) => Math.max(LEAST, ...all.map((v) => Math.abs(v[axis]))));
}

// Every word on its way from one place to another: 0 is still there, 1 has arrived.
export function between(from, to, share) {
  const way = ([word, end]) => [word, end.map((x, c) => x + (1 - share) * (from[word][c] - x))];
  return Object.fromEntries(Object.entries(to).map(way));
}
