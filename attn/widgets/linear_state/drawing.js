// Linear attention as a recurrence: a matrix that each word adds to, equal to all words at once.

import { dot, matmul, sum, transpose } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { vector } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { rowTable } from "../kit/matrix.js";

const phi = (x) => (x > 0 ? x + 1 : Math.exp(x));
const features = (M, d_k) => M.map((row) => row.slice(0, d_k).map(phi));

// What one word adds, the state and its total so far, and the word's output read off them.
function recurrent(Q, K, V, step) {
  const outer = (t) => K[t].map((k) => V[t].map((v) => k * v));
  let state = outer(0).map((row) => row.map(() => 0));
  let total = K[0].map(() => 0);
  for (let t = 0; t < step; t += 1) {
    const added = outer(t);
    state = state.map((row, i) => row.map((x, j) => x + added[i][j]));
    total = total.map((x, i) => x + K[t][i]);
  }
  const q = Q[step - 1];
  const whole = dot(q, total);
  const output = transpose(state).map((column) => dot(q, column) / whole);
  return { added: outer(step - 1), state, total, output };
}

// The weights of all words at once, (n, n); null where a key is still to come.
const parallel = (Q, K) =>
  Q.map((q, i) => {
    const raw = K.map((k, j) => (j <= i ? dot(q, k) : null));
    const whole = sum(raw.slice(0, i + 1));
    return raw.map((x) => (x === null ? null : x / whole));
  });

export function compute({ step, d_k, spec }) {
  const [Q, K] = [features(spec.Q, d_k), features(spec.K, d_k)];
  const A = parallel(Q, K);
  const row = A[step - 1].map((x) => x ?? 0);
  return { ...recurrent(Q, K, spec.V, step), A, atOnce: matmul([row], spec.V)[0] };
}

export function sentence({ step, d_k, spec }, { output, atOnce }) {
  const gap = Math.max(...output.map((x, j) => Math.abs(x - atOnce[j])));
  const word = spec.words[step - 1];
  const size = d_k * spec.V[0].length;
  return (
    `${step} of ${spec.words.length} words read, the last one is “${word}”. The state holds ${d_k} × ${spec.V[0].length} = ${size} numbers, and the total ${d_k}, as after the first word. ` +
    `“${word}” reads ${vector(output)} from the state; row ${step} of the table, all words at once, gives ${vector(atOnce)}: ${gap < 1e-12 ? "the same" : `a difference of ${gap}`}.`
  );
}

const numberedWords = (words) => words.map((word, i) => `${i + 1} ${word}`);

function build(page, { spec }) {
  const card = (name) => add(page.stage, html("div", { class: "attn-card", "data-card": name }));
  const most = spec.controls.d_k.max;
  const rows = ["₁", "₂", "₃", "₄"].slice(0, most).map((index) => `φ(k)${index}`);
  const show = {
    added: rowTable(card("added"), { rows, label: "this word adds φ(k)ᵀ v", role: "key" }),
    state: rowTable(card("state"), { rows, label: "state S, the sum so far", role: "output" }),
    total: rowTable(card("total"), { rows, label: "total z", role: "key" }),
  };
  const at = card("table");
  at.classList.add("attn-compact");
  const table = heatmap(at, {
    rows: numberedWords(spec.words),
    columns: spec.words.map((_, i) => `${i + 1}`),
    label: "all words at once: φ(q) · φ(k), each row divided by its sum",
  });
  page.slider("step", { label: "words read" });
  page.slider("d_k", { label: "key size d_k", role: "key" });
  // Rows beyond d_k keep their place and are empty, so that nothing moves under the slider.
  const fill = (name, M) => {
    show[name]([...M, ...rows.slice(M.length).map(() => M[0].map(() => 0))]);
    page.stage.querySelectorAll(`[data-card="${name}"] tbody tr`).forEach((row, i) => {
      row.classList.toggle("attn-absent", i >= M.length);
    });
  };
  return ({ step }, result) => {
    fill("added", result.added);
    fill("state", result.state);
    fill(
      "total",
      result.total.map((x) => [x]),
    );
    table(result.A);
    at.querySelectorAll("tbody tr").forEach((row, i) => {
      row.toggleAttribute("data-on", i === step - 1);
    });
  };
}

export default figure({
  name: "LinearState",
  title: "A state that fills, word by word",
  lead: "Above, one word after another. Below, the same outputs from one table.",
  compute,
  build,
  words: sentence,
  tall: true,
});
