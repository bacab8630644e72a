// One layer of attention, every number of it: follow a word, and ask of any square where it came from.

import { button } from "../kit/controls.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed } from "../kit/format.js";
import { ALL_HEADS, compute, MASK } from "./arithmetic.js";
import { journeyPlayer } from "./player.js";
import { responsiveView } from "./responsive_view.js";
import { ribbons } from "./ribbons.js";
import { sameCell } from "./trace.js";
import { pinned, traceActions, traceButtons, trailOf } from "./trail.js";
import { figureWords, traceWords } from "./word_box.js";

// The slider belongs to one head: with another in front it would move nothing that is seen.
function controlsOf(page, { stage, spec, questions, strength_at, W_q }) {
  const format = (x) => fixed(x, 1);
  if (stage === 2) page.slider("feature", { label: spec.labels.feature, format });
  else page.slider("strength", { label: spec.labels.strength, role: "query", format });
  if (stage >= MASK) page.checkbox("masked", { label: "look only back" });
  const range = page.stage.parentElement.querySelector("input[type=range]");
  const owner = Math.floor(strength_at[1] / (W_q[0].length / questions.length));
  return ({ head }) => {
    range.disabled = stage >= ALL_HEADS && head !== owner;
    range.title = range.disabled ? `It acts on the head ${questions[owner]}` : "";
  };
}

// A button for each head, named by its question.
function headsOf(parent, page, { stage, questions }) {
  if (stage < ALL_HEADS || questions.length < 2) return () => {};
  const attributes = { class: "attn-heads-row", role: "group", "aria-label": "head in front" };
  const group = add(parent, html("div", attributes));
  const heads = questions.map((text, head) =>
    button(group, { label: text, kind: "attn-pick", click: () => page.change({ head }) }),
  );
  return ({ head }) => heads.forEach((node, h) => node.setAttribute("aria-pressed", h === head));
}

function foldOf(parent, page) {
  const click = () => page.change({ folded: !page.get("folded"), trail: [] });
  const node = button(parent, { label: "", kind: "attn-fold", click });
  return ({ folded }) => {
    node.textContent = folded ? "Unfold" : "Fold";
  };
}

// What is traceWords in the picture: the cell under the pointer or the keys, else the pinned one.
function tracing(page, state) {
  let [now, result, hovered] = [state, null, null];
  const ask = traceActions(page, (at) => view.focus(at));
  const light = () => {
    const at = sameCell(hovered, pinned(now)) ? null : hovered;
    view.light(now, result, at ?? pinned(now), at ? [] : trailOf(now));
    row.preview.replaceChildren(...(at ? [traceWords(now, result, at)] : []));
  };
  const preview = (at) => {
    hovered = at;
    if (result) light();
  };
  const view = responsiveView(page.stage, state, { ...ask, preview });
  const row = traceButtons(page.stage, ask);
  // The numbers of a sum stand in the words, outside of the stage.
  page.stage.parentElement.onclick = ({ target }) => {
    const cell = target.closest("[data-cell]")?.dataset.cell;
    if (cell) ask.follow(JSON.parse(cell));
  };
  return (...fresh) => {
    [now, result] = fresh;
    view.show(now, result);
    row.show(now, result);
    light();
  };
}

function build(page, state) {
  page.stage.classList.add("attn-single");
  const bar = add(page.stage, html("div", { class: "attn-bar-top" }));
  const sentence = ribbons(bar, page, state);
  const play = journeyPlayer(bar, page, state);
  const parts = [
    sentence,
    play,
    foldOf(play.row, page),
    headsOf(play.node, page, state),
    tracing(page, state),
    controlsOf(page, state),
  ];
  return (now, result) => parts.forEach((show) => show(now, result));
}

export default figure({
  name: "LayerExplorer",
  title: "One layer, every number",
  wide: true,
  compute,
  build,
  words: figureWords,
  rebuildKey: ({ stage, words, entries, questions, W_q, W_v, W_1 }) => [
    ...[stage, words, entries, questions],
    ...[W_q, W_v, W_1].map(([row]) => row.length),
  ],
});
