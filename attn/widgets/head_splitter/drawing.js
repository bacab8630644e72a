// One layer of attention cut into heads: the cut itself, what each head sees, what it adds to one
// word, and how far a word's influence reaches over layers. The cut along the sequence is wrong.

import { matmul, range, sum } from "../kit/arithmetic.js";
import { words } from "../kit/chart.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed } from "../kit/format.js";
import { heatmap } from "../kit/heatmap.js";
import { compute, headName, sentence } from "./arithmetic.js";

// A head's switch over its heat map, which is made anew when the words that the head sees change.
function card(parent, page, i) {
  const name = `head ${i + 1}`;
  const node = add(parent, html("div", { class: "attn-head-card", "data-head": i }));
  const label = page.checkbox("on", { parent: node, at: [i], label: name }).lastChild;
  const map = add(node, html("div"));
  let [built, show] = [];
  return (state, part, A) => {
    node.hidden = !part;
    node.toggleAttribute("data-off", !state.on[i]);
    const seen = part?.rows.map((j) => state.spec.words[j]);
    if (built !== seen?.join()) {
      built = seen?.join();
      map.replaceChildren();
      if (part) {
        show = heatmap(map, { rows: seen, columns: seen, label: `weights of ${name}` });
        const followed = part.rows.indexOf(state.spec.follow);
        map.querySelectorAll("tbody tr").forEach((row, r) => {
          row.toggleAttribute("data-on", r === followed);
        });
      }
    }
    if (!part) return;
    label.textContent = `${name}: ${headName(state, part)}`;
    show(A);
  };
}

function maps(parent, page, { spec }) {
  const cards = range(spec.controls.heads.max).map((i) => card(parent, page, i));
  return (state, { parts: owned, weights: A }) => {
    parent.dataset.heads = state.heads;
    cards.forEach((show, i) => show(state, owned[i], A[i]));
  };
}

const [UNIT, TOP, APART] = [10, 20, 9];

// A matrix to scale, one square for each number; where it is cut, its parts stand apart.
function squares(parent, x, M, title) {
  const cells = M.map((row, i) =>
    row.map((value, j) =>
      add(
        parent,
        svg("rect", {
          class: "attn-square",
          "data-zero": value === 0,
          x: x + UNIT * j,
          y: TOP + UNIT * i,
          width: UNIT - 1,
          height: UNIT - 1,
        }),
      ),
    ),
  );
  parent.append(words(x + 5 * UNIT, TOP + 8 * UNIT + 18, `${title} (${M.length}, ${M[0].length})`));
  // whose(i, j) is the head that a square belongs to, or null; shift is how far it moves.
  return (state, whose, shift) =>
    cells.forEach((row, i) => {
      row.forEach((cell, j) => {
        const head = whose(i, j);
        cell.setAttribute("data-head", head ?? "all");
        cell.toggleAttribute("data-off", head !== null && !state.on[head]);
        const [dx, dy] = head === null ? [0, 0] : shift(head);
        cell.style.setProperty("transform", `translate(${dx}px, ${dy}px)`);
      });
    });
}

const [AT_X, AT_W, AT_Q, WIDE, HIGH] = [8, 122, 256, 370, 123];

// X times W_q, and the columns (or, wrongly, the words) that fall apart into heads.
function theCut(parent, { spec }) {
  const { X, W_q } = spec;
  const picture = add(
    parent,
    svg("svg", { class: "attn-chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" }),
  );
  const drawn = [
    squares(picture, AT_X, X, "X"),
    squares(picture, AT_W, W_q, "W_q"),
    squares(picture, AT_Q, matmul(X, W_q), "X W_q"),
  ];
  picture.append(words(105, TOP + 34, "·"), words(239, TOP + 34, "="));
  const tags = add(picture, svg("g"));
  return (state, { parts: owned }) => {
    const along = state.cut === "columns" || state.heads === 1;
    const whose = (k) =>
      owned.findIndex(({ rows, columns }) => (along ? columns : rows).includes(k));
    const shift = (head) => (along ? [APART * head, 0] : [0, (APART - 3) * head]);
    const [rowsOfX, columnsOfW, both] = along
      ? [() => null, (_, j) => whose(j), (_, j) => whose(j)]
      : [(i) => whose(i), () => null, (i) => whose(i)];
    drawn[0](state, rowsOfX, shift);
    drawn[1](state, columnsOfW, shift);
    drawn[2](state, both, shift);
    const middle = (run) => UNIT * (run[0] + run.length / 2);
    const number = ({ rows, columns }, i) =>
      along
        ? [AT_W, AT_Q].map((x) => words(x + middle(columns) + APART * i, TOP - 5, `${i + 1}`))
        : [
            words(AT_Q + 8 * UNIT + 9, TOP + middle(rows) + (APART - 3) * i + 5, `${i + 1}`, {
              class: "attn-row-tag",
            }),
          ];
    tags.replaceChildren(...(state.heads > 1 ? owned.flatMap(number) : []));
    const what = along ? "columns of W_q, and so of X W_q," : "rows of X, and so of X W_q,";
    picture.setAttribute(
      "aria-label",
      state.heads === 1
        ? "X times W_q gives X W_q, one square for each number. Nothing is cut."
        : `X times W_q gives X W_q, one square for each number. The ${what} are shared out among ${state.heads} heads.`,
    );
  };
}

