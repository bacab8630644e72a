// Linear attention as a recurrence: a matrix that each word adds to, equal to all words at once.

import { dot, matmul, sum, transpose } from "../kit/arithmetic.js";
import { add, html, scrollBox } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, vector } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { redraw } from "../kit/redraw.js";

const phi = (x) => (x > 0 ? x + 1 : Math.exp(x));
const features = (M, d_k) => M.map((row) => row.slice(0, d_k).map(phi));

// The state and its total so far, and the word's output read off them.
function recurrent(Q, K, V, step) {
  let state = K[0].map(() => V[0].map(() => 0));
  let total = K[0].map(() => 0);
  for (let t = 0; t < step; t += 1) {
    state = state.map((row, i) => row.map((x, j) => x + K[t][i] * V[t][j]));
    total = total.map((x, i) => x + K[t][i]);
  }
  const [q, k, v] = [Q[step - 1], K[step - 1], V[step - 1]];
  const whole = dot(q, total);
  const output = transpose(state).map((column) => dot(q, column) / whole);
  const added = k.map((x) => v.map((y) => x * y));
  return { q, k, v, added, state, total, whole, output };
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
const INDICES = ["₁", "₂", "₃", "₄"];
// A number that changes is a new one, and shows it.
const numbers = (row) => row.map((x) => html("td", { text: fixed(x), "data-key": fixed(x) }));

// A matrix with a vector down its side, one along its top and one along its foot; show fills it.
function framed(parent, { side, role, most }) {
  const caption = html("caption");
  const [head, foot] = [html("thead"), html("tfoot")];
  const body = html("tbody");
  const box = scrollBox(parent, side);
  box.append(html("table", { class: "attn-rows", "data-role": role }, caption, head, body, foot));
  return ({ title, column, top = [], rows, bottom = [] }) => {
    caption.textContent = title;
    const line = (name, cells, kind = "") => html("tr", { class: kind }, name, ...cells);
    const rowHead = (text) => html("th", { scope: "row", colspan: 2, text });
    redraw(head, ...top.map(([name, row]) => line(rowHead(name), row)));
    // Rows beyond d_k keep their place and are empty, so that nothing moves under the slider.
    redraw(
      body,
      ...INDICES.slice(0, most).map((index, i) => {
        const held = i < rows.length;
        const name = html("th", { scope: "row", text: `${side}${index}` });
        const cells = numbers(held ? [column[i], ...rows[i]] : [0, ...rows[0]]);
        cells[0].className = "attn-side-vector";
        return line(name, cells, held ? "" : "attn-absent");
      }),
    );
    redraw(foot, ...bottom.map(([name, row]) => line(rowHead(name), row)));
  };
}

function build(page, { spec }) {
  const card = (name) => add(page.stage, html("div", { class: "attn-card", "data-card": name }));
  const most = spec.controls.d_k.max;
  const written = framed(card("added"), { side: "φ(k)", role: "key", most });
  const held = framed(card("state"), { side: "φ(q)", role: "query", most });
  const at = card("table");
  at.classList.add("attn-compact");
  const table = heatmap(at, {
    rows: numberedWords(spec.words),
    columns: spec.words.map((_, i) => `${i + 1}`),
    label: "all words at once: φ(q) · φ(k), each row divided by its sum",
  });
  page.playedSlider("step", { label: "words read" });
  page.slider("d_k", { label: "key size d_k", role: "key" });
  return ({ step }, { q, k, v, added, state, total, whole, output, A }) => {
    written({
      title: `word ${step}, “${spec.words[step - 1]}”, adds φ(k)ᵀ v`,
      ...{ column: k, rows: added, top: [["v", numbers(v)]] },
    });
    held({
      title: "state S, the sum so far, and total z",
      ...{ column: q, rows: state.map((row, i) => [...row, total[i]]) },
      top: [["φ(q)", [html("th", { colspan: v.length, text: "S" }), html("th", { text: "z" })]]],
      bottom: [
        ["φ(q) times", numbers([...output.map((y) => y * whole), whole])],
        ["y", [...numbers(output), html("td")]],
      ],
    });
    table(A);
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
