// One word's journey in steps: what each makes, and how it is told.

import { fixed, percent, wordName } from "../kit/format.js";
import { ALL_HEADS, BLOCK, MASK, matrix, POSITIONS } from "./arithmetic.js";

// [{name, makes}], in order; step k of the trait is the k-th of them, 0 the layer at rest.
export function steps({ stage }) {
  const all = [
    [POSITIONS, "position", ["tokens"]],
    [3, "project", ["queries", "keys", "values"]],
    [2, "score", ["scores"]],
    [4, "scale", ["scaled"]],
    [2, "softmax", ["weights"]],
    [2, "blend", stage >= ALL_HEADS ? ["blends"] : ["outputs"]],
    [ALL_HEADS, "mix", ["joined", "outputs"]],
    [BLOCK, "add & norm", ["normed"]],
    [BLOCK, "think", ["hidden", "thought"]],
    [BLOCK, "add & norm", ["block"]],
  ];
  return all
    .filter(([from]) => stage >= from)
    .map(([, name, makes], i) => ({ number: i + 1, name, makes }));
}

// How far the journey is, at most to its end.
export const stepOf = (state) => Math.min(state.step, steps(state).length);

// The step that makes a matrix, or 0 if it is given.
export const madeAt = (state, id) =>
  steps(state).find(({ makes }) => makes.includes(id))?.number ?? 0;

// Whether the journey has come as far as this matrix.
export const isReached = (state, id) => stepOf(state) === 0 || madeAt(state, id) <= stepOf(state);

// Which unit of the small network answers most to the followed word.
function unitOf(state, result) {
  if (state.stage < BLOCK) return "";
  const found = matrix(state, result, "hidden")[state.word];
  const most = Math.max(...found);
  if (most === 0) return "None of its units finds its pattern";
  return `Of its units, “${state.spec.units[found.indexOf(most)]}” finds most: ${fixed(most)}`;
}

// What the step that the journey is at does with the followed word.
export function tell(state, result) {
  const { name, makes } = steps(state)[stepOf(state) - 1];
  const me = wordName(state.words, state.word);
  const weights = matrix(state, result, "weights")[state.word];
  const best = weights.indexOf(Math.max(...weights));
  const other = wordName(state.words, best);
  const hides = state.stage >= MASK && state.masked ? "; what comes later is hidden" : "";
  const sentences = {
    tokens: `What ${me} is, and where it stands, are added.`,
    queries: `${me} becomes a query; every word becomes a key and a value.`,
    scores:
      state.stage < 3
        ? `The row of ${me} meets every row: the more they share, the larger the score.`
        : `The query of ${me} meets every key: a score is large where both are.`,
    scaled: `Each score is divided by √d_k, since sums of more products are larger${hides}.`,
    weights: `The scores of ${me} become shares that sum to 1: ${other} gets ${percent(weights[best])}.`,
    blends: `Every value comes in, each as much as its weight: mostly that of ${other}.`,
    outputs: `Every value comes in, each as much as its weight: mostly that of ${other}.`,
    joined: "The heads stand side by side, and W_o puts what they bring into named entries.",
    normed: `What attention brings is added to what ${me} was, and the row brought to one scale.`,
    hidden: `Alone now, ${me} passes through a small network. ${unitOf(state, result)}.`,
    block: "Added and brought to one scale again: this leaves the layer.",
  };
  return [`Step ${stepOf(state)}, ${name}: `, sentences[makes[0]]];
}
