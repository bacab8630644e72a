// What stands around the squares: frames, names, arrows, and bars over the followed word's weights.

import { range } from "../kit/arithmetic.js";
import { add, svg } from "../kit/elements.js";
import { fixed, percent } from "../kit/format.js";
import { ALL_HEADS, axes, isNew, marksNew, matrix, ofHead } from "./arithmetic.js";
import { hasNames, isTurned } from "./layout.js";
import { label, roleOf } from "./matrix_squares.js";

const text = (x, y, words, more = {}) => svg("text", { x, y, text: words, ...more });

// A frame round a matrix, a tint behind one that is new, and the sheets of the other heads behind it.
export function frame(state, box) {
  const { id, x, y, right, bottom } = box;
  const size = { width: right - x, height: bottom - y, rx: 3 };
  const around = (pad, kind) =>
    svg("rect", {
      class: kind,
      x: x - pad,
      y: y - pad,
      width: size.width + 2 * pad,
      height: size.height + 2 * pad,
      rx: 3 + pad / 2,
    });
  const heads = state.stage >= ALL_HEADS && ofHead(state, id) ? state.questions.length - 1 : 0;
  const sheet = (k) =>
    svg("rect", { class: "attn-sheet", ...size, x: x + 2 * k - 0.5, y: y - 2 * k - 0.5 });
  return svg(
    "g",
    { "data-role": roleOf(id), class: "attn-framed" },
    ...(marksNew(state) && isNew(state, id) ? [around(6, "attn-new")] : []),
    ...range(heads).map((k) => sheet(heads - k)),
    around(1, "attn-frame"),
  );
}

// How far the sheets of the other heads reach over a matrix.
export const sheetsOver = (state, id) => (ofHead(state, id) && state.stage >= ALL_HEADS ? 5 : 0);

// Where a name can stand: over a matrix, under it, or before it.
const over = ({ x, right, y }, words, more, up = 7) =>
  text((x + right) / 2, y - up, words, { ...more, "text-anchor": "middle" });
const under = ({ x, right, bottom }, words, more, down = 15) =>
  text((x + right) / 2, bottom + down, words, { ...more, "text-anchor": "middle" });
const before = ({ x, y, bottom }, words, more, [left, down] = [7, 4]) =>
  text(x - left, (y + bottom) / 2 + down, words, { ...more, "text-anchor": "end" });

export function nameOf(state, box) {
  const { id, x, y } = box;
  const words = label(state, id, axes(state, "queries").columns.length);
  const more = { class: "attn-name", "data-role": roleOf(id), "data-name": id };
  if (state.folded) return foldedName(box, words, more);
  if (state.stage === 2) return nameWithoutMatrices(box, more);
  if (id.startsWith("W_") && isTurned(id)) return before(box, words, more);
  if (id === "keys" || id === "values") return before(box, words, more, [10, -6]);
  if (id === "joined") return text(x + 20, y - 8, words, more);
  const below = ["queries", "blends", ...(hasNames(state) ? ["outputs"] : [])];
  return below.includes(id)
    ? under(box, words, more)
    : over(box, words, more, 7 + sheetsOver(state, id));
}

// On a phone: before a matrix that has no words there; the large one has its name over it all.
export function shortName(state, box, { small }) {
  const { id, only } = box;
  const size = axes(state, "queries").columns.length;
  const words = SHORT[id] ?? label(state, id, size).replace(/(,| \+).*/, "");
  const more = { class: "attn-name", "data-role": roleOf(id) };
  if (id === small) return text(0, 0, "");
  const beside = axes(state, id).rows === state.words && only === undefined && !isTurned(id);
  return beside ? under(box, words, more) : before(box, words, more, [6, 4]);
}

const SHORT = {
  normed: "normed",
  joined: "joined",
  outputs: "Y",
  positions: "position",
  thought: "forward",
  tokens: "X + p",
};

function foldedName(box, words, more) {
  const { id, y, right, bottom } = box;
  if (id === "keys" || id === "values") return text(right + 8, (y + bottom) / 2 + 4, words, more);
  if (id === "scores") return under(box, words, more);
  return over(box, id === "tokens" ? "X + p" : words, more, 9);
}

