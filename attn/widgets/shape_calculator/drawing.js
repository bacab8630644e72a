// Every matrix of one attention layer, drawn to scale from five sizes; and products that do not fit.
import { add, html, svg } from "../kit/elements.js";
import { figure } from "../kit/figure.js";

const ROLES = {
  Q: "query",
  W_q: "query",
  K: "key",
  Kᵀ: "key",
  W_k: "key",
  V: "value",
  Vᵀ: "value",
  W_v: "value",
  A: "weight",
  Aᵀ: "weight",
};
export const shapes = ({ d_model, d_k, d_v, n, m }) => ({
  X: [n, d_model],
  memory: [m, d_model],
  W_q: [d_model, d_k],
  W_k: [d_model, d_k],
  W_v: [d_model, d_v],
  Q: [n, d_k],
  K: [m, d_k],
  Kᵀ: [d_k, m],
  V: [m, d_v],
  Vᵀ: [d_v, m],
  A: [n, m],
  Aᵀ: [m, n],
  Y: [n, d_v],
});

const LAYER = [
  ["X", "W_q", "Q"],
  ["memory", "W_k", "K"],
  ["memory", "W_v", "V"],
  ["Q", "Kᵀ", "A", "softmax"],
  ["A", "V", "Y"],
];
const TRIED = { q_k: ["Q", "K"], q_v: ["Q", "Vᵀ"], at_v: ["Aᵀ", "V"], v_a: ["V", "A"] };

const written = ([rows, columns]) => `(${rows}, ${columns})`;
const equal = (a, b) => a[0] === b[0] && a[1] === b[1];

// One line of the figure: two matrices, whether they fit, and what they give; `through` is what the
// product is put through first.
export function line(sizes, left, right, result, through) {
  const all = shapes(sizes);
  const [a, b] = [all[left], all[right]];
  const fits = a[1] === b[0];
  const gives = fits ? [a[0], b[1]] : null;
  return { left, right, result: result ?? "?", a, b, fits, gives, through };
}

// The product the reader tries, judged: fits or not, and by design or by accident.
export function attempt(sizes) {
  const all = shapes(sizes);
  if (sizes.product === "none") return null;
  if (sizes.product === "residual") {
    const fits = equal(all.X, all.Y);
    const names = `X is ${written(all.X)} and Y is ${written(all.Y)}`;
    return {
      fits,
      left: "X",
      right: "Y",
      a: all.X,
      b: all.Y,
      sum: true,
      result: "?",
      gives: fits ? all.X : null,
      words: fits
        ? `X + Y fits: both are ${written(all.X)}.`
        : `X + Y does not fit: ${names}. A matrix W_o of shape ${written([sizes.d_v, sizes.d_model])} brings Y to the size of X.`,
    };
  }
  const [left, right] = TRIED[sizes.product];
  const product = line(sizes, left, right);
  const ends = `${left} is ${written(product.a)} and ${right} is ${written(product.b)}`;
  return {
    ...product,
    words: product.fits
      ? `${left} ${right} fits by accident: ${ends}. The result, ${written(product.gives)}, is not attention, and nothing warns you.`
      : `${left} ${right} does not fit: ${ends}, and ${product.a[1]} ≠ ${product.b[0]}.`,
  };
}

// The product that is tried comes first.
const everyLine = (sizes) =>
  [attempt(sizes), ...LAYER.map((names) => line(sizes, ...names))].filter(Boolean);

export function sentence(sizes) {
  const { d_model, d_k, d_v, n, m } = sizes;
  const source =
    n === m
      ? "With n = m the memory may be X itself: self-attention."
      : "With n ≠ m the memory is another sequence: cross-attention.";
  const count = 2 * d_model * d_k + d_model * d_v;
  const tried = attempt(sizes);
  if (tried) return tried.words;
  return (
    `${n === 1 ? "1 query looks" : `${n} queries look`} at ${m === 1 ? "1 key" : `${m} keys`}: A is ${written([n, m])}, Y is ${written([n, d_v])}. ` +
    `The three projections hold ${count.toLocaleString("en")} numbers. ${source}`
  );
}

const WIDE = 340;
const SIDE = 28; // room for the number of rows at a rectangle's left
const SIGNS = 52; // room for “·” and “=” between the rectangles
const HIGH = 44;
const LETTERS = 17; // room for a line of letters over and under a rectangle
const NARROW = 26; // the room that a rectangle gets at least
const LETTER = 9; // and at least so much for each letter of its name
// Where a size's slider stops: every small number, then wider and wider steps.
const STOPS = [...Array(16).keys()]
  .map((i) => i + 1)
  .concat([20, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512]);

