// How far each output moves with the first token, ‖∂out_n/∂x₁‖: three recurrent layers carry that
// derivative from state to state, attention has it in closed form.

import { dot, norm, normals, range, softmax } from "../kit/arithmetic.js";

// The tokens and every matrix of one draw, by name, in the order in which Python draws them.
function drawn({ seed, size, gates, deviation }, longest, draw) {
  const names = gates.flatMap(([net, letters]) =>
    [...letters].flatMap((gate) => ["W", "U"].map((part) => `${net} ${part}${gate}`)),
  );
  names.push("attention q", "attention k", "attention v");
  const numbers = normals((longest + size * names.length) * size, seed + draw);
  const rows = (from, count, factor) =>
    range(count).map((i) =>
      Array.from(numbers.subarray((from + i) * size, (from + i + 1) * size), (x) => factor * x),
    );
  const W = names.map((name, i) => [name, rows(longest + i * size, size, deviation)]);
  return { X: rows(0, longest, 1), W: Object.fromEntries(W) };
}

// A row, or each row of a matrix, times a matrix.
function through(row, M) {
  const product = new Array(M[0].length).fill(0);
  for (let i = 0; i < row.length; i += 1) {
    const [x, line] = [row[i], M[i]];
    for (let j = 0; j < product.length; j += 1) product[j] += x * line[j];
  }
  return product;
}
const times = (G, M) => G.map((row) => through(row, M));
// Sum of matrices, each with a factor for every column: Σ c[j] · M[i][j].
function mix(...terms) {
  const total = terms[0][1].map((row) => new Array(row.length).fill(0));
  for (const [c, M] of terms)
    for (let i = 0; i < total.length; i += 1)
      for (let j = 0; j < c.length; j += 1) total[i][j] += c[j] * M[i][j];
  return total;
}
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const zip = (f, ...rows) => rows[0].map((_, j) => f(...rows.map((row) => row[j])));

// What a gate adds up and the derivative of that by x₁; first is 1 at the first token, else 0.
const enter = (x, { h, G }, W, U, bias, first) => ({
  total: zip((a, b) => a + b + bias, through(x, W), through(h, U)),
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
    const gate = (name) => enter(x, state, W[name], U[name], name === "f" ? keep : 0, first);
    const [i, f, o] = ["i", "f", "o"].map((name) => squash(gate(name)));
    const g = tanh(gate("g"));
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
    return norm(state.G.map(norm));
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
    return p[0] * norm(whole.map(norm));
  });
}

const memory = new Map();

// Every layer's norms for n = 1 … the longest.
export function compute(state) {
  const { keep, gain, draw, spec } = state;
  const key = JSON.stringify([keep, gain, draw]);
  if (!memory.has(key)) {
    const given = drawn(spec, spec.controls.n.max, draw);
    const nets = spec.gates.map((net) => [net[0], recurrent(net, given, state)]);
    memory.set(key, { ...Object.fromEntries(nets), attention: attention(given) });
    if (memory.size > 40) memory.delete(memory.keys().next().value);
  }
  return memory.get(key);
}