// The followed word's row of Y: a bar for each entry, a piece of it for each head.
function takesHome(parent, { spec }) {
  const most = spec.controls.heads.max;
  const lines = spec.entries.map((entry) => {
    const pieces = range(most).map((i) =>
      html("span", { class: "attn-piece", "data-head": i }, html("span", { text: `${i + 1}` })),
    );
    const total = html("span", { class: "attn-total" });
    parent.append(
      html(
        "div",
        { class: "attn-entry" },
        html("span", { class: "attn-entry-name", text: entry }),
        html("span", { class: "attn-entry-bar" }, ...pieces),
        total,
      ),
    );
    return { pieces, total };
  });
  return (state, { added, whole }) =>
    lines.forEach(({ pieces, total }, c) => {
      pieces.forEach((piece, i) => {
        const share = whole[i]?.[c] ?? 0;
        piece.style.setProperty("width", `${fixed(100 * share, 2)}%`);
        piece.toggleAttribute("data-off", !state.on[i]);
        piece.toggleAttribute("data-narrow", share < 0.1);
      });
      total.textContent = fixed(sum(added.map((row) => row[c])));
    });
}

const MOST = 1.3;

// A column for each number of layers; exactly 0 is told as 0.
function reaching(parent, { spec }) {
  const box = add(parent, html("div", { class: "attn-reaches", role: "img" }));
  const write = (x) => (x === 0 ? "0" : fixed(x));
  const columns = range(spec.layers).map((k) => {
    const number = html("span", { class: "attn-reach-number" });
    const bar = html("span", { class: "attn-reach" });
    const name = html("span", { text: k ? `${k + 1}` : "1 layer" });
    const rise = html("span", { class: "attn-rise" }, number, bar);
    add(box, html("span", { class: "attn-reach-column" }, rise, name));
    return { number, bar };
  });
  return (_, { influences: found }) => {
    columns.forEach(({ number, bar }, k) => {
      number.textContent = write(found[k]);
      bar.style.setProperty("height", `${fixed((80 * Math.min(found[k], MOST)) / MOST, 1)}%`);
    });
    box.setAttribute(
      "aria-label",
      `Influence of “${spec.words.at(-1)}” on the first “${spec.words[0]}” after 1 to ${found.length} layers: ${found.map(write).join(", ")}.`,
    );
  };
}

function build(page, state) {
  const { spec } = state;
  page.stage.classList.add("attn-single");
  const top = add(page.stage, html("div", { class: "attn-cut-row" }));
  const choices = add(top, html("div", { class: "attn-cut-controls" }));
  const drawing = add(top, html("div", { class: "attn-cut-drawing" }));
  // Other heads than those that were switched off: all of them start on.
  const afresh =
    (name) =>
    (value, { on }) => ({ [name]: value, on: on.map(() => true) });
  page.slider("heads", {
    parent: choices,
    label: "number of heads",
    changes: afresh("heads"),
  });
  page.select("cut", { parent: choices, label: "what is cut", changes: afresh("cut") });
  const maps_ = add(page.stage, html("div", { class: "attn-head-maps" }));
  const below = add(page.stage, html("div", { class: "attn-head-pair" }));
  const word = spec.words[spec.follow];
  const [home, reach] = [html("div", { class: "attn-home" }), html("div")];
  below.append(
    titled(`what “${word}” takes home: its row of Y`, home),
    titled(`influence of “${spec.words.at(-1)}” on the first “${spec.words[0]}”`, reach),
  );
  const shown = [
    theCut(drawing, state),
    maps(maps_, page, state),
    takesHome(home, state),
    reaching(reach, state),
  ];
  return (now, result) => shown.forEach((show) => show(now, result));
}

export default figure({
  name: "HeadSplitter",
  title: "Cut it into heads",
  compute,
  build,
  words: sentence,
});
