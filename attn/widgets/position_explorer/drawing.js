// Four ways to say where a token stands, and what a query sees of the distance to a key.

import { range } from "../kit/arithmetic.js";
import { words } from "../kit/chart.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, scale } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";
import {
  between,
  compute,
  degrees,
  NOTES,
  sentence,
  speeds,
  TITLES,
  TURNING,
} from "./arithmetic.js";

const [WIDE, LEFT, TOP, BODY] = [300, 30, 18, 190];
const [LOW, CLOCKS, DIAL] = [96, 6, 20];

const picture = (high, label, ...shapes) =>
  svg(
    "svg",
    {
      class: "attn-balance attn-cells",
      viewBox: `0 0 ${WIDE} ${high}`,
      role: "img",
      "aria-label": label,
    },
    ...shapes,
  );

// Where rows or columns are numbered: at the quarters, and at the last.
const ticks = (n) => [0, n / 4, n / 2, (3 * n) / 4, n - 1];

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

// A matrix as coloured cells without numbers. `marks` are drawn over it.
function cells(M, { label, columnRole, marks, keep }) {
  const [wide, high] = [(WIDE - LEFT - 4) / M[0].length, BODY / M.length];
  const most = Math.max(...M.flat().map(Math.abs));
  const cell = (value, i, j) =>
    svg("rect", {
      x: (LEFT + j * wide).toFixed(2),
      y: (TOP + i * high).toFixed(2),
      width: (wide + 0.1).toFixed(2),
      height: (high + 0.1).toFixed(2),
      style: { fill: shade(value, most) },
    });
  const ground = { x: LEFT, y: TOP, width: wide * M[0].length, height: BODY };
  const [row, corner] = [
    { "text-anchor": "end", "data-role": "query" },
    { "text-anchor": "start" },
  ];
  return picture(
    TOP + BODY + 4,
    label,
    svg("rect", { class: "attn-ground", ...ground }),
    keep(M, () => M.flatMap((values, i) => values.map((value, j) => cell(value, i, j)))),
    ...ticks(M.length).map((i) => words(LEFT - 4, TOP + (i + 0.5) * high + 4, `${i}`, row)),
    ...(columnRole ? [words(1, TOP - 5, "q↓ k→", { class: "attn-corner-note", ...corner })] : []),
    ...ticks(M[0].length).map((j) =>
      words(LEFT + (j + 0.5) * wide, TOP - 5, `${j}`, { "data-role": columnRole }),
    ),
    ...marks(wide, high),
  );
}

const frame = (x, y, width, height, role) =>
  svg("rect", { class: "attn-mark", "data-role": role, x, y, width, height });

function tablePicture(state, { table }, keep) {
  const { kind, position, offset, spec } = state;
  if (kind === "alibi") return matrixPicture(state, table, "Bias", keep);
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
    label: `${TITLES[kind][0]}: ${table.length} positions on the rows, ${d} entries on the columns, from −${most(table)} to ${most(table)} at most.`,
    marks,
    keep,
  });
}

const most = (M) => fixed(Math.max(...M.flat().map(Math.abs)));

const untrained = (y, wide) =>
  svg("line", { class: "attn-border", x1: LEFT - 3, x2: LEFT + wide, y1: TOP + y, y2: TOP + y });

function matrixPicture({ kind, position, offset, spec }, M, name, keep) {
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
    marks,
    keep,
  });
}

// Up to six of the pairs, from the fastest to the slowest.
export function shownPairs(d) {
  const pairs = d / 2;
  const count = Math.min(CLOCKS, pairs);
  return range(count).map((i) => Math.round((i * (pairs - 1)) / (count - 1)));
}

// A hand at an angle: clockwise from 12.
const pointing = (turn) => [Math.sin(turn), -Math.cos(turn)];

const hand = (x, y, turn, role) => {
  const [dx, dy] = pointing(turn);
  const tip = { x2: x + 0.92 * DIAL * dx, y2: y + 0.92 * DIAL * dy };
  return svg("line", { class: "attn-hand", "data-role": role, x1: x, y1: y, ...tip });
};

