// All heads of a sentence from the bytes of its file, and what is told of them. The format is that
// of attn/minilm/maps.py; tests/golden/head_browser.json holds these functions equal to Python.

import { range, sum } from "../kit/arithmetic.js";
import { fixed, list, percent } from "../kit/format.js";

const ONE_NORM = 4096;

const shares = (row) => {
  const whole = sum(row);
  return row.map((x) => x / whole);
};

// The weights of head k of n tokens, (n, n), and the norms of what they weigh, (n).
function readHead(bytes, k, n, count) {
  const square = (i, j) => bytes[(k * n + i) * n + j] ** 2;
  const A = range(n).map((i) => shares(range(n).map((j) => square(i, j))));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = count * n * n + 2 * k * n;
  const norms = range(n).map((j) => view.getUint16(first + 2 * j, true) / ONE_NORM);
  return { A, norms };
}

// Every head's weights, layer by layer: as they are, or times the norms of what they weigh.
export function readHeads(bytes, n, { layers, heads }, weighted) {
  const count = layers * heads;
  return range(count).map((k) => {
    const { A, norms } = readHead(bytes, k, n, count);
    return weighted ? A.map((row) => shares(row.map((a, j) => a * norms[j]))) : A;
  });
}

// How much a head gives to [CLS], on average over its queries.
export const onStart = (A) => sum(A.map((row) => row[0])) / A.length;

// How widely a head looks, on average over its queries: 0 bits is one key.
export const bits = (A) =>
  sum(A.map((row) => sum(row.map((p) => (p > 0 ? -p * Math.log2(p) : 0))))) / A.length;

const kinds = { all: () => true, sinks: (sink) => sink, others: (sink) => !sink };

// One sentence is read once for as long as it is shown.
let last = {};
function heads({ sentence, data, weighted, spec }) {
  if (last.data !== data || last.weighted !== weighted || last.sentence !== sentence) {
    const maps = readHeads(data, spec.tokens[sentence].length, spec, weighted);
    last = { sentence, data, weighted, maps, start: maps.map(onStart), wide: maps.map(bits) };
  }
  return last;
}

export function compute(state) {
  const { sentence, layer, head, query, widest, sinks, data, spec } = state;
  const tokens = spec.tokens[sentence];
  const at = Math.min(query, tokens.length) - 1;
  const k = (layer - 1) * spec.heads + head - 1;
  if (!data) return { tokens, at, k, maps: null };
  const { maps, start, wide } = heads(state);
  const chosen = maps.map((_, i) => kinds[sinks](start[i] > spec.sink) && wide[i] <= widest + 1e-9);
  return { tokens, at, k, maps, start, wide, chosen, A: maps[k] };
}

// Where a query goes when its sentence changes: to its own word, if that is there, or else it stays.
export function sameWord({ sentence, query, spec }, other) {
  const [now, next] = [spec.tokens[sentence], spec.tokens[other]];
  const found = next.indexOf(now[Math.min(query, now.length) - 1]);
  return found < 0 ? Math.min(query, next.length) : found + 1;
}

// How wide a head looks, in words that claim no zero.
export const spread = (wide) => (wide < 0.05 ? "under 0.1 bits" : `${fixed(wide, 1)} bits`);

const quoted = (token) => (/^\[(CLS|SEP)\]$/.test(token) ? token : `“${token}”`);
const tokenName = (tokens, j) => {
  const twice = tokens.indexOf(tokens[j]) !== tokens.lastIndexOf(tokens[j]);
  return quoted(tokens[j]) + (twice ? ` (token ${j + 1})` : "");
};

// The keys of a row from the most to the least, ties in their order.
export const ranked = (row) => range(row.length).sort((i, j) => row[j] - row[i] || i - j);

export function sentence(state, result) {
  const { tokens, at, k, A, start, wide, chosen } = result;
  const where = `Layer ${state.layer}, head ${state.head}`;
  if (!A) {
    return state.failed
      ? `The weights of this sentence of ${tokens.length} tokens could not be loaded. Choose another sentence, or reload the page.`
      : `${where}: the weights of ${tokens.length} tokens are on their way.`;
  }
  const share = (j, word = "") => `${tokenName(tokens, j)} ${word}${percent(A[at][j])}`;
  const [first, ...rest] = ranked(A[at]);
  const others = rest.slice(0, 2).filter((j) => A[at][j] >= 0.005);
  const then = others.length ? `, then ${list(others.map((j) => share(j)))}` : "";
  const [what, gets, average] = state.weighted
    ? ["weights times norms", "gets most from", "comes from"]
    : ["weights", "looks most at", "goes to"];
  const front = chosen.filter(Boolean).length;
  return (
    `${where}, ${what}: ${tokenName(tokens, at)} ${gets} ${share(first, "with ")}${then}. ` +
    `On average over its queries, ${percent(start[k])} ${average} [CLS], and the spread is ${spread(wide[k])}. ` +
    `${front === chosen.length ? `All ${front}` : `${front} of ${chosen.length}`} heads pass the filters` +
    `${chosen[k] ? "." : "; this one does not."}`
  );
}
