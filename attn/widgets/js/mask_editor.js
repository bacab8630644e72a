// A mask to draw: who may look at whom, what four ways of hiding make of it, and what leaks.

import { dot, matmul, softmax, transpose } from "./core.js";
import { add, html, scrollBox } from "./kit/elements.js";
import { figure } from "./kit/figure.js";
import { fixed, list, percent } from "./kit/format.js";
import { heads } from "./kit/heatmap.js";

// The mask, true where query i may look at key j.
export function maskOf({ kind, window, own, facts }) {
  const { words, length } = facts;
  const rule = {
    causal: (i, j) => j <= i,
    padding: (_, j) => j < length,
    both: (i, j) => j <= i && j < length,
    window: (i, j) => j <= i && i - j < window,
    all: () => true,
    custom: (i, j) => own[i][j],
  }[kind];
  return words.map((_, i) => words.map((_, j) => rule(i, j)));
}

const FILL = { inf: -Infinity, big: -1e9, score: 0 };

// One query's weights, hidden in one of four ways; null where no softmax is left.
export function maskedRow(scores, look, way) {
  if (way === "weight") return softmax(scores).map((p, j) => (look[j] ? p : 0));
  if (way === "inf" && !look.some(Boolean)) return null;
  return softmax(scores.map((s, j) => (look[j] ? s : FILL[way])));
}

const norm = (v) => Math.sqrt(dot(v, v));

// The norms of ∂y/∂V and ∂y/∂K over the hidden rows; null where there are no weights.
export function leaks(q, K, V, look, way, scale) {
  const scores = K.map((k) => scale * dot(q, k));
  const p = maskedRow(scores, look, way);
  if (!p) return null;
  const hidden = (row) => row.filter((_, j) => !look[j]);
  const values = Math.sqrt(V[0].length) * norm(hidden(p));
  if (way !== "weight") return [values, 0];
  const y = transpose(V).map((column) => dot(p, column));
  return [values, norm(hidden(softmax(scores))) * norm(y) * scale * norm(q)];
}

function compute(state) {
  const { vectors: X, scale } = state.facts;
  const mask = maskOf(state);
  const scores = matmul(X, transpose(X)).map((row) => row.map((s) => scale * s));
  const rows = (way) => scores.map((row, i) => maskedRow(row, mask[i], way));
  const i = state.query - 1;
  const ways = state.facts.controls.way.map(([way, name]) => ({
    way,
    name,
    p: maskedRow(scores[i], mask[i], way),
    leak: leaks(X[i], X, X, mask[i], way, scale),
  }));
  return { mask, weights: rows(state.way), ways };
}

const total = (row) => row.reduce((a, b) => a + b, 0);
// Words that stand twice are told apart by a number.
function named(words, j) {
  const alike = words.map((_, k) => k).filter((k) => words[k] === words[j]);
  return alike.length > 1 ? `${words[j]} ${alike.indexOf(j) + 1}` : words[j];
}

function looking(words, look, i, p) {
  const seen = words.map((_, j) => j).filter((j) => look[j]);
  const name = (j) => (j === i ? "itself" : named(words, j));
  return list(seen.map((j) => `${percent(p[j])} at ${name(j)}`));
}

const small = (x) => (x === 0 ? "0" : x < 0.001 ? "under 0.001" : fixed(x, 3));

// What reaches the output from hidden keys and values, if anything.
function leaking(look, { p, leak }) {
  const [values, keys] = leak;
  const lost = total(p.filter((_, j) => !look[j]));
  if (values > 0)
    return `But ${percent(lost)} goes to what is hidden: y moves with hidden values, ‖∂y/∂V‖ = ${small(values)}.`;
  if (keys > 0) return `But y still moves with hidden keys, ‖∂y/∂K‖ = ${small(keys)}.`;
  return "Nothing hidden reaches its output y.";
}

