// Where a number comes from: exactly the cells that made it, and by which rule. A cell is
// {id, row, col}; with `head`, of another head than the one in front.

import { range } from "../kit/arithmetic.js";
import { ALL_HEADS, front, MASK, matrix, number, POSITIONS } from "./arithmetic.js";

const cell = (id, row, col) => ({ id, row, col });

// The matrix that enters the layer.
export const inputOf = ({ stage }) => (stage >= POSITIONS ? "tokens" : "X");

// Row i of `left` times column j of `right`: one term for each entry of the row.
const product =
  (left, right) =>
  (state, result, { row, col }) =>
    range(matrix(state, result, left)[0].length).map((c) => [
      cell(left, row, c),
      cell(right, c, col),
    ]);

const projection = (W) => (state, result, at) => product(inputOf(state), W)(state, result, at);

// A query times a key: both are rows.
const meeting = (state, result, { row, col }) => {
  const left = state.stage < 3 ? "X" : "queries";
  return range(matrix(state, result, left)[0].length).map((c) => [
    cell(left, row, c),
    cell("keys", col, c),
  ]);
};

// What becomes of the words of X at stage 2, where they are keys and values themselves.
const copied = (W) => (state, result, at) =>
  state.stage < 3 ? [[cell("X", at.row, at.col)]] : projection(W)(state, result, at);

const blended = product("weights", "values");

function joined(state, result, { row, col }) {
  const size = result.heads[0].blends[0].length;
  const head = Math.floor(col / size);
  const source = cell("blends", row, col % size);
  return [[head === front(state) ? source : { ...source, head }]];
}

function scaled({ stage }, _, { row, col }) {
  const score = [cell("scores", row, col)];
  return stage >= MASK ? [score, [cell("mask", row, col)]] : [score];
}

const shared = ({ stage }, result, { row }) =>
  range(result.heads[0].weights[0].length).map((j) => [
    cell(stage >= 4 ? "scaled" : "scores", row, j),
  ]);

// Two matrices added and normed: their whole rows, since a row's mean and spread take part.
const normed =
  (first, second) =>
  (state, result, { row }) => {
    const left = first ?? inputOf(state);
    return range(result.shared.outputs[0].length).map((c) => [
      cell(left, row, c),
      cell(second, row, c),
    ]);
  };

// The rule of each matrix that is made of others, and the terms that it takes: “sum” adds up the
// products of each term, “relu” does too and keeps what is above 0, “norm” adds up within each term.
const RULES = {
  tokens: ["sum", (_, __, { row, col }) => [[cell("X", row, col)], [cell("positions", row, col)]]],
  queries: ["sum", projection("W_q")],
  keys: ["sum", copied("W_k")],
  values: ["sum", copied("W_v")],
  scores: ["sum", meeting],
  scaled: ["scale", scaled],
  weights: ["softmax", shared],
  blends: ["sum", blended],
  joined: ["sum", joined],
  outputs: [
    "sum",
    (state, ...rest) =>
      (state.stage >= ALL_HEADS ? product("joined", "W_o") : blended)(state, ...rest),
  ],
  normed: ["norm", normed(null, "outputs")],
  hidden: ["relu", product("normed", "W_1")],
  thought: ["sum", product("hidden", "W_2")],
  block: ["norm", normed("normed", "thought")],
};

// {cell, value, rule, terms, main}: `main` is the source to ask next, if there is one.
export function trace(state, result, at) {
  const [rule, find] = RULES[at.id] ?? ["given", () => []];
  const terms = find(state, result, at);
  const value = number(state, result, at);
  return { cell: at, value, rule, terms, main: mainSource(state, result, at, rule, terms) };
}

// What the largest term begins with; a weight's own score; of two that are added, the larger.
function mainSource(state, result, { col }, rule, terms) {
  const size = (source) => Math.abs(number(state, result, source));
  if (rule === "given") return null;
  if (rule === "scale") return terms[0][0];
  if (rule === "softmax") return terms[col][0];
  if (rule === "norm")
    return size(terms[col][1]) > size(terms[col][0]) ? terms[col][1] : terms[col][0];
  const sizes = terms.map((term) => term.reduce((p, source) => p * size(source), 1));
  return terms[sizes.indexOf(Math.max(...sizes))][0];
}

export const sources = ({ terms }) => terms.flat();

export const sameCell = (a, b) =>
  Boolean(a && b) && a.id === b.id && a.row === b.row && a.col === b.col && a.head === b.head;
