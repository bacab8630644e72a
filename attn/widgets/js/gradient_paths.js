// How much of the first token reaches output n, through three recurrent layers and through attention.

import { dot, normals, softmax } from "./core.js";
import { html, svg } from "./kit/elements.js";
import { figure } from "./kit/figure.js";
import { fixed, list, scale } from "./kit/format.js";

export const LAYERS = ["attention", "RNN", "GRU", "LSTM"];

// The tokens and every matrix of one draw, by name, in the order in which Python draws them.
export function drawn({ seed, size, gates }, longest, draw) {
  const names = gates.flatMap(([net, letters]) =>
    [...letters].flatMap((gate) => ["W", "U"].map((part) => `${net} ${part}${gate}`)),
  );
  names.push("attention q", "attention k", "attention v");
  const numbers = normals((longest + size * names.length) * size, seed + draw);
  const rows = (from, count, factor) =>
    Array.from({ length: count }, (_, i) =>
      Array.from(numbers.subarray((from + i) * size, (from + i + 1) * size), (x) => factor * x),
    );
  const spread = 1 / Math.sqrt(3 * size);
  const W = names.map((name, i) => [name, rows(longest + i * size, size, spread)]);
  return { X: rows(0, longest, 1), W: Object.fromEntries(W) };
}

// A row, or each row of a matrix, times a matrix.
function through(row, M) {
  const made = new Array(M[0].length).fill(0);
  for (let i = 0; i < row.length; i += 1) {
    const [x, line] = [row[i], M[i]];
    for (let j = 0; j < made.length; j += 1) made[j] += x * line[j];
  }
  return made;
}
const times = (G, M) => G.map((row) => through(row, M));
const plus = (...rows) => rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0));
// Sum of matrices, each with a factor for every column: Σ c[j] · M[i][j].
function mix(...terms) {
  const made = terms[0][1].map((row) => new Array(row.length).fill(0));
  for (const [c, M] of terms)
    for (let i = 0; i < made.length; i += 1)
      for (let j = 0; j < c.length; j += 1) made[i][j] += c[j] * M[i][j];
  return made;
}
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const zip = (f, ...rows) => rows[0].map((_, j) => f(...rows.map((row) => row[j])));
const norm = (G) => Math.sqrt(G.reduce((sum, row) => sum + dot(row, row), 0));

// What a gate adds up and the derivative of that by x₁; first is 1 at the first token, else 0.
const enter = (x, { h, G }, W, U, bias, first) => ({
  total: plus(
    through(x, W),
    through(h, U),
    h.map(() => bias),
  ),
  slope: mix([h.map(() => first), W], [h.map(() => 1), times(G, U)]),
});

const gated = (entered, shape, slope) => {
  const value = entered.total.map(shape);
  return { value, d: mix([value.map(slope), entered.slope]) };
};
const squash = (entered) => gated(entered, sigmoid, (s) => s * (1 - s));
const tanh = (entered) => gated(entered, Math.tanh, (s) => 1 - s * s);

const STEPS = {
  RNN(x, state, { W, U, first }) {
    const { value, d } = tanh(enter(x, state, W.c, U.c, 0, first));
    return { h: value, G: d };
  },
  GRU(x, state, { W, U, first, keep }) {
    const { h, G } = state;
    const r = squash(enter(x, state, W.r, U.r, 0, first));
    const z = squash(enter(x, state, W.z, U.z, keep, first));
    const past = through(h, U.c);
    const ones = h.map(() => 1);
    const c = tanh({
      total: zip((a, b, s) => a + s * b, through(x, W.c), past, r.value),
      slope: mix([ones.map(() => first), W.c], [r.value, times(G, U.c)], [past, r.d]),
    });
    return {
      h: zip((s, a, b) => (1 - s) * a + s * b, z.value, c.value, h),
      G: mix(
        [z.value.map((s) => 1 - s), c.d],
        [z.value, G],
        [zip((a, b) => a - b, h, c.value), z.d],
      ),
    };
  },
  LSTM(x, state, { W, U, first, keep }) {
    const [i, f, g, o] = [..."ifgo"].map((gate) => {
      const entered = enter(x, state, W[gate], U[gate], gate === "f" ? keep : 0, first);
      return gate === "g" ? tanh(entered) : squash(entered);
    });
    const C = mix([f.value, state.C], [state.c, f.d], [i.value, g.d], [g.value, i.d]);
    const c = zip((a, b, s, t) => a * b + s * t, f.value, state.c, i.value, g.value);
    const out = c.map(Math.tanh);
    return {
      h: zip((a, b) => a * b, o.value, out),
      G: mix([zip((a, b) => a * (1 - b * b), o.value, out), C], [out, o.d]),
      c,
      C,
    };
  },
};

