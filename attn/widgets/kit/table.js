// A table of words and numbers, and which of its columns or rows is the one that the figure draws.

import { html } from "./elements.js";

/**
 * @import { Attributes } from "./elements.js"
 * @typedef {string | Node | Attributes} Content
 * @type {(tag: "th" | "td", content: Content, more: Attributes) => HTMLTableCellElement}
 */
const filled = (tag, content, more) => {
  if (content instanceof Node) return html(tag, more, content);
  return html(tag, { ...more, ...(typeof content === "string" ? { text: content } : content) });
};

// heads: one for each column, the first over the rows' names, which may be empty. rows: their names
// and their cells. Each is a text, an element, or attributes with a `text`. column and row count
// from 0 without names: the one that is drawn is bold and marked.
/**
 * @typedef {object} TableOptions
 * @property {string} kind
 * @property {string} [caption]
 * @property {Content[]} heads
 * @property {Content[][]} rows
 * @property {number} [column]
 * @property {number} [row]
 * @property {boolean} [stacks] whether on a phone each row becomes a list, whose cells say their column
 * @param {TableOptions} options
 */
export function table({ kind, caption, heads: [corner, ...heads], rows, column, row, stacks }) {
  /** @type {(content: Content, drawn: boolean) => Content} */
  const marked = (content, drawn) => (drawn ? `▸ ${content}` : content);
  const on = (/** @type {number} */ i) => ({
    ...{ "data-drawn": i === column, "data-head": stacks && heads[i] },
  });
  /** @type {(content: Content, i: number) => HTMLTableCellElement} */
  const head = (content, i) =>
    filled("th", marked(content, i === column), { scope: "col", ...on(i) });
  /** @type {(content: Content[], k: number) => HTMLTableRowElement} */
  const line = ([name, ...cells], k) =>
    html(
      "tr",
      { "data-drawn": k === row },
      filled("th", marked(name, k === row), { scope: "row" }),
      ...cells.map((content, i) => filled("td", content, on(i))),
    );
  return html(
    "table",
    { class: `attn-table ${kind}${stacks ? " attn-stacks" : ""}` },
    ...(caption ? [html("caption", { text: caption })] : []),
    html("thead", {}, html("tr", {}, corner ? head(corner, -1) : html("td"), ...heads.map(head))),
    html("tbody", {}, ...rows.map(line)),
  );
}
