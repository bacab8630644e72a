// What the words of a sentence do to each other, in which order they stand, and how it is said.
import { matmul, softmax, transpose } from "./core.js";
import { list, percent, vector } from "./kit/format.js";

export const inOrder = (n) => Array.from({ length: n }, (_, i) => i);
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
  const order = state.order.length ? state.order : inOrder(written.length);
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

export function sentence(state, result) {
  const { words, weights, outputs, at } = result;
  const looks = words.map(
    (word, j) => `${percent(weights[at][j])} at ${j === at ? "itself" : word}`,
  );
  return (
    `${when(state)}“${words[at]}” looks ${list(looks)}; its output is ${vector(outputs[at])}.` +
    elsewhere(result) +
    twins(result) +
    shuffle(state, result)
  );
}

function elsewhere({ words, weights, at }) {
  const most = Math.max(...weights[at]);
  const best = words.filter((_, j) => weights[at][j] > most - 1e-12);
  const home = weights[at][at] > most - 1e-12;
  return home ? "" : ` It looks most at ${list([...new Set(best)])}, not at itself.`;
}

function twins({ words, at }) {
  const count = words.filter((word) => word === words[at]).length;
  return count > 1 ? ` All ${count} “${words[at]}” have the same output.` : "";
}

// Which moment of its training the words stand at, if they still do.
function when({ courses, task, moment, embedding }) {
  if (!courses[task]) return "";
  const { words, steps } = courses[task];
  if (words.some((word) => word in embedding)) return "Moved by hand: ";
  return steps[moment] ? `After ${steps[moment]} steps of training: ` : "Before training: ";
}

function shuffle(state, result) {
  if (result.order.every((k, i) => k === i)) return "";
  const change = moved(state, result);
  const size = change ? change.toExponential(0) : "0";
  return ` Shuffled: every token keeps its output (largest change ${size}).`;
}

// The farthest any word gets along each axis, whole training courses included.
export function extent({ embedding, courses }) {
  const trained = Object.values(courses).flatMap((course) => course.vectors.flat());
  const all = [...Object.values(embedding), ...trained];
  return [0, 1].map((axis) => Math.max(1.2, ...all.map((v) => Math.abs(v[axis]))));
}
