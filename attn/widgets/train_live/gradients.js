// One layer of attention that learns: forward, loss, gradients written out, and Adam's step.
// model.py is its twin; tests/golden/training.json holds both to torch's autograd.
//
// Sizes: b sequences of n tokens, v different tokens, d entries per vector, h heads, q asked places,
// c answers to choose from. A matrix is one Float64Array, row after row.

// Weights: the tables T (v + n, d), v rows for tokens and n for places; W_q, W_k, W_v (d, d); the
// read-out R (d, groups · c), for so many answers of each asked place.

export const NAMES = ["T", "W_q", "W_k", "W_v", "R"];

// (r, k) times (k, m).
function product(A, B, r, k, m) {
  const out = new Float64Array(r * m);
  for (let i = 0; i < r; i += 1)
    for (let l = 0; l < k; l += 1) {
      const a = A[i * k + l];
      for (let j = 0; j < m; j += 1) out[i * m + j] += a * B[l * m + j];
    }
  return out;
}

function turned(A, rows, columns) {
  const out = new Float64Array(A.length);
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < columns; j += 1) out[j * rows + i] = A[i * columns + j];
  return out;
}

// A token's row is the sum of two rows of a projected table: its own and its place's.
function gather(table, token, place, d, out, at) {
  for (let e = 0; e < d; e += 1) out[at + e] = table[token * d + e] + table[place * d + e];
}

function scatter(grad, token, place, d, from, at) {
  for (let e = 0; e < d; e += 1) {
    grad[token * d + e] += from[at + e];
    grad[place * d + e] += from[at + e];
  }
}

// Softmax of `size` numbers from `at` on, in place.
function softmaxInPlace(x, at, size) {
  let top = -Infinity;
  for (let j = at; j < at + size; j += 1) top = Math.max(top, x[j]);
  let total = 0;
  for (let j = at; j < at + size; j += 1) {
    x[j] = Math.exp(x[j] - top);
    total += x[j];
  }
  for (let j = at; j < at + size; j += 1) x[j] /= total;
}

// The tables' rows times W: b·n tokens share them, so that v + n rows are projected, not b·n.
function projected({ T, W_q, W_k, W_v }, { v, n, d }) {
  return [W_q, W_k, W_v].map((W) => product(T, W, v + n, d, d)); // (v + n, d) each
}

// Room for one sequence: queries, keys, values (n, d), weights A (h, q, n), outputs Y (q, d), the
// answers' probabilities p (q, groups · c).
function room({ n, d, h, asked, groups, c }) {
  const [q, wide] = [asked.length, groups * c];
  const sizes = { Q: n * d, K: n * d, V: n * d, A: h * q * n, Y: q * d, p: q * wide };
  return Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => [name, new Float64Array(size)]),
  );
}

// Fills the room with what one sequence becomes.
function attend([TQ, TK, TV], R, tokens, { n, v, d, h, asked, groups, c }, { Q, K, V, A, Y, p }) {
  for (let j = 0; j < n; j += 1) {
    gather(TQ, tokens[j], v + j, d, Q, j * d);
    gather(TK, tokens[j], v + j, d, K, j * d);
    gather(TV, tokens[j], v + j, d, V, j * d);
  }
  const size = d / h;
  const scale = 1 / Math.sqrt(size);
  Y.fill(0);
  for (let a = 0; a < asked.length; a += 1)
    for (let head = 0; head < h; head += 1) {
      const row = (head * asked.length + a) * n;
      const query = asked[a] * d + head * size;
      const out = a * d + head * size;
      for (let j = 0; j < n; j += 1) {
        const key = j * d + head * size;
        let score = 0;
        for (let e = 0; e < size; e += 1) score += Q[query + e] * K[key + e];
        A[row + j] = scale * score;
      }
      softmaxInPlace(A, row, n);
      for (let j = 0; j < n; j += 1) {
        const value = j * d + head * size;
        const weight = A[row + j];
        for (let e = 0; e < size; e += 1) Y[out + e] += weight * V[value + e];
      }
    }
  p.set(product(Y, R, asked.length, d, groups * c)); // logits, then probabilities
  for (let at = 0; at < p.length; at += c) softmaxInPlace(p, at, c);
}

// Tokens (b, n) to what each sequence becomes.
export function forward(weights, sequences, shape) {
  const tables = projected(weights, shape);
  return sequences.map((tokens) => {
    const own = room(shape);
    attend(tables, weights.R, tokens, shape, own);
    return own;
  });
}

