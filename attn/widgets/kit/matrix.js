// Matrices on cards: a small table of numbers, and a frame that says what a step does with it.

import { html, scrollBox } from "./elements.js";
import { fixed } from "./format.js";

// A matrix whose rows are named and whose columns are plain coordinates. Returns show(M).
/**
 * @import { Matrix } from "./arithmetic.js"
 * @param {Element} parent
 * @param {{ rows: string[], label: string, role?: string }} options
 * @returns {(M: Matrix) => void}
 */
export function rowTable(parent, { rows, label, role }) {
  const heads = rows.map((text) => html("th", { scope: "row", text }));
  const lines = heads.map((head) => html("tr", {}, head));
  const box = scrollBox(parent, label);
  box.append(
    html(
      "table",
      { class: "attn-rows", "data-role": role },
      html("caption", { text: label }),
      html("tbody", {}, ...lines),
    ),
  );
  return (M) =>
    M.forEach((row, i) =>
      lines[i].replaceChildren(
        heads[i],
        ...row.map((x) => html("td", {}, html("span", { text: fixed(x) }))),
      ),
    );
}

const TAGS = { reads: "reads", writes: "writes", done: "\u00a0" };

// A card round one matrix. show(M, mark, row): mark is "reads", "writes", "done" or "later"; row is
// the one that is followed, or null. A matrix still to come keeps its place and hides its numbers.
/**
 * @typedef {"reads" | "writes" | "done" | "later"} Mark
 * @typedef {(parent: Element, title: string) => (M: Matrix) => void} Build
 * @param {Element} parent
 * @param {{ name: string, title: string, later: string, build: Build }} options
 * @returns {(M: Matrix, mark: Mark, row: number | null) => void}
 */
export function card(parent, { name, title, later, build }) {
  const tag = html("p", { class: "attn-tag" });
  const node = html("div", { class: "attn-card", "data-card": name }, tag);
  parent.append(node);
  const fill = build(node, title);
  return (M, mark, row) => {
    node.dataset.mark = mark;
    tag.textContent = mark === "later" ? later : TAGS[mark];
    fill(M);
    node
      .querySelectorAll("tbody tr")
      .forEach((line, i) => line.toggleAttribute("data-on", i === row));
  };
}
