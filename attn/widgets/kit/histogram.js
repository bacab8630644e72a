// How numbers are spread: a histogram with marks, and a column for each of a few weights.

import { words } from "./chart.js";
import { svg } from "./elements.js";
import { fixed, percent, scale } from "./format.js";

const WIDE = 340;
const HIGH = 158;
const [LEFT, RIGHT, TOP, FLOOR] = [30, WIDE - 30, 30, 130];

// Shares of the values in `bins` equal bins from `low` to `high`; what lies beyond counts in the end bins.
/** @type {(values: number[], low: number, high: number, bins: number) => number[]} */
export function shares(values, low, high, bins) {
  const counts = Array(bins).fill(0);
  const at = scale([low, high], [0, bins]);
  values.forEach((x) => {
    counts[Math.min(bins - 1, Math.max(0, Math.floor(at(x))))] += 1;
  });
  return counts.map((count) => count / values.length);
}

/**
 * @typedef {Record<string, string>} Style
 * @type {(x1: number, y1: number, x2: number, y2: number, colour: string, more?: Style) => SVGLineElement}
 */
const line = (x1, y1, x2, y2, colour, more = {}) =>
  svg("line", {
    x1,
    y1,
    x2,
    y2,
    style: { stroke: `var(--attn-${colour})`, "stroke-width": "1.5", ...more },
  });

/** @type {(label: string, ...shapes: SVGElement[]) => SVGSVGElement} */
const picture = (label, ...shapes) =>
  svg(
    "svg",
    { class: "attn-balance", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    ...shapes,
  );

/** @type {(x: number, y: number, width: number, colour: string) => SVGRectElement} */
const block = (x, y, width, colour) =>
  svg("rect", { x, y, width, height: FLOOR - y, style: { fill: `var(--attn-${colour})` } });

// A line from the floor up, its name above it and pushed back inside the picture.
/**
 * @typedef {{ at: number, text: string, dash?: string }} Mark
 * @type {(x: number, mark: Mark) => SVGGElement}
 */
function mark(x, { text, dash }) {
  const half = 4.1 * text.length;
  return svg(
    "g",
    {},
    line(x, TOP - 6, x, FLOOR, "ink", { "stroke-dasharray": dash ?? "none" }),
    words(Math.min(WIDE - half - 2, Math.max(half + 2, x)), TOP - 11, text),
  );
}

/** @type {(tick: number) => string} */
const plain = (tick) => fixed(tick, Number.isInteger(tick) ? 0 : 1);

// marks: [{at, text, dash}]; ticks: numbers under the axis, written by `write`. The tallest bar fills the height.
/**
 * @typedef {object} HistogramOptions
 * @property {number} low
 * @property {number} high
 * @property {number} bins
 * @property {string} colour
 * @property {string} label
 * @property {number[]} ticks
 * @property {(tick: number) => string} [write]
 * @property {Mark[]} [marks]
 * @param {number[]} values
 * @param {HistogramOptions} options
 */
export function histogram(
  values,
  { low, high, bins, colour, label, ticks, write = plain, marks = [] },
) {
  const x = scale([low, high], [LEFT, RIGHT]);
  const found = shares(values, low, high, bins);
  const most = Math.max(...found);
  const width = (RIGHT - LEFT) / bins;
  return picture(
    `${label} The tallest bar holds ${percent(most)}.`,
    ...found.map((share, i) =>
      block(LEFT + i * width, FLOOR - (FLOOR - TOP) * (share / most), width - 0.5, colour),
    ),
    line(LEFT, FLOOR, RIGHT, FLOOR, "edge"),
    ...ticks.map((tick) => words(x(tick), FLOOR + 19, write(tick))),
    ...marks.map((m) => mark(x(Math.min(high, Math.max(low, m.at))), m)),
  );
}

// One column for each weight, from 0 to 1, the largest with its number.
/** @type {(weights: number[], options: { label: string, tick: (j: number) => string }) => SVGSVGElement} */
export function columns(weights, { label, tick }) {
  const step = (RIGHT - LEFT) / weights.length;
  const y = scale([0, 1], [FLOOR, TOP]);
  const top = weights.indexOf(Math.max(...weights));
  const middle = (/** @type {number} */ j) => LEFT + (j + 0.5) * step;
  return picture(
    label,
    ...[0.5, 1].flatMap((level) => [
      line(LEFT, y(level), RIGHT, y(level), "line"),
      words(LEFT - 4, y(level) + 5, fixed(level, level % 1 ? 1 : 0), { "text-anchor": "end" }),
    ]),
    ...weights.map((p, j) => block(middle(j) - 0.4 * step, y(p), 0.8 * step, "weight")),
    line(LEFT, FLOOR, RIGHT, FLOOR, "edge"),
    ...weights.map((_, j) =>
      words(middle(j), FLOOR + 19, tick(j), {
        style: { "font-size": "12px", fill: "var(--attn-key)" },
      }),
    ),
    words(middle(top), y(weights[top]) - 6, fixed(weights[top], 3), {
      style: {
        "font-weight": "600",
        "paint-order": "stroke",
        stroke: "var(--attn-surface)",
        "stroke-width": "4px",
      },
    }),
  );
}
