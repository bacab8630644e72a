// A mask to draw: who may look at whom, what four ways of hiding make of it, and what leaks.

import { sum } from "../kit/arithmetic.js";
import { add, html, scrollBox } from "../kit/elements.js";
import { entry, figure, withEntry } from "../kit/figure.js";
import { fixed, wordName } from "../kit/format.js";
import { heads } from "../kit/heatmap.js";
import { roving } from "../kit/roving.js";
import { table } from "../kit/table.js";
import { compute, leakText, maskOf, namesOf, sentence } from "./arithmetic.js";

// --- the grid: one button a cell, one of them in the tab order ------------------------------

// The rows of the table by name: their cells, a button in each, and their sums.
function rows(words) {
  const button = (i, j) =>
    html("button", { type: "button", class: "attn-look", "data-i": i, "data-j": j });
  return words.map((text, i) => {
    const buttons = words.map((_, j) => button(i, j));
    const cells = buttons.map((node) => html("td", { class: "attn-heat-cell" }, node));
    const total = html("td", { class: "attn-sum" });
    const name = html("th", { scope: "row", text });
    const line = html("tr", {}, name, ...cells, total);
    return { line, name, buttons, cells, total };
  });
}

function grid(parent, page, words) {
  const lines = rows(words);
  const body = html("tbody", {}, ...lines.map(({ line }) => line));
  const top = heads(words, true);
  add(
    parent,
    html(
      "table",
      { class: "attn-heat attn-mask-grid" },
      html("caption", { text: "Press a cell to hide or show a key; drag for several." }),
      html("thead", {}, top),
      body,
    ),
  );
  roving(
    body,
    lines.map(({ buttons }) => buttons),
  );
  painting(body, page);
  return (state, { mask, weights }) => {
    const names = namesOf(state);
    lines.forEach(({ line, name, buttons, cells, total }, i) => {
      for (const head of [name, top.children[i + 1]]) head.textContent = names[i];
      line.toggleAttribute("data-on", i === state.query - 1);
      buttons.forEach((node, j) => {
        const pair = [wordName(names, i), wordName(names, j)];
        paint(cells[j], node, mask[i][j], weights[i]?.[j], pair);
      });
      total.textContent = weights[i] ? fixed(sum(weights[i])) : NAN;
    });
  };
}

const NAN = "NaN"; // 0/0, where a query sees nothing

// An exact 0 is told from a small weight.
const weight = (p) => (p === 0 ? "0" : fixed(p));

function paint(cell, node, look, p, [query, key]) {
  const text = p === undefined ? NAN : weight(p);
  cell.style.setProperty("--w", p ?? 0);
  cell.toggleAttribute("data-hidden", !look);
  cell.toggleAttribute("data-leak", !look && p > 0);
  node.textContent = text;
  node.setAttribute("aria-pressed", look);
  node.setAttribute("aria-label", `${text}: ${query} ${look ? "may" : "may not"} look at ${key}`);
}

// A press changes a cell, and its row is followed; with the button held, what the pointer enters gets the same. A finger
// taps, so that the page still scrolls under it.
function painting(body, page) {
  let [to, pressed] = [null, false];
  const set = (node, value) => {
    const at = [Number(node.dataset.i), Number(node.dataset.j)];
    const mask = maskOf(page.state());
    const look = value ?? !entry(mask, at);
    if (look !== entry(mask, at))
      page.change({ kind: "custom", own: withEntry(mask, at, look), query: at[0] + 1 });
    return look;
  };
  const under = (event) => event.target.closest?.("button");
  body.addEventListener("pointerdown", (event) => {
    const node = under(event);
    pressed = false;
    if (!node || event.button !== 0 || event.pointerType === "touch") return;
    if (node.hasPointerCapture?.(event.pointerId)) node.releasePointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    to = set(node);
    pressed = true;
  });
  body.addEventListener("pointerover", (event) => {
    const node = under(event);
    if (to === null || !node) return;
    if (event.buttons & 1) set(node, to);
    else to = null;
  });
  body.addEventListener("pointerup", () => {
    to = null;
  });
  body.addEventListener("click", (event) => {
    const node = under(event);
    const done = pressed && event.detail > 0; // the press has changed it already
    pressed = false;
    if (!node || done) return;
    node.focus({ preventScroll: true });
    set(node);
  });
}

// --- the four ways, for the query that is followed ----------------------------------------

function comparison(state, { mask, ways }) {
  const { query, way: drawn } = state;
  const words = namesOf(state);
  const [look, me] = [mask[query - 1], wordName(words, query - 1)];
  const one = (p, j) => ({
    text: p ? weight(p[j]) : NAN,
    class: "attn-one",
    "data-hidden": !look[j],
    "data-leak": !look[j] && p?.[j] > 0,
  });
  const end = (text) => ({ text, class: "attn-end" });
  const line = ({ name, p, leak }) => [
    name,
    ...look.map((_, j) => one(p, j)),
    end(p ? fixed(sum(p)) : NAN),
    ...[0, 1].map((k) => end(leak ? leakText(leak[k]) : NAN)),
  ];
  return table({
    kind: "attn-ways",
    caption: `${me} in each way: its weights, and how its output y moves with what is hidden`,
    heads: [
      "",
      ...words.map((text) => ({ text, class: "attn-one" })),
      ...["sum", "‖∂y/∂V‖", "‖∂y/∂K‖"].map(end),
    ],
    rows: ways.map(line),
    row: ways.findIndex(({ way }) => way === drawn),
  });
}

const PADDING = ["padding", "both"];

// A mask that hides padding is chosen to be seen: then the sentence is a short one.
const withPadding = (kind, { length, spec: { words } }) =>
  PADDING.includes(kind) && length === words.length ? { kind, length: 3 } : { kind };

function build(page, { spec }) {
  const { words } = spec;
  const show = grid(add(page.stage, html("div", { class: "attn-mask-box" })), page, words);
  const parent = add(page.stage, html("div", { class: "attn-side" }));
  const below = scrollBox(
    add(page.stage, html("div", { class: "attn-below" })),
    "four ways to hide",
  );
  page.slider("query", {
    parent,
    label: "query",
    role: "query",
    format: (i) => wordName(namesOf(page.state()), i - 1),
  });
  page.select("kind", { parent, label: "mask", changes: withPadding });
  const length = page.slider("length", {
    parent,
    label: "words",
    format: (n) => (n === words.length ? `${n}, no padding` : `${n}, then padding`),
  });
  const window = page.slider("window", {
    parent,
    label: "window",
    role: "key",
    format: (w) => (w === 1 ? "1 key" : `${w} keys`),
  });
  page.select("way", { parent, label: "hidden by" });
  return (state, result) => {
    window.hidden = state.kind !== "window";
    length.hidden = !PADDING.includes(state.kind) && state.length === words.length;
    show(state, result);
    below.replaceChildren(comparison(state, result));
  };
}

export default figure({
  name: "MaskEditor",
  title: "Who may look at whom",
  lead: "The head who? of the layer. Hatched cells are hidden.",
  compute,
  build,
  words: sentence,
});
