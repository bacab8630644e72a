// The box of words under the picture: what is, or where one number comes from, with its sum.

import { html } from "../kit/elements.js";
import { marksNew } from "./arithmetic.js";
import { stepOf, steps, tell } from "./journey.js";
import { roleOf } from "./matrix_squares.js";
import { atRest, meaning, sum } from "./sentences.js";
import { trace } from "./trace.js";
import { pinned } from "./trail.js";

const HINT = "Every square is a number: touch one and see what made it.";

function part(one) {
  if (typeof one === "string") return one;
  if (one.strong) return html("b", { text: one.strong });
  if (one.result) return html("b", { class: "attn-result", text: one.result });
  const { id, row, col, head } = one.cell;
  const cell = { "data-cell": JSON.stringify({ id, row, col, head }), "data-role": roleOf(id) };
  return html("span", { class: "attn-factor", text: one.text, ...cell });
}

const paragraph = (kind, parts) => html("p", { class: kind }, ...parts.map(part));

const box = (first, second, kind = "attn-sum-line") =>
  html("div", {}, paragraph("attn-meaning", first), paragraph(kind, second));

const hinted = (first, hint) => box(first, [hint], "attn-sum-line attn-hint");

// Where the number in one cell comes from.
export function traceWords(state, result, at) {
  const found = trace(state, result, at);
  return box(meaning(state, found), sum(state, result, found));
}

// What the figure says: of the pinned cell, of the step, or of the layer at rest.
export function figureWords(state, result) {
  const at = pinned(state);
  if (at) return traceWords(state, result, at);
  if (stepOf(state)) return hinted(tell(state, result), journeyHint(state));
  return hinted(atRest(state, result), HINT + tintHint(state));
}

// A folded layer shows no tint.
const tintHint = (state) => (marksNew(state) && !state.folded ? " Tinted boxes are new here." : "");

const journeyHint = (state) => {
  const next = steps(state)[stepOf(state)];
  return next ? `Next: ${next.name}.` : "The journey ends here.";
};
