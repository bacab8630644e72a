// A line chart with its axes: levels on the upright one, numbers and a name on the other, lines told
// apart by colour and dash, and where a cursor meets them.

import { level, seriesColour, seriesLine, words } from "./chart.js";
import { svg } from "./elements.js";
import { clamp, scale } from "./format.js";

/**
 * What an axis measures: `of` turns a number into what is drawn to scale (its logarithm, say), `ends`
 * and `ticks` are in those units.
 * @import { Attributes } from "./elements.js"
 * @typedef {object} Axis
 * @property {[number, number]} ends
 * @property {[number, string][]} ticks
 * @property {(value: number) => number} [of]
 * @typedef {(value: number) => number} Place
 */

/**
 * @typedef {object} Line
 * @property {[number, number][]} points
 * @property {number} [series] one of the palette's, else a `class`
 * @property {number} [width]
 * @property {string} [class]
 * @typedef {{ at: [number, number], series?: number, r?: number, class?: string, "data-key"?: string }} Dot
 * @typedef {object} LineChart
 * @property {string} label
 * @property {[number, number, number, number]} area left, right, top and floor, in a picture that is
 *   `wide` and `high`
 * @property {number} high
 * @property {number} [wide]
 * @property {Axis & { name?: string, nameAt?: number }} x its name stands in the middle, or among its numbers
 *   at this share of its length
 * @property {Axis} y
 * @property {Line[]} lines one over the other
 * @property {number} [cursor]
 * @property {Dot[]} [dots] one that is above or below the axis is not seen
 * @property {boolean} [clip] whether what leaves the area is cut off
 * @property {(x: Place, y: Place) => SVGElement[]} [marks] what else there is, over the lines
 * @property {string} [kind] a class of its own
 * @param {LineChart} options
 */
export function lineChart({ area, wide = 340, high, x: across, y: up, ...options }) {
  const { label, lines, cursor, dots = [], clip = false, marks = () => [], kind = "" } = options;
  const [left, right, top, floor] = area;
  const [x, y] = [toPage(across, [left, right]), toPage(up, [floor, top])];
  const d = (/** @type {Line["points"]} */ points) =>
    `M${points.map(([a, b]) => `${x.of(a).toFixed(1)} ${y.of(b).toFixed(1)}`).join("L")}`;
  const drawn = lines.map(({ points, series, width, class: own = "" }) =>
    svg("path", {
      ...{ class: `attn-line attn-glides ${own}`, d: points.length ? d(points) : "" },
      style: series ? seriesLine(series, width) : {},
    }),
  );
  const dot = (/** @type {Dot} */ { at: [a, b], series, r = 4, class: own = "", ...rest }) => {
    const [cx, cy] = [x.of(a), y.of(b)];
    const place = { cx, cy: clamp(cy, top, floor), r: cy < top || cy > floor ? 0 : r };
    const style = series ? { fill: seriesColour(series) } : {};
    return svg("circle", { class: `attn-glides ${own}`, ...place, ...rest, style });
  };
  return svg(
    "svg",
    {
      class: `attn-chart ${kind}`,
      viewBox: `0 0 ${wide} ${high}`,
      role: "img",
      "aria-label": label,
    },
    svg("g", {}, ...up.ticks.flatMap(([at, text]) => level([left, right], y.at(at), text))),
    svg("g", {}, ...across.ticks.map(([at, text]) => words(x.at(at), floor + 17, text))),
    ...axisName(across, area),
    ...(clip ? [inside(area, drawn)] : drawn),
    ...(cursor === undefined
      ? []
      : [svg("path", { class: "attn-cursor attn-glides", d: `M${x.of(cursor)} ${top}V${floor}` })]),
    ...dots.map(dot),
    ...marks(x.of, y.of),
  );
}

/** @param {Axis} axis @param {[number, number]} range */
function toPage({ ends, of = (value) => value }, range) {
  const at = scale(ends, range);
  return { at, of: (/** @type {number} */ value) => at(of(value)) };
}

/** @type {(axis: LineChart["x"], area: LineChart["area"]) => SVGElement[]} */
const axisName = ({ name, nameAt }, [left, right, , floor]) => {
  if (!name) return [];
  return [
    nameAt === undefined
      ? words((left + right) / 2, floor + 35, name)
      : words(left + nameAt * (right - left), floor + 17, name),
  ];
};

// What leaves the area is cut off at its ends.
/** @type {(area: LineChart["area"], drawn: SVGElement[]) => SVGSVGElement} */
function inside([left, right, top, floor], drawn) {
  const [width, height] = [right - left, floor - top];
  const viewBox = `${left} ${top} ${width} ${height}`;
  return svg("svg", { x: left, y: top, width, height, viewBox }, ...drawn);
}