function clocks({ kind, position, offset, size, base, spec }) {
  const shown = shownPairs(size);
  const speed = speeds(size, base);
  const ahead = kind === "rotary" ? spec.sought : 0;
  const apart = (c) =>
    degrees(kind === "rotary" ? between((offset - ahead) * speed[c]) : offset * speed[c]);
  const clock = (c, i) => {
    const [x, y] = [(WIDE / shown.length) * (i + 0.5), 34];
    return [
      svg("circle", { class: "attn-dial", cx: x, cy: y, r: DIAL }),
      hand(x, y, (position + offset) * speed[c], "key"),
      hand(x, y, (position + ahead) * speed[c], "query"),
      words(x, y + 38, apart(c)),
      words(x, y + 54, `pair ${c}`, { class: "attn-quiet" }),
    ];
  };
  const turned =
    kind === "rotary" ? "between the hands of query and key lie" : "the offset turns them by";
  return picture(
    LOW,
    `Clocks of pairs ${shown.join(", ")}: ${turned} ${shown.map(apart).join(", ")}.`,
    ...shown.flatMap(clock),
  );
}

// One row of the right matrix as columns over or under zero.
function profile({ position, offset, kind }, { S }) {
  const row = S[position];
  const [low, high] = [Math.min(0, ...row), Math.max(0, ...row)];
  const y = scale([low, high], [LOW - 20, 12]);
  const step = (WIDE - LEFT - 4) / row.length;
  const x = (j) => LEFT + (j + 0.5) * step;
  const column = (value, j) => {
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const box = { x: x(j) - 0.4 * step, y: top, width: 0.8 * step };
    return svg("rect", {
      class: "attn-column",
      "data-role": j === position + offset ? "key" : j === position ? "query" : undefined,
      height: Math.max(0.8, bottom - top),
      ...box,
    });
  };
  const end = (value) =>
    words(LEFT - 4, y(value) + 4, fixed(value, kind === "alibi" ? 2 : 0), { "text-anchor": "end" });
  return picture(
    LOW,
    `Row ${position} of the matrix, over the keys' positions, from ${fixed(Math.min(...row))} to ${fixed(Math.max(...row))}.`,
    ...row.map(column),
    svg("line", { class: "attn-axis", x1: LEFT, x2: WIDE - 4, y1: y(0), y2: y(0) }),
    end(high),
    ...(low < 0 ? [end(low)] : []),
    ...ticks(row.length).map((j) => words(x(j), LOW - 4, `${j}`, { "data-role": "key" })),
  );
}

function panels(state, result, keep) {
  const { kind, position } = state;
  const [left, right] = TITLES[kind];
  const apart =
    kind === "rotary" ? "angle between query and key" : "how far the offset turns clocks";
  return [
    titled(left, tablePicture(state, result, keep.left)),
    titled(right, matrixPicture(state, result.S, right, keep.right)),
    TURNING.includes(kind)
      ? titled(apart, clocks(state))
      : html("p", { class: "attn-lead attn-aside", text: NOTES[kind](state) }),
    titled(`row ${position} of the right matrix`, profile(state, result)),
  ];
}

function build(page) {
  page.stage.classList.add("attn-single");
  const top = add(page.stage, html("div", { class: "attn-chooser" }));
  page.select("kind", { parent: top, label: "encoding" });
  add(top, html("p", { class: "attn-lead", text: "Framed: query. Dashed: key, offset." }));
  const drawing = add(page.stage, html("div", { class: "attn-panels" }));
  page.slider("offset", { label: "offset δ", role: "key", format: (x) => fixed(x, 0) });
  page.slider("position", { label: "query at", role: "query" });
  const turning = [
    page.slider("size", { label: "size d" }),
    page.slider("base", { label: "base" }),
  ];
  const head = page.slider("head", { label: "head" });
  const keep = { left: reuseCells(), right: reuseCells() };
  return (state, result) => {
    for (const node of turning) node.hidden = !TURNING.includes(state.kind);
    head.hidden = state.kind !== "alibi";
    drawing.replaceChildren(...panels(state, result, keep));
  };
}

export default figure({
  name: "PositionExplorer",
  title: "Where a token stands",
  compute,
  build,
  words: sentence,
  tall: true,
});
