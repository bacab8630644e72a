// A matrix as coloured cells without numbers, with what is marked on it.

import { range } from "../kit/arithmetic.js";
import { words } from "../kit/chart.js";
import { svg } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";
import { TITLES } from "./arithmetic.js";
import { LEFT, picture, ticks, WIDE } from "./picture.js";

const [TOP, BODY] = [20, 150];

// A thousand cells take longer to make than a slider waits for: those of a matrix that has not
// changed go on into the next picture.
function reuseCells() {
  let [key, group] = [];
  return (M, make) => {
    const next = M.flat().join();
    if (next !== key) [key, group] = [next, svg("g", {}, ...make())];
    return group;
  };
}

// `most` gets the full colour; `marks` are drawn over the cells.
function cells(M, { label, columnRole, marks, keep, most }) {
  const [wide, high] = [(WIDE - LEFT - 4) / M[0].length, BODY / M.length];
  const cell = (value, i, j) =>
    svg("rect", {
      x: (LEFT + j * wide).toFixed(2),
      y: (TOP + i * high).toFixed(2),
      width: (wide + 0.1).toFixed(2),
      height: (high + 0.1).toFixed(2),
      style: { fill: shade(value, most) },
    });
  const ground = { x: LEFT, y: TOP, width: wide * M[0].length, height: BODY };
  const row = { "text-anchor": "end", "data-role": "query" };
  return picture(
    TOP + BODY + 4,
    label,
    svg("rect", { class: "attn-ground", ...ground }),
    keep(M, () => M.flatMap((values, i) => values.map((value, j) => cell(value, i, j)))),
    ...ticks(M.length).map((i) => words(LEFT - 5, TOP + (i + 0.5) * high + 5, `${i}`, row)),
    ...ticks(M[0].length).map((j) =>
      words(LEFT + (j + 0.5) * wide, TOP - 6, `${j}`, { "data-role": columnRole }),
    ),
    ...marks(wide, high),
  );
}

const frame = (x, y, width, height, role) =>
  svg("rect", { class: "attn-picked", "data-role": role, x, y, width, height });

const untrained = (y, wide) =>
  svg("line", { class: "attn-border", x1: LEFT - 3, x2: LEFT + wide, y1: TOP + y, y2: TOP + y });

const largest = (M) => fixed(Math.max(...M.flat().map(Math.abs)));

// Queries on the rows, keys on the columns; the diagonal has the offset that is chosen.
export function matrixPicture() {
  const keep = reuseCells();
  return ({ kind, position, offset, spec }, M, name, most) => {
    const n = M.length;
    const marks = (wide, high) => {
      const at = (i) => [LEFT + (i + offset + 0.5) * wide, TOP + (i + 0.5) * high];
      const inside = range(n).filter((i) => i + offset >= 0 && i + offset < n);
      const [[x1, y1], [x2, y2]] = [at(inside[0]), at(inside.at(-1))];
      const [x, y] = at(position);
      return [
        svg("line", { class: "attn-diagonal", x1, y1, x2, y2 }),
        ...(kind === "learned" ? [untrained(spec.trained * high, n * wide)] : []),
        frame(LEFT - 1, TOP + position * high - 1, n * wide + 2, high + 2, "query"),
        svg("circle", { class: "attn-spot", cx: x, cy: y, r: 6 }),
      ];
    };
    return cells(M, {
      label: `${name}: queries' positions on the rows, keys' on the columns. At query ${position} and key ${position + offset}: ${fixed(M[position][position + offset], 3)}.`,
      columnRole: "key",
      ...{ marks, keep, most },
    });
  };
}

// What each position holds, on its row; for ALiBi, what is added to the scores.
export function tablePicture() {
  const [keep, bias] = [reuseCells(), matrixPicture()];
  return (state, table, most) => {
    const { kind, position, offset, spec } = state;
    if (kind === "alibi") return bias(state, table, "Bias", most);
    const d = table[0].length;
    const rows = [
      [position + offset, "key"],
      [position, "query"],
    ];
    const marks = (wide, high) => [
      ...(kind === "rotary" ? rows.slice(1) : rows).map(([i, role]) =>
        frame(LEFT - 1, TOP + i * high - 1, d * wide + 2, high + 2, role),
      ),
      ...(kind === "learned" ? [untrained(spec.trained * high, d * wide)] : []),
    ];
    return cells(table, {
      label: `${TITLES[kind][0]}: ${table.length} positions on the rows, ${d} entries on the columns, from −${largest(table)} to ${largest(table)} at most.`,
      ...{ marks, keep, most },
    });
  };
}
