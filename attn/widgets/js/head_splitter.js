// One layer of attention cut into heads: what each head sees, what W_o makes of them, and how far a
// word's influence reaches over several layers. The other way to cut it, along the sequence, is wrong.

import { attention, attentionWeights, matmul, transpose } from "./core.js";
import { add, html, svg } from "./kit/elements.js";
import { figure } from "./kit/figure.js";
import { favourite, fixed, list, scale } from "./kit/format.js";
import { heatmap } from "./kit/heatmap.js";

const upTo = (n) => Array.from({ length: n }, (_, i) => i);
const sum = (row) => row.reduce((a, b) => a + b, 0);
const zeros = (n, d) => Array.from({ length: n }, () => Array(d).fill(0));
const firstColumns = (M, d) => M.map((row) => row.slice(0, d));
const at = (M, { rows, columns }) => rows.map((i) => columns.map((c) => M[i][c]));

// `count` runs of the numbers below n, the longer ones first, as numpy.array_split cuts them.
export function runs(n, count) {
  const [short, longer] = [Math.floor(n / count), n % count];
  let start = 0;
  return upTo(count).map((i) => {
    const length = short + (i < longer ? 1 : 0);
    start += length;
    return upTo(length).map((k) => start - length + k);
  });
}

// For each head, which words (rows) and which columns of Q, K and V it has.
export function parts({ heads, cut, facts }) {
  const [n, d] = [facts.X.length, facts.W_v[0].length];
  return cut === "embedding"
    ? runs(d, heads).map((columns) => ({ rows: upTo(n), columns }))
    : runs(n, heads).map((rows) => ({ rows, columns: upTo(d) }));
}

const projected = (X, { W_q, W_k, W_v }) => [W_q, W_k, W_v].map((W) => matmul(X, W));

export function weights(state) {
  const [Q, K] = projected(state.facts.X, state.facts);
  return parts(state).map((part) => attentionWeights(at(Q, part), at(K, part)));
}

const put = (M, { rows, columns }, block) =>
  rows.forEach((i, r) => {
    columns.forEach((c, k) => {
      M[i][c] = block[r][k];
    });
  });

// What the heads bring, side by side, (n, d); 0 where a head is off.
export function merged(state, X = state.facts.X) {
  const all = projected(X, state.facts);
  const Z = zeros(X.length, all[2][0].length);
  parts(state).forEach((part, i) => {
    if (state.on[i]) put(Z, part, attention(...all.map((M) => at(M, part))));
  });
  return Z;
}

// How the merged heads move when the words do: the derivative along dX.
function moving(state, X, dX) {
  const all = projected(X, state.facts);
  const nudged = projected(dX, state.facts);
  const dZ = zeros(X.length, all[2][0].length);
  parts(state).forEach((part, i) => {
    if (!state.on[i]) return;
    const [Q, K, V] = all.map((M) => at(M, part));
    const [dQ, dK, dV] = nudged.map((M) => at(M, part));
    const factor = 1 / Math.sqrt(part.columns.length);
    const A = attentionWeights(Q, K);
    const [one, two] = [matmul(dQ, transpose(K)), matmul(Q, transpose(dK))];
    const dA = A.map((row, r) => {
      const dS = row.map((_, j) => factor * (one[r][j] + two[r][j]));
      const mean = sum(row.map((a, j) => a * dS[j]));
      return row.map((a, j) => a * (dS[j] - mean));
    });
    const [by_weights, by_values] = [matmul(dA, V), matmul(A, dV)];
    put(
      dZ,
      part,
      by_weights.map((row, r) => row.map((x, c) => x + by_values[r][c])),
    );
  });
  return dZ;
}

// Outputs of another size than the words cannot enter the layer again.
const stackable = ({ d_out, facts }) => d_out === facts.X[0].length;

// After 1, 2, … layers with the same matrices: the norm of ∂(first output)/∂(last word's vector).
export function influences(state) {
  const { X, layers } = state.facts;
  const d = X[0].length;
  const W_o = firstColumns(state.facts.W_o, state.d_out);
  let words = X;
  let nudges = upTo(d).map((c) => {
    const dX = zeros(X.length, d);
    dX[X.length - 1][c] = 1;
    return dX;
  });
  return upTo(stackable(state) ? layers : 1).map(() => {
    nudges = nudges.map((dX) => matmul(moving(state, words, dX), W_o));
    words = matmul(merged(state, words), W_o);
    return Math.hypot(...nudges.flatMap((dY) => dY[0]));
  });
}

export function compute(state) {
  const W_o = firstColumns(state.facts.W_o, state.d_out);
  const outputs = (on) => matmul(merged({ ...state, on }), W_o);
  const [now, whole] = [outputs(state.on), outputs(state.on.map(() => true))];
  return {
    parts: parts(state),
    weights: weights(state),
    influences: influences(state),
    moved: now.map((row, i) => Math.hypot(...row.map((y, c) => y - whole[i][c]))),
  };
}

const used = ({ heads, on }) => on.slice(0, heads);
const numbered = (found) => list(found.map((i) => `${i + 1}`));