// ‖∂h_n/∂x₁‖ for every n; U, which reads the state, is multiplied by the gain.
function recurrent([net, gates], { X, W }, { keep, gain }) {
  const part = (letter, factor) =>
    Object.fromEntries(
      [...gates].map((gate) => [
        gate,
        W[`${net} ${letter}${gate}`].map((row) => row.map((x) => factor * x)),
      ]),
    );
  const zeros = X[0].map(() => 0);
  const nothing = X[0].map(() => zeros);
  let state = { h: zeros, G: nothing, c: zeros, C: nothing };
  const given = { W: part("W", 1), U: part("U", gain), keep };
  return X.map((x, t) => {
    state = STEPS[net](x, state, { ...given, first: t === 0 ? 1 : 0 });
    return norm(state.G);
  });
}

// One causal head: ∂y_n/∂x₁ = p₁ (W_v + W_k qᵀ (v₁ − y) / √d).
function attention({ X, W }) {
  const [Q, K, V] = ["q", "k", "v"].map((part) => times(X, W[`attention ${part}`]));
  const factor = 1 / Math.sqrt(X[0].length);
  return X.map((_, t) => {
    const p = softmax(K.slice(0, t + 1).map((k) => factor * dot(Q[t], k)));
    const y = through(p, V.slice(0, t + 1));
    const asks = W["attention k"].map((row) => factor * dot(row, Q[t]));
    const whole = W["attention v"].map((row, i) =>
      row.map((v, j) => v + asks[i] * (V[0][j] - y[j])),
    );
    return p[0] * norm(whole);
  });
}

const memory = new Map();

// Every layer's norms for n = 1 … the longest.
export function compute(state) {
  const { keep, gain, draw, facts } = state;
  const key = JSON.stringify([keep, gain, draw]);
  if (!memory.has(key)) {
    const given = drawn(facts, facts.controls.n.max, draw);
    const nets = facts.gates.map((net) => [net[0], recurrent(net, given, state)]);
    memory.set(key, { ...Object.fromEntries(nets), attention: attention(given) });
    if (memory.size > 40) memory.delete(memory.keys().next().value);
  }
  return memory.get(key);
}

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((x, i) => [i, x])) };

// 0.059, 12, 1.8·10⁻⁴².
export function brief(x) {
  if (x >= 0.001 && x < 1000)
    return x >= 10 ? fixed(x, 0) : fixed(x, x >= 1 ? 1 : x >= 0.1 ? 2 : x >= 0.01 ? 3 : 4);
  const [digits, power] = x.toExponential(1).split("e");
  return `${digits}·10${[...power.replace("+", "")].map((c) => RAISED[c]).join("")}`;
}

// By what a norm was multiplied a step, on average, from output 1 to output n.
export const perStep = (norms, n) => (norms[n - 1] / norms[0]) ** (1 / (n - 1));

export function sentence({ n, keep, gain, draw, facts }, norms) {
  const found = LAYERS.map(
    (name) => `${brief(norms[name][n - 1])} through ${name === "attention" ? name : `the ${name}`}`,
  );
  const way =
    n === 1
      ? "Output 1 reads x₁ itself"
      : `From x₁ to output ${n} a recurrence takes ${n - 1} ${n === 2 ? "step" : "steps"} from state to state, attention none`;
  const lost = LAYERS.filter((name) => norms[name][n - 1] < facts.least);
  return (
    `${way}. ‖∂out/∂x₁‖ is ${list(found)}. ` +
    (lost.length ? `In float32 ${list(lost)} would read 0. ` : "") +
    `Keep bias ${fixed(keep, 1)}, gain ${fixed(gain, 1)}, draw ${draw}.`
  );
}

const [LEFT, RIGHT, TOP, FLOOR] = [46, 326, 14, 228];
const HIGH = 6;
const series = (name) => `series-${LAYERS.indexOf(name) + 1}`;
const look = (name) => ({
  stroke: `var(--attn-${series(name)})`,
  "stroke-dasharray": `var(--attn-${series(name)}-dash)`,
  "stroke-width": "2.4",
  fill: "none",
});

