// Nine heads that look one step away each, beside the convolution that they imitate.

import { sum } from "../kit/arithmetic.js";
import { level, words } from "../kit/chart.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { entry, figure, replaced } from "../kit/figure.js";
import { fixed, scale, short, tenTo } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";
import {
  arrow,
  compute,
  errorText,
  FLOOR,
  kernelOf,
  pixelsOf,
  place,
  sentence,
} from "./arithmetic.js";
import { pixelGrid } from "./pixel_grid.js";

const CELL = 13;

// One pixel of a small picture; a negative one carries a stroke.
function pixel(x, most, left, top) {
  const box = { x: left, y: top, width: CELL, height: CELL };
  const shapes = [svg("rect", { ...box, style: { fill: shade(x, most, "series-1") } })];
  const y = top + CELL / 2;
  const stroke = { x1: left + 3.5, x2: left + CELL - 3.5, y1: y, y2: y };
  if (x < -0.02 * most) shapes.push(svg("line", { class: "attn-minus", ...stroke }));
  return shapes;
}

// A small picture of numbers of either sign.
function sketch(values, most, [r, c], label) {
  const side = values.length * CELL;
  const ring = { x: c * CELL + 1, y: r * CELL + 1, width: CELL - 2, height: CELL - 2 };
  return svg(
    "svg",
    { class: "attn-sketch", viewBox: `-1 -1 ${side + 2} ${side + 2}`, role: "img" },
    svg("title", { text: label }),
    ...values.flatMap((row, i) => row.flatMap((x, j) => pixel(x, most, j * CELL, i * CELL))),
    svg("rect", { class: "attn-frame", x: 0, y: 0, width: side, height: side }),
    svg("rect", { class: "attn-chosen", ...ring }),
  );
}

const [WIDE, HIGH, LEFT, BASE] = [236, 128, 44, 104];

