// Four ways to say where a token stands, and what a query sees of the distance to a key.

import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed } from "../kit/format.js";
import { compute, NOTES, ROWS, sentence, spans, TITLES, TURNING } from "./arithmetic.js";
import { clocks } from "./clocks.js";
import { matrixPicture, tablePicture } from "./matrices.js";
import { rowPicture } from "./row.js";

// A titled part of the figure that stays on the page: show(title, picture).
function panel(parent) {
  const title = html("p");
  const node = add(parent, html("div", { class: "attn-titled" }, title));
  const show = (text, drawn) => {
    title.textContent = text;
    if (node.lastChild !== drawn) node.replaceChildren(title, drawn);
  };
  return Object.assign(show, { node });
}

function pictures(page) {
  const drawing = add(page.stage, html("div", { class: "attn-panels" }));
  const turning = panel(drawing);
  const note = add(drawing, html("p", { class: "attn-lead attn-aside" }));
  const [first, second, third] = [panel(drawing), panel(drawing), panel(drawing)];
  const [dials, row, table, matrix] = [clocks(), rowPicture(), tablePicture(), matrixPicture()];
  return (state, { table: M, S }) => {
    const { kind, position } = state;
    const turns = TURNING.includes(kind);
    const [left, right] = TITLES[kind];
    const most = spans(state, { table: M, S });
    turning.node.hidden = !turns;
    note.hidden = turns;
    if (turns) turning("one clock per pair: query solid, key dashed", dials(state));
    else note.textContent = NOTES[kind](state);
    first(`${ROWS[kind]} at ${position}, by key`, row(state, S[position], most.row));
    second(left, table(state, M, most.table));
    third(right, matrix(state, S, right, most.scores));
  };
}

function build(page) {
  page.stage.classList.add("attn-single");
  const top = add(page.stage, html("div", { class: "attn-chooser" }));
  page.select("kind", { parent: top, label: "encoding" });
  page.player("position", { parent: top, each: 700 });
  const draw = pictures(page);
  page.slider("position", { label: "query at", role: "query" });
  page.slider("offset", { label: "offset δ", role: "key", format: (x) => fixed(x, 0) });
  const turning = [
    page.slider("size", { label: "size d" }),
    page.slider("base", { label: "base" }),
  ];
  const head = page.slider("head", { label: "head" });
  return (state, result) => {
    for (const node of turning) node.hidden = !TURNING.includes(state.kind);
    head.hidden = state.kind !== "alibi";
    draw(state, result);
  };
}

export default figure({
  name: "PositionExplorer",
  title: "Where a token stands",
  compute,
  build,
  words: sentence,
  tall: true,
});
