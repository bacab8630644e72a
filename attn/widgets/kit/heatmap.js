// A matrix as a table of colours with its numbers: rows are queries, columns are keys, each row's
// sum at its end.

import { html, scrollBox } from "./elements.js";
import { fixed } from "./format.js";

const LARGEST_ROOMY = 12; // with more rows or columns, cells stand close

// How much of the full colour a number gets.
/** @type {(value: number, most: number) => number} */
const shareOf = (value, most) => (most > 0 ? Math.min(1, Math.abs(value) / most) : 0);

// How a cell looks: its share of the full colour, its side of zero, its number. null is a hidden cell.
/**
 * @typedef {{ share: number, low?: boolean, hidden?: boolean, text: string }} Look
 * @type {(value: number | null, most: number) => Look}
 */
export function cell(value, most) {
  if (value === null) return { share: 0, hidden: true, text: "hidden" };
  return { share: shareOf(value, most), low: value < 0, text: fixed(value) };
}

// The colour of a number of either sign where there is no room to write it.
/** @type {(value: number, most: number, high?: string) => string} */
export function shade(value, most, high = "weight") {
  const end = value < 0 ? "score-low" : high;
  const share = fixed(100 * shareOf(value, most), 1);
  return `color-mix(in oklab, var(--attn-${end}) ${share}%, var(--attn-paper))`;
}

// The value that gets the full colour: 1 for weights, the largest size for scores.
/**
 * @typedef {(number | null)[][]} Cells
 * @typedef {"weight" | "score"} Kind
 * @type {(A: Cells, kind: Kind) => number}
 */
export const ceiling = (A, kind) =>
  kind === "weight" ? 1 : Math.max(...A.flat().map((x) => Math.abs(x ?? 0)));

/** @type {(row: (number | null)[]) => number} */
const rowSum = (row) => row.reduce((/** @type {number} */ sum, x) => sum + (x ?? 0), 0);

// kind "weight": 0 to 1 with row sums; kind "score": any sign, no sums. Returns show(A).
/**
 * @param {Element} parent
 * @param {{ rows: string[], columns: string[], label: string, kind?: Kind }} options
 * @returns {(A: Cells) => void}
 */
export function heatmap(parent, { rows, columns, label, kind = "weight" }) {
  const tight = Math.max(rows.length, columns.length) > LARGEST_ROOMY;
  const cells = rows.map(() =>
    columns.map(() => html("td", { class: "attn-heat-cell" }, html("span"))),
  );
  const sums = kind === "weight" ? rows.map(() => html("td", { class: "attn-sum" })) : [];
  scrollBox(parent, label).append(
    html(
      "table",
      { class: `attn-heat${tight ? " attn-tight" : ""}` },
      html("caption", { text: label }),
      html("thead", {}, heads(columns, sums.length > 0)),
      html("tbody", {}, ...rows.map((name, i) => line(name, cells[i], sums[i]))),
    ),
  );
  return (A) => {
    const most = ceiling(A, kind);
    A.forEach((row, i) => {
      row.forEach((value, j) => paint(cells[i][j], cell(value, most)));
      if (sums[i]) sums[i].textContent = fixed(rowSum(row));
    });
  };
}

// The row of heads: keys on the columns, and a sum at the end where rows have one.
/** @type {(columns: string[], summed: boolean) => HTMLTableRowElement} */
export const heads = (columns, summed) =>
  html(
    "tr",
    {},
    html("td", { class: "attn-corner" }, "query ↓", html("br"), "key →"),
    ...columns.map((text) => html("th", { scope: "col", text })),
    ...(summed ? [html("th", { scope: "col", class: "attn-sum", text: "sum" })] : []),
  );

/** @type {(text: string, cells: Node[], sum?: Node) => HTMLTableRowElement} */
const line = (text, cells, sum) =>
  html("tr", {}, html("th", { scope: "row", text }), ...cells, ...(sum ? [sum] : []));

/** @type {(node: HTMLElement, look: Look) => void} */
function paint(node, { share, low, hidden, text }) {
  node.style.setProperty("--w", String(share));
  node.toggleAttribute("data-low", Boolean(low));
  node.toggleAttribute("data-hidden", Boolean(hidden));
  node.children[0].textContent = text;
}
