/** A verdict as elements. Every string is set as text: nothing of a run is ever read as HTML. */
import { html } from "../attn/kit/elements.js";

/**
 * What `Verdict.as_dict()` gives.
 * @typedef {object} Verdict
 * @property {string} state
 * @property {string} heading
 * @property {string} message
 * @property {string[]} columns  of the table
 * @property {string[][]|null} [table]  rows, each with its label first
 * @property {string} [hint]  what to try, for a reader who asks
 * @property {string} [hint_label]
 */

/** @param {Verdict} verdict */
export function verdictCard({ state, heading, message, columns, table, hint, hint_label }) {
  const title = html("p", { class: "attn-verdict-title" }, html("strong", { text: heading }));
  const card = html("div", { class: "attn-verdict", "data-state": state }, title);
  card.append(...paragraphs(message));
  if (table?.length) card.append(comparison(columns, table));
  if (hint) card.append(fold(hint_label ?? "", hint));
  return card;
}

/** @param {string} text */
function paragraphs(text) {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => html("p", { text: part }));
}

/**
 * @param {string} label
 * @param {string} text
 */
const fold = (label, text) =>
  html("details", {}, html("summary", { text: label }), html("p", { text }));

/**
 * On a phone the columns stand below each other, so each cell knows the name of its own.
 * @param {string[]} columns
 * @param {string[][]} rows
 */
function comparison(columns, rows) {
  const head = columns.map((text) => html("th", { scope: "col", text }));
  const body = rows.map(([label, ...cells]) => {
    const first = html("th", { scope: "row", text: label });
    const rest = cells.map((text, i) => html("td", { "data-column": columns[i + 1], text }));
    return html("tr", {}, first, ...rest);
  });
  const table = html(
    "table",
    {},
    html("thead", {}, html("tr", {}, ...head)),
    html("tbody", {}, ...body),
  );
  const name = "Your result and the expected one";
  // A wide table scrolls in a box of its own; the box takes the focus so that keys can scroll it.
  const box = { class: "attn-verdict-table", tabindex: 0, role: "region", "aria-label": name };
  return html("div", box, table);
}