// The other queries that may look at nothing.
function blind(mask, words, me) {
  const none = words.map((_, i) => i).filter((i) => i !== me && !mask[i].some(Boolean));
  return none.length ? ` ${list(none.map((i) => named(words, i)))} may look at nothing.` : "";
}

export function sentence(state, { mask, ways }) {
  const { words } = state.facts;
  const i = state.query - 1;
  const [look, me] = [mask[i], named(words, i)];
  const now = ways.find(({ way }) => way === state.way);
  const start = `Hidden by ${now.name}: `;
  const rest = blind(mask, words, i);
  if (!look.some(Boolean)) {
    if (!now.p)
      return `${start}${me} may look at nothing, and there is no softmax: no score is left to share 1.${rest}`;
    if (total(now.p) === 0)
      return `${start}${me} may look at nothing; all its weights are 0, and so is its output.${rest}`;
    return `${start}${me} may look at nothing, and still looks ${percent(now.p[0])} at each of the hidden keys: y moves with their values, ‖∂y/∂V‖ = ${small(now.leak[0])}.${rest}`;
  }
  const sum = `its weights sum to ${fixed(total(now.p))}`;
  const first = `${start}${me} looks ${looking(words, look, i, now.p)}; ${sum}. `;
  if (look.every(Boolean)) return `${first}Nothing is hidden from it.${rest}`;
  return `${first}${leaking(look, now)}${rest}`;
}

// --- the grid: one button a cell, one of them in the tab order ------------------------------

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function grid(parent, page, words) {
  const n = words.length;
  const make = (i, j) =>
    html("button", { type: "button", class: "attn-look", "data-i": i, "data-j": j });
  const buttons = words.map((_, i) => words.map((_, j) => make(i, j)));
  const cells = buttons.map((row) => row.map((node) => html("td", { class: "attn-cell" }, node)));
  const sums = words.map(() => html("td", { class: "attn-sum" }));
  const lines = words.map((text, i) =>
    html("tr", {}, html("th", { scope: "row", text }), ...cells[i], sums[i]),
  );
  const body = html("tbody", {}, ...lines);
  add(
    parent,
    html(
      "table",
      { class: "attn-heat attn-mask-grid" },
      html("caption", { text: "Press a cell to hide or show a key; drag for several." }),
      html("thead", {}, heads(words, true)),
      body,
    ),
  );
  const focusable = (i, j) => {
    buttons.flat().forEach((node) => {
      node.tabIndex = -1;
    });
    buttons[i][j].tabIndex = 0;
    return buttons[i][j];
  };
  focusable(0, 0);
  painting(body, page, focusable);
  body.addEventListener("keydown", (event) => {
    const node = event.target.closest("button");
    if (!node || !(event.key in STEPS)) return;
    event.preventDefault();
    const [di, dj] = STEPS[event.key];
    const [i, j] = [Number(node.dataset.i) + di, Number(node.dataset.j) + dj];
    if (i >= 0 && j >= 0 && i < n && j < n) focusable(i, j).focus();
  });
  return ({ query }, { mask, weights }) => {
    buttons.forEach((row, i) => {
      lines[i].toggleAttribute("data-on", i === query - 1);
      row.forEach((node, j) => {
        paint(cells[i][j], node, mask[i][j], weights[i]?.[j], [named(words, i), named(words, j)]);
      });
      sums[i].textContent = weights[i] ? fixed(total(weights[i])) : "–";
    });
  };
}

// An exact 0 is told from a small weight.
const weight = (p) => (p === 0 ? "0" : fixed(p));

function paint(cell, node, look, p, [query, key]) {
  const text = p === undefined ? "–" : weight(p);
  cell.style.setProperty("--w", p ?? 0);
  cell.toggleAttribute("data-hidden", !look);
  cell.toggleAttribute("data-leak", !look && p > 0);
  node.textContent = text;
  node.setAttribute("aria-pressed", look);
  node.setAttribute("aria-label", `${text}: ${query} ${look ? "may" : "may not"} look at ${key}`);
}

