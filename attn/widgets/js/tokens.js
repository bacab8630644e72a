// What chapter 2's figure computes and says: tokens, their attention, their order.
import { matmul, softmax, transpose } from "./core.js";
import { list, percent, vector } from "./kit/format.js";

export const inOrder = (n) => Array.from({ length: n }, (_, i) => i);
export const split = (sentence) => sentence.trim().split(/\s+/);

// Tokens in the order in which they stand, and softmax(X Xᵀ) X with its parts.
export function attend({ sentence, order, embedding }) {
  const written = split(sentence);
  const words = order.map((i) => written[i]);
  const X = words.map((word) => embedding[word]);
  const scores = matmul(X, transpose(X));
  const weights = scores.map(softmax);
  return { words, X, scores, weights, outputs: matmul(weights, X) };
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
export function moved(state, { outputs }) {
  const home = attend({ ...state, order: inOrder(state.order.length) }).outputs;
  return Math.max(
    ...state.order.flatMap((i, at) => home[i].map((y, c) => Math.abs(y - outputs[at][c]))),
  );
}

export function sentence(state, result) {
  const at = state.order.indexOf(state.query);
  const { words, weights, outputs } = result;
  const looks = words.map(
    (word, j) => `${percent(weights[at][j])} at ${j === at ? "itself" : word}`,
  );
  const twins = words.filter((word) => word === words[at]).length;
  const most = Math.max(...weights[at]);
  const best = words.filter((_, j) => weights[at][j] > most - 1e-12);
  const self =
    weights[at][at] > most - 1e-12
      ? ""
      : ` It looks most at ${list([...new Set(best)])}, not at itself.`;
  const same = twins > 1 ? ` All ${twins} “${words[at]}” have the same output.` : "";
  return `${when(state)}“${words[at]}” looks ${list(looks)}; its output is ${vector(outputs[at])}.${self}${same}${shuffle(state, result)}`;
}

// Which moment of its training the words stand at, if they still do.
function when({ courses, task, moment, embedding }) {
  if (!courses[task]) return "";
  const { words, steps, vectors } = courses[task];
  const untouched = words.every((word, i) =>
    vectors[moment][i].every((x, c) => x === embedding[word][c]),
  );
  if (!untouched) return "Moved by hand: ";
  return steps[moment] ? `After ${steps[moment]} steps of training: ` : "Before training: ";
}

function shuffle(state, result) {
  if (state.order.every((k, i) => k === i)) return "";
  const change = moved(state, result);
  return ` Shuffled: every token keeps its output (largest change ${change ? change.toExponential(0) : "0"}).`;
}

// The farthest any word gets along an axis, whole training courses included.
export const extent = ({ embedding, courses }) =>
  Math.max(
    1.2,
    ...[
      ...Object.values(embedding),
      ...Object.values(courses).flatMap(({ vectors }) => vectors.flat()),
    ]
      .flat()
      .map(Math.abs),
  );

// Names stand beyond their tips; one that would cover another moves on by a line, away from the axis.
export function places(tips, [x0, y0]) {
  const taken = [];
  return tips.map(({ at: [x, y], text, gap }) => {
    const length = Math.hypot(x - x0, y - y0) || 1;
    const [ux, uy] = [(x - x0) / length, (y - y0) / length];
    const anchor = Math.abs(ux) < 0.35 ? "middle" : ux > 0 ? "start" : "end";
    const wide = 8 * text.length;
    const left = x + gap * ux - { start: 0, middle: wide / 2, end: wide }[anchor];
    let top = y + (gap + 5) * uy + 5;
    const covers = (box) =>
      left < box.left + box.wide && box.left < left + wide && Math.abs(top - box.top) < 15;
    while (taken.some(covers)) top += uy > 0 ? 16 : -16;
    taken.push({ left, wide, top });
    return { x: x + gap * ux, y: top, "text-anchor": anchor };
  });
}