// Page pixels per entry: one for the whole figure, so that any two rectangles can be compared.
export function unit(lines) {
  const across = Math.max(...lines.map(({ a, b, gives }) => a[1] + b[1] + (gives ? gives[1] : 0)));
  const down = Math.max(...lines.flatMap(({ a, b, gives }) => [a[0], b[0], gives ? gives[0] : 0]));
  return Math.min(18, (WIDE - SIGNS - 3 * SIDE - NARROW) / across, HIGH / down);
}

// A rectangle with its name under it, its number of columns over it and of rows at its left.
function rectangle(name, [rows, columns], x, scale, high) {
  const [w, h] = [columns * scale, rows * scale];
  const room = Math.max(w, NARROW, LETTER * name.length);
  const left = x + SIDE + (room - w) / 2;
  const top = (high - h) / 2;
  const label = (text, place) => svg("text", { "text-anchor": "middle", ...place, text });
  const node = svg(
    "g",
    { class: "attn-rect", "data-role": ROLES[name] ?? "output" },
    svg("rect", { x: left, y: top, width: w, height: h }),
    label(String(columns), { x: left + w / 2, y: top - 4 }),
    label(String(rows), { x: x + SIDE - 4, y: high / 2 + 5, "text-anchor": "end" }),
    label(name, { class: "attn-name", x: left + w / 2, y: top + h + 14 }),
  );
  return [node, x + SIDE + room];
}

const signs = ({ sum, gives, through }) => [sum ? "+" : "·", gives ? (through ? "→" : "=") : "✗"];

function picture(item, scale) {
  const parts = [
    [item.left, item.a],
    [item.right, item.b],
    ...(item.gives ? [[item.result, item.gives]] : []),
  ];
  const high = Math.max(8, ...parts.map(([, size]) => size[0] * scale)) + 2 * LETTERS;
  const node = svg("svg", {
    class: "attn-shapes",
    viewBox: `0 0 ${WIDE} ${high}`,
    "aria-hidden": "true",
  });
  let x = 0;
  parts.forEach(([name, size], i) => {
    const [shape, end] = rectangle(name, size, x, scale, high);
    const sign = signs(item)[i] ?? "";
    node.append(
      shape,
      svg("text", { x: end + 11, y: high / 2 + 6, "text-anchor": "middle", text: sign }),
    );
    x = end + 22;
  });
  return node;
}

// "softmax(Q (3, 4) · Kᵀ (4, 5) / √d_k) = A (3, 5) ✓", its parts unbroken.
function equation({ left, right, a, b, sum, fits, gives, result, through }) {
  const whole = (text) => text.replaceAll(" ", "\u00a0");
  const withShape = (name, size) => whole(`${name} ${written(size)}`);
  const product = `${withShape(left, a)} ${sum ? "+" : "·"} ${withShape(right, b)}`;
  const head = through ? `${through}(${product}\u00a0/\u00a0√d_k)` : product;
  if (!fits) return `${head} ✗ does not fit`;
  const outcome = result === "?" ? whole(written(gives)) : withShape(result, gives);
  return `${head} = ${outcome}\u00a0✓`;
}

function row(item, scale) {
  return html(
    "div",
    { class: "attn-card", "data-mark": item.fits ? "done" : "writes" },
    html("p", { class: "attn-formula", text: equation(item) }),
    picture(item, scale),
  );
}

const SIZES = {
  d_model: { label: "d_model" },
  d_k: { label: "d_k", role: "key" },
  d_v: { label: "d_v", role: "value" },
  n: { label: "n queries", role: "query" },
  m: { label: "m keys", role: "key" },
};

function build(page, { spec }) {
  page.stage.classList.add("attn-single");
  const wall = add(page.stage, html("div", { class: "attn-wall" }));
  for (const [name, look] of Object.entries(SIZES)) {
    const stops = STOPS.filter((size) => size <= spec.controls[name].max);
    page.slider(name, {
      ...look,
      ...{ min: 0, max: stops.length - 1, step: 1 },
      format: (i) => String(stops[i]),
      value: (state) => stops.findLastIndex((size) => size <= state[name]),
      changes: (i) => ({ [name]: stops[i] }),
    });
  }
  page.select("product", { label: "also try" });
  const { d_model, d_k } = spec.paper;
  page.button(`${d_model} → ${d_k}, as in 2017`, () => page.change(spec.paper));
  return (_, lines) => {
    const scale = unit(lines);
    wall.replaceChildren(...lines.map((item) => row(item, scale)));
  };
}

export default figure({
  name: "ShapeCalculator",
  title: "Every matrix, to scale",
  lead: "X asks, the memory is asked. One entry has the same size in every rectangle.",
  compute: everyLine,
  build,
  words: sentence,
  tall: true,
});