// “head 1 looks …; heads 3 and 4 have …”: heads that do the same are told together.
function together(found) {
  const said = [...new Set(found)];
  const heads = (text) => upTo(found.length).filter((i) => found[i] === text);
  const plural = (text) => text.replace("looks", "look").replace("has", "have");
  return said
    .map((text) => [heads(text), text])
    .map(([who, text]) =>
      who.length > 1 ? `heads ${numbered(who)} ${plural(text)}` : `head ${numbered(who)} ${text}`,
    )
    .join("; ");
}

function looks({ cut, heads, facts }, made) {
  const { words, follow } = facts;
  const names = (rows) => rows.map((j) => words[j]);
  const seen = ({ rows }, A) => favourite(names(rows), A[rows.indexOf(follow)]);
  if (cut === "embedding" || heads === 1)
    return `For ${words[follow]}, ${together(made.parts.map((part, i) => seen(part, made.weights[i])))}.`;
  const mine = made.parts.findIndex(({ rows }) => rows.includes(follow));
  const { rows } = made.parts[mine];
  const hidden = upTo(words.length).filter((j) => !rows.includes(j));
  return (
    `Head ${mine + 1} has “${names(rows).join(" ")}”: ${words[follow]} ${seen(made.parts[mine], made.weights[mine])}, ` +
    `and cannot see ${list(names(hidden))}.`
  );
}

function switched(state, { moved }) {
  const off = upTo(state.heads).filter((i) => !state.on[i]);
  if (!off.length) return "";
  if (off.length === state.heads) return " Every head is off, so all outputs are 0.";
  const name =
    off.length > 1 ? `Heads ${numbered(off)} are off: their` : `Head ${numbered(off)} is off: its`;
  const what = state.cut === "embedding" ? "columns of the concatenation" : "words’ rows";
  const { words, follow } = state.facts;
  const most = moved.indexOf(Math.max(...moved));
  const others =
    most === follow ? ", more than any other" : `, that of ${words[most]} by ${fixed(moved[most])}`;
  return ` ${name} ${what} are 0. The output of ${words[follow]} moves by ${fixed(moved[follow])}${others}.`;
}

function reach(state, { influences: found }) {
  const { words } = state.facts;
  const start = ` The influence of “${words.at(-1)}” on the first “${words[0]}” is`;
  const end = stackable(state)
    ? ""
    : ` Outputs with ${state.d_out} entries cannot enter this layer again.`;
  if (!used(state).includes(true)) return `${start} 0.${end}`;
  if (found.every((x) => x === 0))
    return `${start} exactly 0 after ${end ? "1 layer" : `1 to ${found.length} layers`}.${end}`;
  const later = end ? "" : ` and ${fixed(found.at(-1))} after ${found.length}`;
  return `${start} ${fixed(found[0])} after 1 layer${later}.${end}`;
}

export function sentence(state, made) {
  const { heads, cut, facts } = state;
  const d = facts.W_v[0].length;
  const start =
    heads === 1
      ? `1 head, nothing is cut: it has all ${facts.words.length} words and all ${d} columns.`
      : cut === "embedding"
        ? `${heads} heads: each has all ${facts.words.length} words and ${d / heads} of the ${d} columns.`
        : `${heads} heads: each has all ${d} columns, and ${list(made.parts.map(({ rows }) => `${rows.length}`))} of the ${facts.words.length} words.`;
  return `${start} ${looks(state, made)}${switched(state, made)}${reach(state, made)}`;
}

// --- the drawing ---------------------------------------------------------------------------

const names = ({ cut, heads }, { columns }) =>
  cut === "embedding" && heads > 1 ? `, columns ${columns[0] + 1}–${columns.at(-1) + 1}` : "";

// A head's switch over its heat map, which is made anew when the words that the head sees change.
function card(parent, page, i) {
  const name = `head ${i + 1}`;
  const node = add(parent, html("div", { class: "attn-head-card attn-compact" }));
  const label = page.checkbox("on", { parent: node, at: [i], label: name }).lastChild;
  const map = add(node, html("div"));
  let [built, show] = [];
  return (state, part, A) => {
    node.hidden = !part;
    node.toggleAttribute("data-off", !state.on[i]);
    const words = part?.rows.map((j) => state.facts.words[j]);
    if (built !== words?.join()) {
      built = words?.join();
      map.replaceChildren();
      if (part) show = heatmap(map, { rows: words, columns: words, label: `weights of ${name}` });
    }
    if (!part) return;
    label.textContent = `${name}${names(state, part)}`;
    show(A);
  };
}

function maps(parent, page, { facts }) {
  const cards = upTo(facts.controls.heads.max).map((i) => card(parent, page, i));
  return (state, { parts: owned, weights: A }) =>
    cards.forEach((show, i) => show(state, owned[i], A[i]));
}

const [UNIT, LEFT, GAP] = [8, 20, 40];
const HIGH = 105;
const label = (x, y, text, more = {}) =>
  svg("text", { x, y, text, "text-anchor": "middle", ...more });

