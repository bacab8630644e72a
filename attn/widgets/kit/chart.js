// What charts share: words at a place, levels of an axis, and lines told apart by colour and dash.

import { svg } from "./elements.js";

/** @import { Attributes } from "./elements.js" */

/** @type {(x: number, y: number, text: string, more?: Attributes) => SVGTextElement} */
export const words = (x, y, text, more = {}) =>
  svg("text", { x, y, text, "text-anchor": "middle", ...more });

// A level of the upright axis: a line from left to right, its number before it.
/** @type {(ends: [number, number], y: number, text: string) => SVGElement[]} */
export const level = ([left, right], y, text) => [
  svg("line", { class: "attn-rule", x1: left, x2: right, y1: y, y2: y }),
  words(left - 5, y + 4, text, { "text-anchor": "end" }),
];

// One of the palette's series, counted from 1.
/** @type {(series: number) => string} */
export const seriesColour = (series) => `var(--attn-series-${series})`;

/** @type {(series: number, width?: number) => Record<string, string>} */
export const seriesLine = (series, width = 2.4) => ({
  stroke: seriesColour(series),
  "stroke-dasharray": `var(--attn-series-${series}-dash)`,
  "stroke-width": `${width}`,
  fill: "none",
});

// A short piece of a series' line, for a legend.
/** @type {(series: number, width?: number) => SVGSVGElement} */
export const swatch = (series, width) =>
  svg(
    "svg",
    { viewBox: "0 0 34 8", width: 34, height: 8, "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 34, y1: 4, y2: 4, style: seriesLine(series, width) }),
  );
