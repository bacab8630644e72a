// Nine heads that look one step away each, beside the convolution that they imitate.

import { apart, byHeads, convolve, look } from "./kernel_heads.js";
import { add, html, svg } from "./kit/elements.js";
import { entry, figure, replaced } from "./kit/figure.js";
import { fixed, list, percent, scale, short } from "./kit/format.js";
import { pixelGrid } from "./pixel_grid.js";

const SIDE = 8;
const FLOOR = 1e-15; // below it a difference of doubles is their rounding

export const pixelsOf = ({ picture, own_picture, facts }) =>
  picture === "own" ? own_picture : facts.digits[Number(picture)];
export const kernelOf = ({ kernel, own_kernel, facts }) =>
  kernel === "own" ? own_kernel : facts.kernels[kernel];
const ringOf = ({ padding }) => Number(padding);

export function compute(state) {
  const [pixels, kernel, ring] = [pixelsOf(state), kernelOf(state), ringOf(state)];
  const exact = convolve(pixels, kernel);
  const heads = (alpha) => byHeads(pixels, kernel, state.offsets, { alpha, ring });
  const output = heads(state.alpha);
  const { max } = state.facts.controls.alpha;
  const curve = Array.from({ length: max + 1 }, (_, alpha) => apart(heads(alpha), exact).error);
  const from = [state.row - 1, state.column - 1];
  const weights = look(from, state.offsets[state.head - 1], {
    alpha: state.alpha,
    side: SIDE,
    ring,
  });
  return { pixels, kernel, exact, output, curve, weights, worst: apart(output, exact) };
}

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((digit, i) => [i, digit])) };

// 0.0123, then 4.5 · 10⁻⁷.
export function small(x) {
  if (x <= FLOOR) return x === 0 ? "0" : "under 10⁻¹⁵";
  if (x >= 0.001)
    return x.toPrecision(2).includes("e") ? fixed(x, 0) : `${Number(x.toPrecision(2))}`;
  const [digits, power] = x.toExponential(1).split("e");
  return `${digits} · 10${[...power].map((c) => RAISED[c]).join("")}`;
}

const place = ([r, c]) => `(${r + 1}, ${c + 1})`;
const arrow = ([down, right]) => `(${short(down)}, ${short(right)})`;

// Where the chosen head looks: the best tokens, a tie told as such.
export function looks(weights, ring) {
  const found = weights.flatMap((line, i) => line.map((p, j) => ({ p, at: [i - ring, j - ring] })));
  const most = Math.max(...found.map(({ p }) => p));
  const best = found.filter(({ p }) => most - p < 1e-9);
  if (best.length === found.length) return `has no preference among the ${found.length} tokens`;
  const inside = ({ at }) => at.every((x) => x >= 0 && x < SIDE);
  const names = best.map((one) =>
    inside(one) ? `pixel ${place(one.at)}` : `the padding token at ${place(one.at)}`,
  );
  const share = percent(Math.min(most, 1 - Number.EPSILON));
  return best.length > 4
    ? `looks alike at ${best.length} tokens, ${share} each`
    : `looks ${share} at ${best.length > 1 ? `each of ${list(names)}` : names[0]}`;
}

export function sentence(state, { weights, output, exact, worst }) {
  const [r, c] = [state.row - 1, state.column - 1];
  const [offset, home] = [state.offsets, state.facts.grid].map((all) => all[state.head - 1]);
  const away = state.offsets.filter((d, h) => d.some((x, i) => x !== state.facts.grid[h][i]));
  const border = worst.at.some((x) => x === 0 || x === SIDE - 1);
  return (
    `α = ${short(state.alpha)}: from pixel ${place([r, c])}, head ${state.head} with Δ = ${arrow(offset)} ${looks(weights, ringOf(state))}. ` +
    `Here the nine heads make ${fixed(output[r][c], 4)}, the convolution ${fixed(exact[r][c], 4)}. ` +
    `The largest difference is ${small(worst.error)}${worst.error > FLOOR ? `, at ${place(worst.at)}, ${border ? "on the border" : "inside"}` : ""}.` +
    (away.length
      ? ` ${away.length === 1 ? "One head has" : `${away.length} heads have`} left the cell of the kernel${offset !== home && arrow(offset) !== arrow(home) ? `; head ${state.head} belongs at ${arrow(home)}` : ""}.`
      : "")
  );
}

// --- drawing -----------------------------------------------------------------------------------

const titled = (parent, text) => {
  const title = html("p", { class: "attn-conv-title", text });
  const node = add(parent, html("div", { class: "attn-conv-panel" }, title));
  return Object.assign(node, { say: (words) => title.replaceChildren(words) });
};

// A small picture of numbers of either sign; negative ones carry a stroke.
function sketch(values, most, chosen, label) {
  const cell = 13;
  const shapes = values.flatMap((row, i) =>
    row.flatMap((x, j) => {
      const share = most > 0 ? Math.min(1, Math.abs(x) / most) : 0;
      const [left, top] = [j * cell, i * cell];
      const fill = `color-mix(in oklab, var(--attn-${x < 0 ? "score-low" : "weight"}) ${Math.round(100 * share)}%, var(--attn-paper))`;
      const box = svg("rect", { x: left, y: top, width: cell, height: cell, style: { fill } });
      const stroke = { class: "attn-conv-minus", x1: left + 3.5, x2: left + cell - 3.5 };
      const y = top + cell / 2;
      return x < 0 && share > 0.02 ? [box, svg("line", { ...stroke, y1: y, y2: y })] : [box];
    }),
  );
  const [r, c] = chosen;
  const ring = { x: c * cell + 1, y: r * cell + 1, width: cell - 2, height: cell - 2 };
  const side = SIDE * cell;
  return svg(
    "svg",
    { class: "attn-conv-sketch", viewBox: `-1 -1 ${side + 2} ${side + 2}`, role: "img" },
    svg("title", { text: label }),
    ...shapes,
    svg("rect", { class: "attn-conv-frame", x: 0, y: 0, width: side, height: side }),
    svg("rect", { class: "attn-conv-chosen", ...ring }),
  );
}