// The largest difference against α, in powers of ten, beside e^(−α).
function descent(curve, alpha, error) {
  const last = curve.length - 1;
  const ticks = [0, 1, 2, 3].map((k) => Math.round((k * last) / 3));
  const x = scale([0, last], [LEFT, WIDE - 8]);
  const y = scale([Math.log10(FLOOR), 1], [BASE, 8]);
  const at = (value) => y(Math.log10(Math.min(10, Math.max(FLOOR, value))));
  const path = (f) => curve.map((value, a) => `${a ? "L" : "M"}${x(a)} ${f(value, a)}`).join("");
  return svg(
    "svg",
    { class: "attn-chart attn-descent", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" },
    svg("title", {
      text: `Largest difference against α from 0 to ${last}: ${ticks.map((a) => `${errorText(curve[a])} at ${a}`).join(", ")}. Dashed: e to the −α.`,
    }),
    ...[0, -5, -10, -15].flatMap((power) => level([LEFT, WIDE - 8], y(power), tenTo(power))),
    ...ticks.map((a) => words(x(a), BASE + 16, `${a}`)),
    words(x((5 * last) / 6), BASE + 16, "α"),
    svg("path", { class: "attn-law", d: path((_, a) => at(Math.exp(-a))) }),
    svg("path", { class: "attn-curve", d: path((value) => at(value)) }),
    svg("circle", { class: "attn-current", cx: x(alpha), cy: at(error), r: 5 }),
  );
}

// The numbers of the chosen head: each is one entry of a matrix of the state.
function ofTheHead(page) {
  const cell = ({ head, own_kernel }) => {
    const size = own_kernel.length;
    return [Math.floor((head - 1) / size), (head - 1) % size];
  };
  const look = { label: "", format: (x) => short(x, 4) };
  const offset = (axis) => page.slider("offsets", { ...look, at: ({ head }) => [head - 1, axis] });
  const sliders = [
    ["Δ down", offset(0)],
    ["Δ right", offset(1)],
    [
      "number",
      page.slider("own_kernel", {
        ...look,
        value: (state) => entry(kernelOf(state), cell(state)),
        changes: (x, state) => ({
          kernel: "own",
          own_kernel: replaced(kernelOf(state), cell(state), x),
        }),
      }),
    ],
  ];
  return (head) => {
    for (const [what, node] of sliders)
      node.querySelector("label").textContent = `head ${head}: ${what}`;
  };
}

// The picture to draw on; what a press begins, ink or none, its stroke goes on with.
function canvas(parent, page, { row, column }) {
  const side = pixelsOf(page.state()).length;
  let ink = 1;
  const picture = pixelGrid(parent, {
    label: `picture, ${side} by ${side} pixels; space or a click draws and erases`,
    side,
    drags: true,
    reach(at, how) {
      if (how === "move") return;
      const pixels = pixelsOf(page.state());
      if (how === "press") ink = entry(pixels, at) < 0.5 ? 1 : 0;
      if (entry(pixels, at) === ink) return;
      page.change({ picture: "own", own_picture: replaced(pixels, at, ink) });
    },
  });
  picture.place([row - 1, column - 1]);
  page.select("picture", { parent, label: "or choose" });
  return ({ pixels }, chosen) => paintPicture(picture, pixels, chosen);
}

// Where the chosen head looks from the pixel that is chosen on it.
function lookout(parent, page) {
  const map = pixelGrid(parent, {
    label: "weights of the chosen head; arrow keys or a click choose the pixel that looks",
    side: pixelsOf(page.state()).length,
    ring: 1,
    reach: ([r, c]) => page.change({ row: r + 1, column: c + 1 }),
  });
  return ({ head, padding }, { weights }, chosen) => {
    paintWeights(map, weights, padding, chosen);
    map.place(chosen);
    parent.firstChild.textContent = `weights in head ${head}: sum ${fixed(sum(weights.flat()))}`;
  };
}

// A button for each cell of the kernel chooses its head.
function kernel(parent, page, { spec: { grid } }) {
  const choose = (h) => ({
    type: "button",
    class: "attn-kernel-cell",
    onclick: () => page.change({ head: h + 1 }),
  });
  const buttons = grid.map((_, h) => html("button", choose(h)));
  parent.append(html("div", { class: "attn-kernel" }, ...buttons));
  page.select("kernel", { parent, label: "kernel" });
  page.checkbox("padding", { parent, label: "padding tokens" });
  return ({ head, offsets }, result) => {
    const numbers = result.kernel.flat().map((x) => short(x, 4));
    buttons.forEach((node, h) => {
      const name = `${numbers[h]}: the number of head ${h + 1}, Δ ${arrow(offsets[h])}`;
      node.textContent = numbers[h];
      node.setAttribute("aria-pressed", h === head - 1);
      node.setAttribute("aria-label", name);
      node.toggleAttribute("data-away", arrow(offsets[h]) !== arrow(grid[h]));
    });
  };
}

function build(page, state) {
  page.stage.classList.add("attn-single");
  const upper = add(page.stage, html("div", { class: "attn-upper" }));
  const lower = add(page.stage, html("div", { class: "attn-lower" }));
  const panel = (title) => add(upper, titled(title));
  const picture = canvas(panel("picture: draw on it"), page, state);
  const weights = lookout(panel(""), page);
  const heads = kernel(panel("kernel: a head for each cell"), page, state);
  page.slider("alpha", { label: "sharpness α", format: (x) => fixed(x, 1) });
  const sliders = ofTheHead(page);
  return (state, result) => {
    const chosen = [state.row - 1, state.column - 1];
    picture(result, chosen);
    weights(state, result, chosen);
    heads(state, result);
    sliders(state.head);
    lower.replaceChildren(...below(state, result, chosen));
  };
}

function paintPicture({ cells }, pixels, [r, c]) {
  cells.forEach((line, i) => {
    line.forEach((node, j) => {
      node.style.setProperty("--ink", pixels[i][j]);
      node.toggleAttribute("data-chosen", i === r && j === c);
      node.setAttribute("aria-label", `row ${i + 1}, column ${j + 1}: ink ${fixed(pixels[i][j])}`);
    });
  });
}

// A weight from a half of a hundredth on is written in its cell.
const written = (p) => (p < 0.005 ? "" : p > 0.995 ? "1" : fixed(p).slice(1));

function paintWeights({ cells }, weights, padding, [r, c]) {
  const shift = padding ? 0 : 1;
  cells.forEach((line, i) => {
    line.forEach((node, j) => {
      const p = weights[i - shift]?.[j - shift];
      node.style.setProperty("--w", p ?? 0);
      node.textContent = p === undefined ? "" : written(p);
      node.toggleAttribute("data-none", p === undefined);
      node.toggleAttribute("data-chosen", i - 1 === r && j - 1 === c);
      const what = node.classList.contains("attn-beyond") ? "padding" : "pixel";
      node.setAttribute(
        "aria-label",
        p === undefined ? "no token" : `${what} ${place([i - 1, j - 1])}: weight ${fixed(p)}`,
      );
    });
  });
}

function below({ alpha }, { output, exact, curve, worst }, chosen) {
  const most = Math.max(...[...output, ...exact].flat().map(Math.abs));
  const rest = output.map((row, i) => row.map((x, j) => x - exact[i][j]));
  const parts = { "nine heads": output, convolution: exact, difference: rest };
  const says = (name, values) => `${name}: ${fixed(entry(values, chosen), 4)} at the framed pixel`;
  return [
    ...Object.entries(parts).map(([name, values]) =>
      titled(name, sketch(values, most, chosen, says(name, values))),
    ),
    titled(`largest difference: ${errorText(worst.error)}`, descent(curve, alpha, worst.error)),
  ];
}

export default figure({
  name: "ConvHeads",
  title: "Nine heads make a convolution",
  lead: "Colour: positive; stroked: negative. The three small pictures share one scale.",
  compute,
  build,
  words: sentence,
  tall: true,
});
