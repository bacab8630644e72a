// One layer of attention cut into heads: what each head sees, what W_o makes of them, and how far a
// word's influence reaches over several layers. The other way to cut it, along the sequence, is wrong.

import { range } from "../kit/arithmetic.js";
import { words } from "../kit/chart.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, scale } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { compute, sentence } from "./arithmetic.js";

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
    const words = part?.rows.map((j) => state.spec.words[j]);
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

function maps(parent, page, { spec }) {
  const cards = range(spec.controls.heads.max).map((i) => card(parent, page, i));
  return (state, { parts: owned, weights: A }) =>
    cards.forEach((show, i) => show(state, owned[i], A[i]));
}

const [UNIT, LEFT, GAP] = [8, 20, 40];
const HIGH = 105;

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
    ...range(n).flatMap((i) => range(d).map((j) => cell(i, j))),
    words(x + (UNIT * d) / 2, y + UNIT * state.spec.W_o.length + 16, `${title} (${n}, ${d})`),
  ];
}

function mixing(state, { parts: owned }) {
  const { X, W_v, controls } = state.spec;
  const [n, d] = [X.length, W_v[0].length];
  const along = state.cut === "embedding";
  const owner = (k) => owned.findIndex(({ rows, columns }) => (along ? columns : rows).includes(k));
  const W_o_at = LEFT + UNIT * d + GAP;
  const Y_at = W_o_at + UNIT * state.d_out + GAP;
  const wide = 2 * LEFT + UNIT * (d + 2 * controls.d_out.max) + 2 * GAP;
  const sign = (x, text) => words(x, 18 + UNIT * ((n + 1) / 2), text);
  const middle = (run) => UNIT * (run[0] + run.length / 2);
  const tags = owned.map(({ rows, columns }, i) =>
    along
      ? words(LEFT + middle(columns), 13, `${i + 1}`)
      : words(LEFT - 7, 18 + middle(rows) + 3, `${i + 1}`, { class: "attn-row-tag" }),
  );
  const text =
    `Drawn to scale, one square a number: the heads side by side, (${n}, ${d}), times W_o, (${d}, ${state.d_out}), ` +
    `gives the outputs, (${n}, ${state.d_out}).`;
  return svg(
    "svg",
    { class: "attn-chart", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": text },
    ...grid(LEFT, [n, d], "concat", state, (i, j) => owner(along ? j : i)),
    ...(state.heads > 1 ? tags : []),
    sign(W_o_at - GAP / 2, "×"),
    ...grid(W_o_at, [d, state.d_out], "W_o", state, (i) => (along ? owner(i) : null)),
    sign(Y_at - GAP / 2, "="),
    ...grid(Y_at, [n, state.d_out], "Y", state, () => null),
  );
}

const MOST = 2;

function reaching({ spec }, { influences: found }) {
  const [left, right, floor, top] = [16, 324, 72, 18];
  const step = (right - left) / spec.layers;
  const y = scale([0, MOST], [floor, top]);
  const middle = (k) => left + (k + 0.5) * step;
  const write = (x) => (x === 0 ? "0" : fixed(x));
  const text = `Influence of “${spec.words.at(-1)}” on the first “${spec.words[0]}” after ${found.length > 1 ? `1 to ${found.length} layers` : "1 layer"}: ${found.map(write).join(", ")}.`;
  return svg(
    "svg",
    { class: "attn-chart", viewBox: `0 0 340 ${HIGH}`, role: "img", "aria-label": text },
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
    ...found.map((x, k) => words(middle(k), y(Math.min(x, MOST)) - 5, write(x))),
    ...range(spec.layers).map((k) => words(middle(k), floor + 14, `${k + 1}`)),
    words(170, floor + 28, "layers"),
  );
}

function build(page, state) {
  const { spec } = state;
  page.stage.classList.add("attn-single");
  const heads = maps(add(page.stage, html("div", { class: "attn-head-maps" })), page, state);
  const below = add(page.stage, html("div", { class: "attn-head-pair" }));
  // Other heads than those that were switched off: all of them start on.
  const afresh =
    (name) =>
    (value, { on }) => ({ [name]: value, on: on.map(() => true) });
  page.slider("heads", { label: "number of heads", changes: afresh("heads") });
  page.select("cut", { label: "how to cut", changes: afresh("cut") });
  page.slider("d_out", { label: "columns of W_o", role: "output" });
  const reachTitle = `influence of “${spec.words.at(-1)}” on the first “${spec.words[0]}”`;
  return (state, result) => {
    heads(state, result);
    below.replaceChildren(
      titled(
        state.cut === "embedding" || state.heads === 1
          ? "heads side by side, then W_o"
          : "heads one below the other, then W_o",
        mixing(state, result),
      ),
      titled(reachTitle, reaching(state, result)),
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
