// A pixel's window beside attention, and nine heads beside the convolution that they imitate.

import { sum } from "../kit/arithmetic.js";
import { add, html, titled } from "../kit/elements.js";
import { entry, figure, withEntry } from "../kit/figure.js";
import { clamp, fixed, short, tenTo } from "../kit/format.js";
import { lineChart } from "../kit/line_chart.js";
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
import { paintPicture, pixelGrid } from "./pixel_grid.js";
import { smallPicture } from "./small_picture.js";
import { buildWindow } from "./window_view.js";

const SEEN = 0.2; // a pixel that differs by more is marked

// The largest difference against α, in powers of ten, beside e^(−α).
function descent(curve, alpha, error) {
  const last = curve.length - 1;
  const ticks = [0, 1, 2, 3].map((k) => Math.round((k * last) / 3));
  const said = ticks.map((a) => `${errorText(curve[a])} at ${a}`).join(", ");
  return lineChart({
    label: `Largest difference against α from 0 to ${last}: ${said}. Dashed: e to the −α.`,
    ...{ kind: "attn-descent", wide: 236, high: 172, area: [46, 228, 8, 144] },
    x: { ends: [0, last], ticks: ticks.map((a) => [a, `${a}`]), name: "α", nameAt: 5 / 6 },
    y: {
      of: (value) => Math.log10(clamp(value, FLOOR, 10)),
      ends: [Math.log10(FLOOR), 1],
      ticks: [0, -5, -10, -15].map((power) => [power, tenTo(power)]),
    },
    lines: [
      { points: curve.map((_, a) => [a, Math.exp(-a)]), class: "attn-law" },
      { points: curve.map((value, a) => [a, value]), class: "attn-curve" },
    ],
    dots: [{ at: [alpha, error], class: "attn-current", r: 5 }],
  });
}

// The text is no name while the control is folded away.
function name(control, text) {
  control.querySelector("label").textContent = text;
  control.querySelector("input").setAttribute("aria-label", text);
}

// What may be changed in the chosen head, folded: each number is one entry of a matrix of the state.
function ofTheHead(page, parent) {
  const cell = ({ head, own_kernel }) => {
    const size = own_kernel.length;
    return [Math.floor((head - 1) / size), (head - 1) % size];
  };
  const summary = html("summary", { text: "edit this head" });
  const fold = add(parent, html("details", { class: "attn-edit" }, summary));
  const look = { parent: fold, label: "", format: (x) => short(x, 4) };
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
          own_kernel: withEntry(kernelOf(state), cell(state), x),
        }),
      }),
    ],
  ];
  let wasAway = false;
  return ({ head, offsets, spec: { grid } }) => {
    for (const [what, node] of sliders) name(node, `head ${head}: ${what}`);
    const away = arrow(offsets[head - 1]) !== arrow(grid[head - 1]);
    if (away !== wasAway) fold.open = away; // so that a head that was moved shows how
    wasAway = away;
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
      page.change({ picture: "own", own_picture: withEntry(pixels, at, ink) });
    },
  });
  picture.place([row - 1, column - 1]);
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
  const sliders = ofTheHead(page, parent);
  return (state, result) => {
    const { head, offsets } = state;
    const numbers = result.kernel.flat().map((x) => short(x, 4));
    buttons.forEach((node, h) => {
      const name = `${numbers[h]}: the number of head ${h + 1}, Δ ${arrow(offsets[h])}`;
      node.textContent = numbers[h];
      node.setAttribute("aria-pressed", h === head - 1);
      node.setAttribute("aria-label", name);
      node.toggleAttribute("data-away", arrow(offsets[h]) !== arrow(grid[h]));
    });
    sliders(state);
  };
}

// The two results on one scale, and how far apart they are.
function results(parent, side) {
  const panel = (title) => add(parent, titled(title));
  const [made, wanted] = ["nine heads make", "convolution makes"].map((title) =>
    smallPicture(panel(title), side),
  );
  const apart = panel("");
  const chart = add(apart, html("div"));
  return ({ alpha }, { output, exact, curve, worst }, chosen) => {
    const most = Math.max(...[...output, ...exact].flat().map(Math.abs));
    const says = (name, values) =>
      `${name}: ${fixed(entry(values, chosen), 4)} at the framed pixel`;
    const marked = (i, j) => Math.abs(output[i][j] - exact[i][j]) > SEEN;
    made(output, { most, chosen, marked, label: says("nine heads", output) });
    wanted(exact, { most, chosen, label: says("convolution", exact) });
    apart.firstChild.textContent = `largest difference: ${errorText(worst.error)}`;
    chart.replaceChildren(descent(curve, alpha, worst.error));
  };
}

function buildHeads(page, state) {
  page.stage.classList.add("attn-single");
  const upper = add(page.stage, html("div", { class: "attn-upper" }));
  const lower = add(page.stage, html("div", { class: "attn-lower" }));
  const panel = (title) => add(upper, titled(title));
  const picture = canvas(panel("picture: draw on it"), page, state);
  const weights = lookout(panel(""), page);
  const heads = kernel(panel("kernel: one head per cell"), page, state);
  const below = results(lower, pixelsOf(state).length);
  page.slider("alpha", { label: "sharpness α", format: (x) => fixed(x, 1) });
  page.select("kernel", { label: "kernel" });
  page.select("picture", { label: "picture" });
  page.checkbox("padding", { label: "padding tokens" });
  return (state, result) => {
    const chosen = [state.row - 1, state.column - 1];
    picture(result, chosen);
    weights(state, result, chosen);
    heads(state, result);
    below(state, result, chosen);
  };
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

const VIEWS = {
  window: {
    build: buildWindow,
    title: "A window, or everyone",
    lead: "More colour: a larger number. A stroke: a negative one.",
  },
  heads: {
    build: buildHeads,
    title: "Nine heads make a convolution",
    lead: `A stroke: negative. A dot: off by more than ${SEEN}. Both results share one scale.`,
  },
};

export default figure({
  name: "ConvHeads",
  title: ({ view }) => VIEWS[view].title,
  lead: ({ view }) => VIEWS[view].lead,
  compute,
  build: (page, state) => VIEWS[state.view].build(page, state),
  words: sentence,
  rebuildKey: ({ view }) => view,
  tall: true,
});