// A press changes a cell, and its row is followed; with the button held, what the pointer enters gets the same. A finger
// taps, so that the page still scrolls under it.
function painting(body, page, focusable) {
  let [to, pressed] = [null, false];
  const set = (node, value) => {
    const [i, j] = [Number(node.dataset.i), Number(node.dataset.j)];
    const mask = maskOf(page.state());
    const own = mask.map((row) => [...row]);
    own[i][j] = value ?? !own[i][j];
    if (own[i][j] !== mask[i][j]) page.change({ kind: "custom", own, query: i + 1 });
    return own[i][j];
  };
  const at = (event) => event.target.closest?.("button");
  body.addEventListener("pointerdown", (event) => {
    const node = at(event);
    pressed = false;
    if (!node || event.button !== 0 || event.pointerType === "touch") return;
    if (node.hasPointerCapture?.(event.pointerId)) node.releasePointerCapture(event.pointerId);
    focusable(Number(node.dataset.i), Number(node.dataset.j)).focus({ preventScroll: true });
    to = set(node);
    pressed = true;
  });
  body.addEventListener("pointerover", (event) => {
    const node = at(event);
    if (to === null || !node) return;
    if (event.buttons & 1) set(node, to);
    else to = null;
  });
  body.addEventListener("pointerup", () => {
    to = null;
  });
  body.addEventListener("click", (event) => {
    const node = at(event);
    const done = pressed && event.detail > 0; // the press has changed it already
    pressed = false;
    if (node && !done) {
      focusable(Number(node.dataset.i), Number(node.dataset.j));
      set(node);
    }
  });
}

// --- the four ways, for the query that is followed ----------------------------------------

function comparison(words, look, me, ways, drawn) {
  const head = (text, more = {}) => html("th", { scope: "col", text, ...more });
  const cell = (p, j) =>
    html("td", {
      text: p ? weight(p[j]) : "–",
      class: "attn-one",
      "data-hidden": !look[j],
      "data-leak": !look[j] && p?.[j] > 0,
    });
  const line = ({ way, name, p, leak }) =>
    html(
      "tr",
      { "data-drawn": way === drawn },
      html("th", { scope: "row", text: `${way === drawn ? "▸ " : ""}${name}` }),
      ...look.map((_, j) => cell(p, j)),
      html("td", { class: "attn-end", text: p ? fixed(total(p)) : "–" }),
      ...[0, 1].map((k) => html("td", { class: "attn-end", text: leak ? small(leak[k]) : "–" })),
    );
  const ends = ["sum", "‖∂y/∂V‖", "‖∂y/∂K‖"].map((text) => head(text, { class: "attn-end" }));
  return html(
    "table",
    { class: "attn-ways" },
    html("caption", {
      text: `${me} in each way: its weights, and how its output y moves with what is hidden`,
    }),
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("td"),
        ...words.map((text) => head(text, { class: "attn-one" })),
        ...ends,
      ),
    ),
    html("tbody", {}, ...ways.map(line)),
  );
}

function build(page, { facts }) {
  const { words } = facts;
  page.stage.classList.add("attn-masking");
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
    format: (i) => named(words, i - 1),
  });
  page.select("kind", { parent, label: "mask" });
  const window = page.slider("window", {
    parent,
    label: "window",
    role: "key",
    format: (w) => (w === 1 ? "1 key" : `${w} keys`),
  });
  page.select("way", { parent, label: "hidden by" });
  return (state, made) => {
    window.hidden = state.kind !== "window";
    show(state, made);
    const i = state.query - 1;
    below.replaceChildren(comparison(words, made.mask[i], named(words, i), made.ways, state.way));
  };
}

export default figure({
  name: "MaskEditor",
  title: "Who may look at whom",
  lead: "Each word is its own query, key and value. Hatched cells are hidden.",
  compute,
  build,
  words: sentence,
});