const [WIDE, HIGH, LEFT, BASE] = [236, 128, 44, 104];

// The largest difference against α, in powers of ten, beside e^(−α).
function descent(curve, alpha, error) {
  const x = scale([0, curve.length - 1], [LEFT, WIDE - 8]);
  const y = scale([-15, 1], [BASE, 8]);
  const at = (value) => y(Math.log10(Math.min(10, Math.max(FLOOR, value))));
  const path = (f) => curve.map((value, a) => `${a ? "L" : "M"}${x(a)} ${f(value, a)}`).join("");
  const text = (words, more) => svg("text", { text: words, ...more });
  return svg(
    "svg",
    { class: "attn-conv-descent", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" },
    svg("title", {
      text: `Largest difference against α from 0 to ${curve.length - 1}: ${[0, 10, 20, 30].map((a) => `${small(curve[a])} at ${a}`).join(", ")}. Dashed: e to the −α.`,
    }),
    ...[0, -5, -10, -15].flatMap((power) => [
      svg("line", { class: "attn-grid", x1: LEFT, x2: WIDE - 8, y1: y(power), y2: y(power) }),
      text(power ? `10${[...`${power}`].map((c) => RAISED[c]).join("")}` : "1", {
        x: LEFT - 5,
        y: y(power) + 4,
        "text-anchor": "end",
      }),
    ]),
    ...[0, 10, 20, 30].map((a) => text(`${a}`, { x: x(a), y: BASE + 16, "text-anchor": "middle" })),
    text("α", { x: x(25), y: BASE + 16, "text-anchor": "middle" }),
    svg("path", { class: "attn-conv-rule", d: path((_, a) => at(Math.exp(-a))) }),
    svg("path", { class: "attn-conv-curve", d: path((value) => at(value)) }),
    svg("circle", { class: "attn-conv-now", cx: x(alpha), cy: at(error), r: 5 }),
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

function build(page, state) {
  const { grid } = state.facts;
  page.stage.className = "attn-stage attn-conv-stage";
  const upper = add(page.stage, html("div", { class: "attn-conv-upper" }));
  const lower = add(page.stage, html("div", { class: "attn-conv-lower" }));

  const left = titled(upper, "picture: draw on it");
  let ink = 1;
  const picture = pixelGrid(left, {
    label: "picture, 8 by 8 pixels; space or a click draws and erases",
    side: SIDE,
    drags: true,
    reach([r, c], how) {
      if (how === "move") return;
      const pixels = pixelsOf(page.state());
      if (how === "press") ink = pixels[r][c] < 0.5 ? 1 : 0;
      if (pixels[r][c] === ink) return;
      page.change({ picture: "own", own_picture: replaced(pixels, [r, c], ink) });
    },
  });
  picture.place([3, 3]);
  page.select("picture", { parent: left, label: "or choose" });

  const middle = titled(upper, "");
  const map = pixelGrid(middle, {
    label: "weights of the chosen head; arrow keys or a click choose the pixel that looks",
    side: SIDE,
    ring: 1,
    reach: ([r, c]) => page.change({ row: r + 1, column: c + 1 }),
  });

  const right = titled(upper, "kernel: a head for each cell");
  const buttons = grid.map((_, h) =>
    html("button", {
      type: "button",
      class: "attn-conv-head",
      onclick: () => page.change({ head: h + 1 }),
    }),
  );
  right.append(html("div", { class: "attn-conv-kernel" }, ...buttons));
  page.select("kernel", { parent: right, label: "kernel" });
  page.checkbox("padding", { parent: right, label: "padding tokens" });

  page.slider("alpha", { label: "sharpness α", format: (x) => fixed(x, 1) });
  const sliders = ofTheHead(page);

  return (now, made) => {
    const { offsets, head, row, column, padding } = now;
    const [r, c] = [row - 1, column - 1];
    const k = made.kernel.flat();
    sliders(head);
    paintPicture(picture, made.pixels, [r, c]);
    paintWeights(map, made.weights, padding, [r, c]);
    map.place([r, c]);
    middle.say(`weights in head ${head}: sum ${fixed(sum(made.weights))}`);
    buttons.forEach((node, h) => {
      node.textContent = short(k[h], 4);
      node.setAttribute("aria-pressed", h === head - 1);
      node.setAttribute(
        "aria-label",
        `${short(k[h], 4)}: the number of head ${h + 1}, Δ ${arrow(offsets[h])}`,
      );
      node.toggleAttribute("data-away", arrow(offsets[h]) !== arrow(grid[h]));
    });
    lower.replaceChildren(...below(now, made, [r, c]));
  };
}

const sum = (M) => M.flat().reduce((a, b) => a + b, 0);

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
  const [r, c] = chosen;
  const parts = { "nine heads": output, convolution: exact, difference: rest };
  const panels = Object.entries(parts).map(([name, values]) => {
    const node = titled(html("div"), name);
    node.append(
      sketch(values, most, chosen, `${name}: ${fixed(values[r][c], 4)} at the framed pixel`),
    );
    return node;
  });
  const last = titled(html("div"), `largest difference: ${small(worst.error)}`);
  last.append(descent(curve, alpha, worst.error));
  return [...panels, last];
}

export default figure({
  name: "ConvHeads",
  title: "Nine heads make a convolution",
  lead: "Colour: positive; stroked: negative. The three small pictures share one scale.",
  compute,
  build,
  words: sentence,
});
