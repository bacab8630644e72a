// A matrix as colours with its numbers: rows are queries, columns are keys, each row's sum at its end.
// Up to 32 by 32 it is a real table; beyond, a canvas with the sums and ends in words.

import { html, scrollBox } from "./controls.js";
import { fixed } from "./format.js";
import { onTheme, ramp, themed } from "./palette.js";

export const LARGEST_TABLE = 32;
const LARGEST_WITH_NUMBERS = 12;
export const STRONG = 0.765; // from this share on, a cell’s number changes colour

// How a cell looks: its share of the full colour, its side of zero, its number. null is a hidden cell.
export function cell(value, most, digits) {
  if (value === null) return { share: 0, hidden: true, text: "hidden" };
  const share = most > 0 ? Math.min(1, Math.abs(value) / most) : 0;
  return { share, low: value < 0, strong: share >= STRONG, text: fixed(value, digits) };
}

// The value that gets the full colour: 1 for weights, the largest size for scores.
// On a canvas, where many weights are small and none is written out, the largest in either case.
export const ceiling = (A, kind) => (kind === "weight" ? 1 : largest(A));

const largest = (A) => Math.max(...A.flat().map((x) => Math.abs(x ?? 0)));

const rowSum = (row) => row.reduce((sum, x) => sum + (x ?? 0), 0);

// kind "weight": 0 to 1 with row sums; kind "score": any sign, no sums. Returns show(A); show.stop() ends it.
export function heatmap(parent, { rows, columns, label, kind = "weight", digits = 2 }) {
  const build = Math.max(rows.length, columns.length) > LARGEST_TABLE ? canvas : table;
  return build(scrollBox(parent, label), { rows, columns, label, kind, digits });
}

function table(box, { rows, columns, label, kind, digits }) {
  const tight = Math.max(rows.length, columns.length) > LARGEST_WITH_NUMBERS;
  const head = (scope, text) => html("th", { scope, text });
  const cells = rows.map(() => columns.map(() => html("td", { class: "attn-cell" }, html("span"))));
  const sums = rows.map(() => html("td", { class: "attn-sum" }));
  const last = kind === "weight";
  box.append(
    html(
      "table",
      { class: `attn-heat${tight ? " attn-tight" : ""}` },
      html("caption", { text: label }),
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("td", { class: "attn-corner" }, "query ↓", html("br"), "key →"),
          ...columns.map((name) => head("col", name)),
          ...(last ? [html("th", { scope: "col", class: "attn-sum", text: "sum" })] : []),
        ),
      ),
      html(
        "tbody",
        {},
        ...rows.map((name, i) =>
          html("tr", {}, head("row", name), ...cells[i], ...(last ? [sums[i]] : [])),
        ),
      ),
    ),
  );
  const show = (A) => {
    const most = ceiling(A, kind);
    A.forEach((row, i) => {
      row.forEach((value, j) => paint(cells[i][j], cell(value, most, digits)));
      sums[i].textContent = fixed(rowSum(row), 2);
    });
  };
  return Object.assign(show, { stop: () => {} });
}

function paint(node, { share, low, strong, hidden, text }) {
  node.style.setProperty("--w", share);
  node.toggleAttribute("data-low", Boolean(low));
  node.toggleAttribute("data-strong", Boolean(strong));
  node.toggleAttribute("data-hidden", Boolean(hidden));
  node.firstChild.textContent = text;
}

const ends = (names) => `${names[0]} … ${names.at(-1)}`;

function canvas(box, { rows, columns, label, kind }) {
  const node = html("canvas", {
    class: "attn-canvas",
    width: columns.length,
    height: rows.length,
    role: "img",
  });
  const note = html("p", { class: "attn-note" });
  box.append(
    html(
      "div",
      { class: "attn-canvas-frame" },
      html("p", { class: "attn-key", text: `keys: ${ends(columns)} →` }),
      html("p", { class: "attn-query attn-down", text: `queries: ${ends(rows)} →` }),
      node,
    ),
    note,
  );
  let shown = [];
  const draw = () => {
    if (shown.length) fill(node, shown, largest(shown));
  };
  const stop = onTheme(draw);
  const show = (A) => {
    shown = A;
    draw();
    const sums = kind === "weight" ? `; ${rows.length} rows, each with the sum ${sumsOf(A)}` : "";
    note.textContent = `full colour is ${fixed(largest(A))}${sums}`;
    node.setAttribute(
      "aria-label",
      `${label}, ${rows.length} queries by ${columns.length} keys. ${note.textContent}`,
    );
  };
  return Object.assign(show, { stop });
}

function sumsOf(A) {
  const [low, high] = [Math.min, Math.max].map((f) => fixed(f(...A.map(rowSum)), 2));
  return low === high ? low : `${low} to ${high}`;
}

function fill(node, A, most) {
  const paper = themed(node, "paper");
  const ramps = [ramp(themed(node, "weight"), paper), ramp(themed(node, "score-low"), paper)];
  const context = node.getContext("2d");
  const image = context.createImageData(A[0].length, A.length);
  A.flat().forEach((value, at) => {
    const { share, low } = cell(value, most, 0);
    image.data.set([...ramps[low ? 1 : 0][Math.round(255 * share)], 255], 4 * at);
  });
  context.putImageData(image, 0, 0);
}
