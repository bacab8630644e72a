// Four ways to say where a token stands: their numbers, and what a query sees of a distance in words.

import {
  matmul,
  range,
  sinusoidalPositions,
  softmax,
  speeds,
  transpose,
} from "../kit/arithmetic.js";
import { fixed, short } from "../kit/format.js";

// Row i of X turned by places[i], pair by pair.
export const rotate = (X, places, base) =>
  X.map((row, i) =>
    speeds(row.length, base).flatMap((w, c) => {
      const [x0, x1] = row.slice(2 * c, 2 * c + 2);
      const [cos, sin] = [Math.cos(places[i] * w), Math.sin(places[i] * w)];
      return [x0 * cos - x1 * sin, x0 * sin + x1 * cos];
    }),
  );

// For a number of heads that is a power of two.
const slope = (head, heads) => 2 ** ((-8 * head) / heads);

export const alibiBias = (n, head, heads) =>
  range(n).map((i) => range(n).map((j) => -slope(head, heads) * Math.abs(i - j)));

export const TURNING = ["sinusoidal", "rotary"];

// table: what each position holds; S: what a query sees, rows are queries, columns keys.
export function compute({ kind, size, base, head, spec }) {
  const n = spec.positions;
  if (kind === "alibi") {
    const table = alibiBias(n, head, spec.heads);
    return { table, S: table.map(softmax) };
  }
  if (kind === "rotary") {
    const ones = range(n).map(() => range(size).map((e) => (e + 1) % 2));
    const [table, keys] = [spec.sought, 0].map((ahead) =>
      rotate(
        ones,
        range(n).map((i) => i + ahead),
        base,
      ),
    );
    return { table, S: matmul(table, transpose(keys)) };
  }
  const table = kind === "learned" ? spec.learned : sinusoidalPositions(n, size, base);
  return { table, S: matmul(table, transpose(table)) };
}

const places = (k) => (Math.abs(k) === 1 ? "1 place" : `${Math.abs(k)} places`);
const where = (k) => (k ? `${places(k)} ${k > 0 ? "after" : "before"} it` : "at the same position");

// The smaller angle between two hands, 0 to π.
export const between = (turn) => Math.abs(turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI)));

// A turn in degrees; small ones keep a digit that is not 0.
export function degrees(turn) {
  const angle = (Math.abs(turn) * 180) / Math.PI;
  return angle >= 10 || angle === 0 ? `${Math.round(angle)}°` : `${Number(angle.toPrecision(1))}°`;
}

const SENTENCES = {
  sinusoidal({ position, offset, size, base }, { S }) {
    const all = speeds(size, base);
    const turns = offset
      ? `The fastest clock turns ${degrees(offset)} ${offset > 0 ? "ahead" : "back"}, the slowest ${degrees(offset * all.at(-1))}.`
      : `That is the squared norm, half of ${size}, and the same at every position.`;
    return `Their vectors' dot product is ${fixed(S[position][position + offset])}, of at most ${size / 2}. ${turns}`;
  },
  learned({ position, offset, spec }, { S }) {
    const n = spec.trained;
    const pairs = range(n).filter((i) => i + offset >= 0 && i + offset < n);
    const found = pairs.map((i) => S[i][i + offset]);
    const raw = [...new Set([position, position + offset])].filter((i) => i >= n);
    const untrained = raw.length
      ? ` No training reached position ${raw.sort((a, b) => a - b).join(" or ")}: still a random start near 0.`
      : "";
    return (
      `Their vectors' dot product is ${fixed(S[position][position + offset])}. ` +
      `Over the ${found.length} trained pairs with this offset it runs from ${fixed(Math.min(...found))} to ${fixed(Math.max(...found))}.${untrained}`
    );
  },
  rotary({ position, offset, size, spec }, { S }) {
    const other = offset
      ? ` With the key ${places(offset)} to the other side it is ${fixed(S[position][position - offset])}.`
      : "";
    return (
      `Both turned by their positions, they score ${fixed(S[position][position + offset])}, the same at every pair with this offset.` +
      (offset === spec.sought
        ? ` This query seeks just that: all hands coincide, and no score is above ${size / 2}.`
        : `${other} This query seeks a key ${places(spec.sought)} before it.`)
    );
  },
  alibi({ position, offset, head, spec }, { table, S }) {
    const [cost, weight] = [table, S].map((M) => M[position][position + offset]);
    return (
      `Head ${head} has the slope ${short(slope(head, spec.heads), 4)}: ${offset ? `${places(offset)} cost ${fixed(-cost, 3)}` : "its own position costs nothing"}. ` +
      `If all contents score alike, the query gives this key a weight of ${fixed(weight, 3)}${offset ? `, as much as the key ${places(offset)} to the other side` : ""}. Nothing is hidden.`
    );
  },
};

export function sentence(state, made) {
  const { kind, position, offset } = state;
  const head = `Query at position ${position}, key at ${position + offset}, ${where(offset)}. `;
  return head + SENTENCES[kind](state, made);
}

export const TITLES = {
  sinusoidal: ["vectors: position ↓, entry →", "dot products: query ↓, key →"],
  learned: ["vectors: position ↓, entry →", "dot products: query ↓, key →"],
  rotary: ["the turned query: position ↓, entry →", "scores: query ↓, key →"],
  alibi: ["bias: query ↓, key →", "weights: query ↓, key →"],
};

// What stands in a row of the scores.
export const ROWS = {
  sinusoidal: "dot products of the position",
  learned: "dot products of the position",
  rotary: "scores of the query",
  alibi: "weights of the query",
};

const ends = (M) => [Math.min(...M.flat()), Math.max(...M.flat())];
const largest = (M) => Math.max(...ends(M).map(Math.abs));
const HEAVIEST = 0.4; // just above ALiBi's largest weight, that of head 1 at either end

// The scales of the pictures: each encoding has its own, whichever query, offset or head is chosen.
export function spans(state, { table, S }) {
  const { kind, spec } = state;
  if (kind === "alibi") {
    const steepest = largest(alibiBias(spec.positions, 1, spec.heads));
    return { table: steepest, scores: HEAVIEST, row: { low: 0, high: HEAVIEST } };
  }
  if (kind === "learned") {
    const [low, high] = ends(S);
    return { table: largest(table), scores: largest(S), row: { low, high } };
  }
  const half = state.size / 2;
  return { table: 1, scores: half, row: { low: Math.min(0, Math.floor(ends(S)[0])), high: half } };
}

const fraction = (below) => ({ 2: "½", 4: "¼", 8: "⅛" })[below] ?? `1/${below}`;

// What stands in the place of the clocks where there are none.
export const NOTES = {
  learned: ({ spec }) =>
    `There are no clocks here: each row is ${spec.learned[0].length} free numbers, trained with the model. The thick line is where training ended: what lies below it is still the random start.`,
  alibi: ({ spec }) =>
    `There are no clocks and no vectors here: each head has one slope. Heads 1 to ${spec.heads}: ${range(
      spec.heads,
    )
      .map((i) => fraction(1 / slope(i + 1, spec.heads)))
      .join(", ")}.`,
};
