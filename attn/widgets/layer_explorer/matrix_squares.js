// A matrix to scale: every square is one number, painted by a scale that never moves.

import { range } from "../kit/arithmetic.js";
import { svg } from "../kit/elements.js";
import { fixed, short, wordName } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";
import { axes, compute, ofHead, present } from "./arithmetic.js";
import { corner } from "./layout.js";

// Whose colour a matrix wears; what plays no part is grey.
const ROLES = {
  W_q: "query",
  queries: "query",
  W_k: "key",
  keys: "key",
  W_v: "value",
  values: "value",
  weights: "weight",
};
const GREY = ["X", "tokens", "positions", "scores", "scaled", "mask"];
export const roleOf = (id) => ROLES[id] ?? (GREY.includes(id) ? "muted" : "output");

const STRONG = 0.765; // of the full colour: from here on a number changes its ink

const largest = (matrices) =>
  Math.max(1e-9, ...matrices.flat(2).map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)));

// The number that gets the full colour in each matrix: its largest while the slider is far up. The
// scale stays when the slider moves; or else the slider would show nothing.
export function scales(state) {
  const far = {
    ...state,
    strength: state.spec.controls.strength.max,
    feature: 1.25,
    masked: false,
  };
  const result = compute(far);
  const all = (id) =>
    ofHead(state, id) ? result.heads.map((head) => head[id]) : [result.shared[id]];
  const found = present(state).map((id) => [id, largest(all(id))]);
  return { ...Object.fromEntries(found), weights: 1, mask: 1 };
}

const pressed = (box, size) => ({ width: size, height: size, rx: Math.min(2.5, box.cell / 6) });

// The squares of one matrix as a grid that screen readers can walk; returns {node, cells, show}.
export function squares(state, box, { most, hatch, numbers }) {
  const { id } = box;
  const { rows, columns } = axes(state, id);
  const size = box.cell - 1.2;
  const shown = box.only === undefined ? range(rows.length) : [box.only];
  const cells = rows.map(() => []);
  const groups = shown.map((row) => {
    cells[row] = columns.map((_, col) => {
      const [x, y] = corner(box, { row, col });
      const place = { x: x + 0.6, y: y + 0.6, ...pressed(box, size) };
      return svg("rect", {
        class: "attn-square",
        role: "gridcell",
        tabindex: "-1",
        "data-row": row,
        "data-col": col,
        ...place,
      });
    });
    return svg("g", { role: "row", "data-row": row }, ...cells[row]);
  });
  const minus = svg("path", { class: "attn-minus" });
  const node = svg(
    "g",
    { class: "attn-matrix", "data-matrix": id, role: "grid" },
    ...groups,
    minus,
  );
  const written = numbers ? figures(box, cells) : null;
  if (written) node.append(written.node);
  const paint = painter(box, { most, hatch }, { rows, columns }, written?.write);
  const show = (M, now) => {
    node.setAttribute("aria-label", title(now, id));
    shown.forEach((row) => cells[row].forEach((cell, col) => paint(cell, M[row][col], row, col)));
    const below = shown.flatMap((row) =>
      range(columns.length)
        .filter((col) => M[row][col] < 0 && Number.isFinite(M[row][col]))
        .map((col) => dash(box, { row, col })),
    );
    minus.setAttribute("d", below.join(""));
    groups.forEach((group, i) =>
      group.toggleAttribute(
        "data-faint",
        !box.turned && rows === now.words && shown[i] !== now.word,
      ),
    );
  };
  return { node, cells, texts: written?.texts, show };
}

// Paint a square, but only if its number has changed.
function painter(box, { most, hatch }, { rows, columns }, write = () => {}) {
  const before = new WeakMap();
  return (cell, value, row, col) => {
    if (before.get(cell) === value) return;
    before.set(cell, value);
    const fill = value === -Infinity ? hatch : shade(value, most, roleOf(box.id));
    cell.style.setProperty("fill", fill);
    write(row, col, value, Math.abs(value) / most);
    cell.setAttribute(
      "aria-label",
      `${wordName(rows, row)}, ${wordName(columns, col)}: ${fixed(value)}`,
    );
  };
}

const LONGEST = 4; // letters of a number in a square

// Numbers in the squares, where those are large enough: .87 rather than 0.87.
function figures(box, cells) {
  const size = Math.min(13, 0.44 * box.cell);
  const texts = cells.map((line, row) =>
    line.map((_, col) => {
      const [x, y] = corner(box, { row, col }).map((z) => z + box.cell / 2);
      const style = { "font-size": `${size}px` };
      return svg("text", {
        class: "attn-figure",
        x,
        y: y + 0.36 * size,
        "text-anchor": "middle",
        style,
      });
    }),
  );
  const node = svg("g", { "aria-hidden": "true" }, ...texts.flat());
  const write = (row, col, value, share) => {
    const text = texts[row][col];
    const written = short(value);
    text.textContent = (written.length > LONGEST ? short(value, 1) : written).replace(
      /^(−?)0\./,
      "$1.",
    );
    text.toggleAttribute("data-strong", share >= STRONG && value !== -Infinity);
    text.toggleAttribute("data-zero", value === 0);
  };
  return { node, texts, write };
}

// A white dash says “below 0” where colour does not.
function dash(box, at) {
  const [x, y] = corner(box, at);
  const [from, half] = [x + 0.28 * box.cell, y + box.cell / 2];
  return `M${short(from)} ${short(half)}h${short(0.44 * box.cell)}`;
}

// What a matrix is called where there is room for it.
export function title(state, id) {
  const size = axes(state, "queries").columns.length;
  const { rows, columns } = axes(state, id);
  const shape = `(${rows.length}, ${columns.length})`;
  const lies =
    id.startsWith("W_") && ["W_q", "W_k", "W_v"].includes(id) ? ", on its side here" : "";
  return `${label(state, id, size)} ${shape}${lies}`;
}

export function label({ stage }, id, size) {
  const names = {
    X: stage >= 7 ? "+ X" : "X",
    tokens: "X + positions",
    scaled: `÷ √${size}${stage >= 6 ? " + mask" : ""}`,
    blends: "blend",
    joined: "heads, joined",
    outputs: stage >= 5 ? "outputs Y" : "outputs",
    normed: "add, norm",
    hidden: "hidden",
    thought: "feed-forward",
    block: "add, norm: out",
    W_1: "W₁",
    W_2: "W₂",
  };
  return names[id] ?? id;
}