// Mean cross-entropy of the targets (b, q · groups), and its gradient by every weight.
export function lossAndGradients(weights, { sequences, targets }, shape) {
  const { d, asked, groups, c, v, n, positions } = shape;
  const wide = groups * c;
  const count = sequences.length * asked.length * groups;
  const tables = projected(weights, shape);
  const dTables = tables.map((table) => new Float64Array(table.length)); // ∂L/∂(T W), (v + n, d)
  const dR = new Float64Array(d * wide);
  const R_T = turned(weights.R, d, wide);
  const [own, grad] = [room(shape), room(shape)];
  let loss = 0;
  for (let s = 0; s < sequences.length; s += 1) {
    attend(tables, weights.R, sequences[s], shape, own);
    const { p, Y } = own;
    // Cross-entropy after softmax: ∂L/∂logits = (p − one-hot of the target) / count, (q, groups · c)
    for (let a = 0; a < asked.length * groups; a += 1) {
      const right = a * c + targets[s][a];
      loss -= Math.log(p[right]) / count;
      p[right] -= 1;
    }
    for (let at = 0; at < p.length; at += 1) p[at] /= count;
    // logits = Y R: ∂L/∂R = Yᵀ ∂L/∂logits, ∂L/∂Y = ∂L/∂logits Rᵀ
    for (let a = 0; a < asked.length; a += 1)
      for (let e = 0; e < d; e += 1) {
        const o = Y[a * d + e];
        for (let k = 0; k < wide; k += 1) dR[e * wide + k] += o * p[a * wide + k];
      }
    grad.Y = product(p, R_T, asked.length, wide, d);
    attendBackward(own, grad, shape);
    for (let j = 0; j < n; j += 1) {
      scatter(dTables[0], sequences[s][j], v + j, d, grad.Q, j * d);
      scatter(dTables[1], sequences[s][j], v + j, d, grad.K, j * d);
      scatter(dTables[2], sequences[s][j], v + j, d, grad.V, j * d);
    }
  }
  // A projected table is T W: ∂L/∂W = Tᵀ ∂L/∂(T W), ∂L/∂T = ∂L/∂(T W) Wᵀ, summed over the three
  const T_T = turned(weights.T, v + n, d);
  const [W_q, W_k, W_v] = dTables.map((dTable) => product(T_T, dTable, d, v + n, d));
  const T = new Float64Array(weights.T.length);
  [weights.W_q, weights.W_k, weights.W_v].forEach((W, k) => {
    product(dTables[k], turned(W, d, d), v + n, d, d).forEach((x, at) => {
      T[at] += x;
    });
  });
  if (!positions) T.fill(0, v * d); // rows of places stay 0
  return { loss, gradients: { T, W_q, W_k, W_v, R: dR } };
}

// From ∂L/∂Y in grad.Y to ∂L/∂Q, ∂L/∂K, ∂L/∂V, (n, d) each.
function attendBackward({ Q, K, V, A }, grad, { n, d, h, asked }) {
  const { Y: dY, Q: dQ, K: dK, V: dV, A: dA } = grad;
  const size = d / h;
  const scale = 1 / Math.sqrt(size);
  dQ.fill(0);
  dK.fill(0);
  dV.fill(0);
  for (let a = 0; a < asked.length; a += 1)
    for (let head = 0; head < h; head += 1) {
      const row = (head * asked.length + a) * n;
      const query = asked[a] * d + head * size;
      const out = a * d + head * size;
      // Y = A V: ∂L/∂A = ∂L/∂Y Vᵀ, ∂L/∂V = Aᵀ ∂L/∂Y
      let mean = 0;
      for (let j = 0; j < n; j += 1) {
        const value = j * d + head * size;
        const weight = A[row + j];
        let total = 0;
        for (let e = 0; e < size; e += 1) {
          total += dY[out + e] * V[value + e];
          dV[value + e] += weight * dY[out + e];
        }
        dA[row + j] = total;
        mean += weight * total;
      }
      // A = softmax(S): ∂L/∂S = A ∘ (∂L/∂A − its mean under A); a one-hot row passes nothing on
      // S = scale · Q Kᵀ: ∂L/∂Q = scale · ∂L/∂S K, ∂L/∂K = scale · (∂L/∂S)ᵀ Q
      for (let j = 0; j < n; j += 1) {
        const key = j * d + head * size;
        const dS = scale * A[row + j] * (dA[row + j] - mean);
        for (let e = 0; e < size; e += 1) {
          dQ[query + e] += dS * K[key + e];
          dK[key + e] += dS * Q[query + e];
        }
      }
    }
}

export const zerosLike = (weights) =>
  Object.fromEntries(NAMES.map((name) => [name, new Float64Array(weights[name].length)]));

// Adam's step number t, counted from 1 (Kingma and Ba, 2015), with the constants of torch.optim.Adam.
export function adamStep(weights, gradients, [first, second], rate, t) {
  const [b1, b2, eps] = [0.9, 0.999, 1e-8];
  const [c1, c2] = [1 - b1 ** t, 1 - b2 ** t];
  for (const name of NAMES) {
    const [w, g, m, s] = [weights, gradients, first, second].map((all) => all[name]);
    for (let i = 0; i < w.length; i += 1) {
      m[i] = b1 * m[i] + (1 - b1) * g[i];
      s[i] = b2 * s[i] + (1 - b2) * g[i] * g[i];
      w[i] -= (rate * (m[i] / c1)) / (Math.sqrt(s[i] / c2) + eps);
    }
  }
}