// A matrix to scale, one square a number: whose(i, j) is the head that a square belongs to, or null.
function grid(x, [n, d], title, state, whose) {
  const y = 18;
  const cell = (i, j) => {
    const head = whose(i, j);
    const off = head !== null && !state.on[head];
    const place = { x: x + UNIT * j, y: y + UNIT * i, width: UNIT - 1, height: UNIT - 1 };
    return svg("rect", {
      class: "attn-square",
      "data-head": head ?? "all",
      "data-off": off,
      ...place,
    });
  };
  return [
    ...upTo(n).flatMap((i) => upTo(d).map((j) => cell(i, j))),
    label(x + (UNIT * d) / 2, y + UNIT * 8 + 16, `${title} (${n}, ${d})`),
  ];
}

function mixing(state, { parts: owned }) {
  const { words, W_v } = state.facts;
  const [n, d] = [words.length, W_v[0].length];
  const along = state.cut === "embedding";
  const owner = (k) => owned.findIndex(({ rows, columns }) => (along ? columns : rows).includes(k));
  const W_o_at = LEFT + UNIT * d + GAP;
  const Y_at = W_o_at + UNIT * state.d_out + GAP;
  const wide = 2 * LEFT + UNIT * (d + 2 * 12) + 2 * GAP;
  const sign = (x, text) => label(x, 18 + UNIT * 3.5, text);
  const middle = (run) => UNIT * (run[0] + run.length / 2);
  const tags = owned.map(({ rows, columns }, i) =>
    along
      ? label(LEFT + middle(columns), 13, `${i + 1}`)
      : label(LEFT - 7, 18 + middle(rows) + 3, `${i + 1}`, { class: "attn-row-tag" }),
  );
  const text =
    `Drawn to scale, one square a number: the heads side by side, (${n}, ${d}), times W_o, (${d}, ${state.d_out}), ` +
    `gives the outputs, (${n}, ${state.d_out}).`;
  return svg(
    "svg",
    { class: "attn-mixing", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": text },
    ...grid(LEFT, [n, d], "concat", state, (i, j) => owner(along ? j : i)),
    ...(state.heads > 1 ? tags : []),
    sign(W_o_at - GAP / 2, "×"),
    ...grid(W_o_at, [d, state.d_out], "W_o", state, (i) => (along ? owner(i) : null)),
    sign(Y_at - GAP / 2, "="),
    ...grid(Y_at, [n, state.d_out], "Y", state, () => null),
  );
}

const MOST = 2;

function reaching({ facts }, { influences: found }) {
  const [left, right, floor, top] = [16, 324, 72, 18];
  const step = (right - left) / facts.layers;
  const y = scale([0, MOST], [floor, top]);
  const middle = (k) => left + (k + 0.5) * step;
  const write = (x) => (x === 0 ? "0" : fixed(x));
  const text = `Influence of “${facts.words.at(-1)}” on the first “${facts.words[0]}” after ${found.length > 1 ? `1 to ${found.length} layers` : "1 layer"}: ${found.map(write).join(", ")}.`;
  return svg(
    "svg",
    { class: "attn-mixing", viewBox: `0 0 340 ${HIGH}`, role: "img", "aria-label": text },
    ...found.map((x, k) =>
      svg("rect", {
        class: "attn-reach",
        x: middle(k) - 0.3 * step,
        y: y(Math.min(x, MOST)),
        width: 0.6 * step,
        height: floor - y(Math.min(x, MOST)),
      }),
    ),
    svg("line", { class: "attn-floor", x1: left, x2: right, y1: floor, y2: floor }),
    ...found.map((x, k) => label(middle(k), y(Math.min(x, MOST)) - 5, write(x))),
    ...upTo(facts.layers).map((k) => label(middle(k), floor + 14, `${k + 1}`)),
    label(170, floor + 28, "layers"),
  );
}

const panel = (title, picture) =>
  html("div", { class: "attn-titled" }, html("p", { text: title }), picture);

function build(page, state) {
  const { facts } = state;
  page.stage.classList.add("attn-single");
  const heads = maps(add(page.stage, html("div", { class: "attn-head-maps" })), page, state);
  const below = add(page.stage, html("div", { class: "attn-head-pair" }));
  // Other heads than those that were switched off: all of them start on.
  const afresh =
    (name) =>
    (value, { on }) => ({ [name]: value, on: on.map(() => true) });
  page.slider("heads", { label: "number of heads", role: "query", changes: afresh("heads") });
  page.select("cut", { label: "how to cut", changes: afresh("cut") });
  page.slider("d_out", { label: "columns of W_o", role: "output" });
  const reachTitle = `influence of “${facts.words.at(-1)}” on the first “${facts.words[0]}”`;
  return (now, made) => {
    heads(now, made);
    below.replaceChildren(
      panel(
        now.cut === "embedding" || now.heads === 1
          ? "heads side by side, then W_o"
          : "heads one below the other, then W_o",
        mixing(now, made),
      ),
      panel(reachTitle, reaching(now, made)),
    );
  };
}

export default figure({
  name: "HeadSplitter",
  title: "Cut it into heads",
  lead: "The number of heads and the cut change none of the matrices.",
  compute,
  build,
  words: sentence,
});
