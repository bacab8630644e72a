/** The elements of the part, in their order. */
import { html, uniqueId } from "../attn/kit/elements.js";
import { costMessage } from "./messages.mjs";

/** @typedef {ReturnType<typeof addElements>} Elements */

/**
 * What the page's HTML says of the part.
 * @typedef {object} ModelData
 * @property {string} layers  the name of the largest file
 * @property {number} bytes  before the words of a sentence
 * @property {number} shardBytes
 * @property {number} pythonBytes
 * @property {number} longest  how many tokens the figure draws
 * @property {{name: string, texts: string[]}[]} tries
 * @property {Record<string, any>} figure
 */

/** @param {string} text @param {object} [attributes] */
const button = (text, attributes = {}) =>
  html("button", { type: "button", class: "attn-button", text, ...attributes });

/** @param {string} label */
function field(label) {
  const id = uniqueId("sentence");
  const input = html("input", { id, type: "text", maxlength: 2000, autocomplete: "off" });
  const row = html(
    "div",
    { class: "attn-model-field" },
    html("label", { for: id, text: label }),
    input,
  );
  return { input, row };
}

/** @param {HTMLElement} root @param {ModelData} data */
export function addElements(root, data) {
  const first = field("Your sentence");
  const second = field("A second sentence");
  second.row.hidden = true;
  const elements = {
    load: button("", { class: "attn-button attn-button-main" }),
    stop: button("Stop", { hidden: true }),
    progress: html("progress", { hidden: true, max: 1, "aria-label": "Download" }),
    bytes: html("span", { class: "attn-model-bytes" }),
    cost: html("p", { class: "attn-model-cost", text: costMessage(data) }),
    first: first.input,
    second: second.input,
    secondRow: second.row,
    encode: button("Encode", { type: "submit" }),
    more: button("Compare with a second sentence", { "aria-expanded": "false" }),
    link: html("a", { class: "attn-model-link", text: "Link to this" }),
    tries: data.tries.map(({ name }) => button(name)),
    status: html("p", { class: "attn-model-status", role: "status" }),
    figure: html("div"),
    comparison: html("div"),
    form: html("form", { class: "attn-model-form", novalidate: true }),
    loading: html("div", { class: "attn-model-row" }),
  };
  const { load, stop, progress, bytes, encode, more, link, tries, form, loading } = elements;
  loading.append(load, stop, progress, bytes);
  const actions = html("div", { class: "attn-model-row" }, encode, more, link);
  form.append(first.row, second.row, actions);
  const suggestions = html(
    "div",
    { class: "attn-model-row", role: "group", "aria-label": "Sentences to try" },
    html("span", { text: "Try:" }),
    ...tries,
  );
  const { cost, status, figure, comparison } = elements;
  root.append(loading, cost, form, suggestions, status, figure, comparison);
  return elements;
}