function chart({ n, facts }, norms) {
  const longest = norms.attention.length;
  // Two scales, so that lines that do not vanish can be told apart.
  const deep = LAYERS.some((name) => Math.min(...norms[name]) < 1e-24);
  const [low, ticks] = deep ? [-76, [0, -20, -40, -60]] : [-24, [0, -10, -20]];
  const x = scale([1, longest], [LEFT, RIGHT]);
  const y = (value) =>
    scale([low, HIGH], [FLOOR, TOP])(Math.min(HIGH, Math.max(low, Math.log10(value))));
  const rule = (at, text, more = {}) => [
    svg("line", { class: "attn-rule", x1: LEFT, x2: RIGHT, y1: y(at), y2: y(at), ...more }),
    svg("text", { x: LEFT - 5, y: y(at) + 4, "text-anchor": "end", text }),
  ];
  const path = (name) =>
    norms[name]
      .map((v, i) => `${fixed(x(i + 1), 1)},${fixed(y(v), 1).replace("−", "-")}`)
      .join(" ");
  const words = LAYERS.map((name) => `${name} ${brief(norms[name][n - 1])}`).join(", ");
  return svg(
    "svg",
    {
      class: "attn-decay",
      viewBox: "0 0 340 266",
      role: "img",
      "aria-label": `Norm of the derivative of output n by x₁ for n from 1 to ${longest}, in powers of ten. At n = ${n}: ${words}.`,
    },
    ...ticks.flatMap((power) =>
      rule(10 ** power, power ? `10${[...`${power}`].map((c) => RAISED[c]).join("")}` : "1"),
    ),
    ...[1, 50, 100, 150, 200].map((tick) =>
      svg("text", { x: x(tick), y: FLOOR + 17, "text-anchor": "middle", text: `${tick}` }),
    ),
    svg("text", {
      x: (LEFT + RIGHT) / 2,
      y: FLOOR + 35,
      "text-anchor": "middle",
      text: "output n",
    }),
    ...LAYERS.map((name) => svg("polyline", { points: path(name), style: look(name) })),
    svg("line", { class: "attn-cursor", x1: x(n), x2: x(n), y1: TOP, y2: FLOOR }),
    ...LAYERS.map((name) =>
      svg("circle", {
        cx: x(n),
        cy: y(norms[name][n - 1]),
        r: 4,
        style: { fill: `var(--attn-${series(name)})` },
      }),
    ),
    ...(deep ? limit(y(facts.least)) : []),
  );
}

const limit = (y) => [
  svg("line", { class: "attn-limit", x1: LEFT, x2: RIGHT, y1: y, y2: y }),
  svg("text", { class: "attn-over", x: LEFT + 4, y: y + 15, text: "float32 rounds to 0 below" }),
];

// The tokens as dots: from state to state below, in one arc above.
function routes({ n }) {
  const names =
    n <= 6
      ? Array.from({ length: n }, (_, i) => `${i + 1}`)
      : ["1", "2", "3", "…", `${n - 1}`, `${n}`];
  const x = (i) => (names.length === 1 ? 170 : 26 + (288 * i) / (names.length - 1));
  const end = x(names.length - 1);
  return svg(
    "svg",
    {
      class: "attn-routes",
      viewBox: "0 0 340 118",
      role: "img",
      "aria-label": `From token 1 to output ${n}: ${n - 1} steps from state to state in a recurrence, one look in attention.`,
    },
    svg("path", {
      d: n === 1 ? "M170 52V40" : `M${x(0)} 52Q${(x(0) + end) / 2} -12 ${end} 52`,
      style: look("attention"),
    }),
    svg("text", { x: 170, y: 14, "text-anchor": "middle", text: "attention: 1 look" }),
    ...names
      .slice(1)
      .map((_, i) =>
        svg("line", { x1: x(i) + 15, x2: x(i + 1) - 15, y1: 66, y2: 66, style: look("RNN") }),
      ),
    ...names.flatMap((text, i) => [
      ...(text === "…" ? [] : [svg("circle", { class: "attn-spot", cx: x(i), cy: 66, r: 15 })]),
      svg("text", { x: x(i), y: 70.5, "text-anchor": "middle", text }),
    ]),
    svg("text", {
      x: 170,
      y: 106,
      "text-anchor": "middle",
      text: `recurrence: ${n - 1} ${n === 2 ? "step" : "steps"} from state to state`,
    }),
  );
}

function table({ n }, norms) {
  const swatch = (name) =>
    svg(
      "svg",
      { viewBox: "0 0 34 8", width: 34, height: 8, "aria-hidden": "true" },
      svg("line", { x1: 0, x2: 34, y1: 4, y2: 4, style: look(name) }),
    );
  // What the norm follows: a factor for each step, or a share of 1/n.
  const law = (name) => {
    if (name === "attention") return `${fixed(n * norms[name][n - 1], 1)} / n`;
    return n === 1 ? "–" : `× ${fixed(perStep(norms[name], n), 2)} a step`;
  };
  const row = (name) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, swatch(name), ` ${name}`),
      html("td", { text: brief(norms[name][n - 1]) }),
      html("td", { text: law(name) }),
    );
  return html(
    "table",
    { class: "attn-norms" },
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("th", { scope: "col", text: "layer" }),
        html("th", { scope: "col", text: "‖∂out/∂x₁‖" }),
        html("th", { scope: "col", text: "as n grows" }),
      ),
    ),
    html("tbody", {}, ...LAYERS.map(row)),
  );
}

function build(page) {
  page.slider("n", { label: "output n", role: "output" });
  page.slider("keep", { label: "keep bias (GRU, LSTM)", format: (x) => fixed(x, 1) });
  page.slider("gain", { label: "gain on the state", format: (x) => fixed(x, 1) });
  page.slider("draw", { label: "random draw" });
  return (state, norms) =>
    page.stage.replaceChildren(
      chart(state, norms),
      html("div", { class: "attn-side" }, routes(state), table(state, norms)),
    );
}

export default figure({
  name: "GradientPaths",
  title: "What is left of the first word",
  lead: "Four untrained layers read the same 200 random tokens of size 16. Computed in float64.",
  compute,
  build,
  words: sentence,
});
