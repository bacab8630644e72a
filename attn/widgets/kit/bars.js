// Weights as bars with their numbers, and a weighted mean as the point where its values balance.

import { html, svg } from "./elements.js";
import { fixed, scale, short } from "./format.js";

// rows: [{label, score, weight, note}]. One bar a row, from 0 to 1, its numbers beside it; with
// `heads`, a word over each column.
/**
 * @typedef {{ label: string, score?: number, weight: number, note?: string }} Bar
 * @param {Bar[]} rows
 * @param {{ heads?: string[] }} [options]
 */
export function weightBars(rows, { heads = [] } = {}) {
  const scored = rows.some(({ score }) => score !== undefined);
  return html(
    "div",
    { class: `attn-bars${scored ? " attn-scored" : ""}`, role: "list", "aria-label": "weights" },
    html("div", { class: "attn-bar attn-heads", "aria-hidden": "true" }, ...heads.map(word)),
    ...rows.map((row) => bar(row, heads[1])),
  );
}

/** @type {(text: string) => HTMLSpanElement} */
const word = (text) => html("span", { text });

/** @type {(row: Bar, head?: string) => HTMLDivElement} */
const bar = ({ label, score, weight, note }, head = "score") =>
  html(
    "div",
    { class: "attn-bar", role: "listitem" },
    html("span", { class: "attn-bar-label", text: label }),
    ...(score === undefined ? [] : [scoring(score, head)]),
    html(
      "span",
      { class: "attn-track", "aria-hidden": "true" },
      html("span", { class: "attn-fill", style: { width: `${100 * weight}%` } }),
    ),
    html("span", { class: "attn-number", text: fixed(weight, 3) }),
    ...(note === undefined ? [] : [html("span", { class: "attn-note attn-value", text: note })]),
  );

/** @type {(score: number, head: string) => HTMLSpanElement} */
const scoring = (score, head) =>
  html(
    "span",
    { class: "attn-number attn-score" },
    html("span", { class: "attn-unseen", text: `${head} ` }),
    fixed(score),
  );

// rows: [{label, value}]. One bar a row, from a zero in the middle to either side, its number beside
// it; a number of size `most` fills its side.
/** @type {(rows: { label: string, value: number }[], options: { most: number, name: string }) => HTMLDivElement} */
export const signedBars = (rows, { most, name: label }) =>
  html(
    "div",
    { class: "attn-bars attn-signed", role: "list", "aria-label": label },
    ...rows.map((row) => signedBar(row, most)),
  );

/** @type {(row: { label: string, value: number }, most: number) => HTMLDivElement} */
function signedBar({ label, value }, most) {
  const share = most > 0 ? Math.min(50, (50 * Math.abs(value)) / most) : 0;
  const style = { width: `${share}%`, "margin-left": `${value < 0 ? 50 - share : 50}%` };
  return html(
    "div",
    { class: "attn-bar", role: "listitem" },
    word(label),
    html(
      "span",
      { class: "attn-track", "aria-hidden": "true" },
      html("span", { class: "attn-fill", "data-low": value < 0, style }),
    ),
    html("span", { class: "attn-number", text: fixed(value) }),
  );
}

const WIDE = 340;
const HIGH = 116;
const NAME = 16; // the line of a name below its value
const APART = 62; // names of values closer than this would cover each other
const AXIS = 78;
const TALL = 58;

// A beam over the value axis: each value carries its weight, and the output is where it balances.
// names: what each value belongs to, written below it if there is room for all.
/** @type {(values: number[], weights: number[], output: number, names?: string[]) => SVGSVGElement} */
export function balance(values, weights, output, names = []) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scale(low === high ? [low - 1, low + 1] : [low, high], [34, WIDE - 34]);
  const places = values.map(x).sort((a, b) => a - b);
  const named = names.length > 0 && places.every((at, j) => !j || at - places[j - 1] >= APART);
  const tall = HIGH + (named ? NAME : 0);
  const label = `Value axis from ${short(low)} to ${short(high)}; the output is at ${fixed(output)}.`;
  return svg(
    "svg",
    { class: "attn-balance", viewBox: `0 0 ${WIDE} ${tall}`, role: "img", "aria-label": label },
    svg("line", { class: "attn-hull", x1: x(low), x2: x(high), y1: AXIS, y2: AXIS }),
    ...values.map((value, j) => mass(x(value), weights[j], short(value))),
    ...(named ? values.map((value, j) => name(x(value), names[j])) : []),
    ...pointer(x(output), fixed(output)),
  );
}

// One value on the beam, its weight as a column over it.
/** @type {(x: number, weight: number, text: string) => SVGGElement} */
function mass(x, weight, text) {
  const top = AXIS - TALL * weight;
  return svg(
    "g",
    {},
    svg("line", { class: "attn-mass", x1: x, x2: x, y1: AXIS, y2: top }),
    svg("circle", { class: "attn-mass-end", cx: x, cy: top, r: 5 }),
    svg("polygon", { class: "attn-value-mark", points: triangle(x, AXIS) }),
    svg("text", { class: "attn-value-text", x, y: AXIS + 26, "text-anchor": "middle", text }),
  );
}

/** @type {(x: number, text: string) => SVGTextElement} */
const name = (x, text) =>
  svg("text", { class: "attn-name-text", x, y: AXIS + 26 + NAME, "text-anchor": "middle", text });

// Where the beam balances.
/** @type {(x: number, text: string) => SVGElement[]} */
function pointer(x, text) {
  const y = AXIS - TALL - 8;
  return [
    svg("line", { class: "attn-drop", x1: x, x2: x, y1: y + 4, y2: AXIS }),
    svg("path", { class: "attn-output-mark", d: `M${x} ${AXIS - 8}l8 8l-8 8l-8 -8z` }),
    svg("text", { class: "attn-output-text", x, y, "text-anchor": "middle", text }),
  ];
}

/** @type {(x: number, y: number) => string} */
const triangle = (x, y) => `${x - 7},${y + 12} ${x + 7},${y + 12} ${x},${y + 1}`;