const SECOND = { keys: ["the same X,", "turned"], values: ["X again:", "what is blended"] };

function nameWithoutMatrices(box, more) {
  const { id, right, bottom } = box;
  const aside = { ...more, class: "attn-name attn-aside" };
  const lines = SECOND[id]?.map((line, i) => before(box, line, aside, [9, 15 * i - 3]));
  if (lines) return svg("g", {}, ...lines);
  const words = { X: "X, one row per word", outputs: "Y, a new row per word" }[id] ?? id;
  if (id === "outputs") return text(right, bottom + 17, words, { ...more, "text-anchor": "end" });
  return id === "weights" ? over(box, words, more) : under(box, words, more, 17);
}

const SLANT = 50; // degrees

// Names over columns, slanted.
export function slanted(box, names, turn = SLANT) {
  const step = box.cell;
  const nodes = names.map((name, i) => {
    const [x, y] = [box.x + step * (i + 0.62), box.y - 6];
    const style = { "font-size": `${Math.min(13, Math.max(11, 0.9 * step))}px` };
    const transform = `rotate(-${turn} ${x} ${y})`;
    return text(x, y, name, { class: "attn-slanted", transform, style });
  });
  return svg("g", { class: "attn-names" }, ...nodes);
}

// The words before a line of rows.
export function words(state, box) {
  const shown = box.only === undefined ? range(state.words.length) : [box.only];
  const nodes = shown.map((i, k) =>
    text(box.x - 8, box.y + box.cell * (k + 0.5) + 4, state.words[i], {
      class: "attn-word",
      "text-anchor": "end",
      "data-word": i,
      style: { "font-size": `${Math.min(13.5, box.cell + 0.5)}px` },
    }),
  );
  return svg("g", { class: "attn-line-words" }, ...nodes);
}

// The largest weight, and the places that have it.
function favourites(row) {
  const most = Math.max(...row);
  return [most, range(row.length).filter((j) => most - row[j] < 1e-9)];
}

// A bar over each weight of the followed word, the largest with its share; the matrix's name is below.
export function weightBars(box, high, sheets) {
  const node = svg("g", { class: "attn-weight-bars", "data-role": "weight" });
  const floor = box.y - 22 - sheets;
  const wide = Math.max(4, box.cell - 4);
  const bars = range(box.cols).map((j) => {
    const place = { x: box.x + box.cell * (j + 0.5) - wide / 2, y: floor - high };
    return add(node, svg("rect", { ...place, width: wide, height: high }));
  });
  add(node, svg("line", { x1: box.x, x2: box.right, y1: floor, y2: floor }));
  const share = add(node, text(0, 0, "", { "text-anchor": "middle" }));
  const show = (state, result) => {
    const row = matrix(state, result, "weights")[state.word];
    const [most, best] = favourites(row);
    row.forEach((a, j) => {
      bars[j].style.setProperty("transform", `scaleY(${a})`);
    });
    const middle = best.length > 1 ? box.cols / 2 : best[0] + 0.5;
    share.setAttribute("x", box.x + box.cell * middle);
    share.setAttribute("y", floor - high * most - 5);
    share.textContent =
      best.length > 1 ? `${percent(most)} each` : `${state.words[best[0]]} ${percent(most)}`;
  };
  return { node, show, top: floor - high - 16 };
}

// What the followed word has gained most, beside its row of the outputs.
export function gains(box, names) {
  const node = svg("g", { class: "attn-gains" });
  const show = (state, result) => {
    const most = matrix(state, result, "outputs")
      [state.word].map((x, c) => [x, names[c]])
      .filter(([x]) => x >= 0.5)
      .sort(([a], [b]) => b - a)
      .slice(0, 4);
    const lines = [
      `${state.words[state.word]} gains`,
      ...most.map(([x, name]) => `${name} ${fixed(x)}`),
    ];
    node.replaceChildren(
      ...(most.length ? lines : []).map((line, i) =>
        text(box.right + 14, box.y + 11 + 15 * i, line),
      ),
    );
  };
  return { node, show };
}

export const namesAlong = (state, box) => {
  const { rows, columns } = axes(state, box.id);
  return isTurned(box.id) ? rows : columns;
};
