// Eight scores read in blocks: three running numbers, and what a larger score does to them.

import { range } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, list } from "../kit/format.js";
import { table } from "../kit/table.js";
import { compute } from "./arithmetic.js";

const SUBSCRIPTS = "₁₂₃₄₅₆₇₈";

// 1; 0.135; a factor that is not 0 is not written as 0.
export const factorText = (x) => (x > 0 && x < 0.0005 ? "< 0.001" : fixed(x, x === 1 ? 0 : 3));

// “score 5”, “scores 5 and 6”.
const scoreNames = (from, count) =>
  count === 1
    ? `score ${from + 1}`
    : `scores ${list(range(count).map((k) => String(from + k + 1)))}`;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function describeBlock({ old, top, factor }) {
  if (!old.total) return `The first block set the maximum to ${fixed(top)}.`;
  if (factor === 1)
    return `The last block had no score above the maximum, ${fixed(top)}, so the old sum and the old blend stayed as they were.`;
  return `The last block raised the maximum from ${fixed(old.top)} to ${fixed(top)}, so the old sum and the old blend were multiplied by ${factorText(factor)}.`;
}

export function sentence({ step, block, scores }, { added, held, last, output, answer }) {
  const all = scores.length;
  const read = `${step} of ${all} scores read.`;
  const waiting = held
    ? `${capital(scoreNames(added, held))} ${held > 1 ? "are" : "is"} held until the block of ${block} is full.`
    : "";
  if (!last) return `${read} ${waiting} Nothing has been added yet.`;
  const whole = added === all ? `all ${all} scores` : `the first ${added === 1 ? "score" : added}`;
  const ordinary =
    added === all && Math.abs(output - answer) < 1e-12
      ? `An ordinary softmax over ${whole} gives the same.`
      : `That is what attention over ${whole} alone would give.`;
  return [read, waiting, describeBlock(last), `Blend ÷ sum is ${fixed(output)}.`, ordinary]
    .filter(Boolean)
    .join(" ");
}

// One row for each key: its score under a slider, its value, and its exponential as a bar.
function rows(page, { scores, values }) {
  const parent = add(page.stage, html("div", { class: "attn-keys" }));
  const heads = ["", "score s", "", "v", "exp(s − μ)", ""];
  parent.append(
    html(
      "div",
      { class: "attn-key-row attn-heads", "aria-hidden": "true" },
      ...heads.map((text) => html("span", { text })),
    ),
  );
  const lines = scores.map((_, j) => {
    const line = add(parent, html("div", { class: "attn-key-row" }));
    page.slider("scores", {
      label: `s${SUBSCRIPTS[j]}`,
      role: "key",
      at: [j],
      parent: line,
      format: (x) => fixed(x, 1),
    });
    const value = html("span", { class: "attn-own-value attn-value" });
    const fill = html("span", { class: "attn-fill" });
    const number = html("span", { class: "attn-number" });
    line.append(value, html("span", { class: "attn-track", "aria-hidden": "true" }, fill), number);
    return { line, value, fill, number };
  });
  return ({ step, block }, { added, terms }) =>
    lines.forEach(({ line, value, fill, number }, j) => {
      const state = j < added ? "added" : j < step ? "held" : "later";
      line.dataset.state = state;
      line.toggleAttribute("data-starts", block > 1 && j > 0 && j % block === 0);
      value.textContent = fixed(values[j], 0);
      fill.style.width = `${100 * (terms[j] ?? 0)}%`;
      number.textContent = state === "added" ? fixed(terms[j]) : state === "held" ? "held" : "–";
    });
}

// The old sum, what it shrinks to, and what the block adds: lengths on one scale.
function sums(parent, { scores }) {
  const bar = (text) => {
    const [kept, fresh] = [
      html("span", { class: "attn-fill attn-kept" }),
      html("span", { class: "attn-fill" }),
    ];
    parent.append(
      html(
        "div",
        { class: "attn-sum-bar" },
        html("span", { text }),
        html("span", { class: "attn-track", "aria-hidden": "true" }, kept, fresh),
      ),
    );
    return (a, b) => {
      kept.style.width = `${(100 * a) / scores.length}%`;
      fresh.style.width = `${(100 * b) / scores.length}%`;
    };
  };
  const [before, now] = [bar("sum before"), bar("sum now")];
  return (last) => {
    before(last ? last.old.total : 0, 0);
    now(last ? last.old.total * last.factor : 0, last ? last.fresh.total : 0);
  };
}

const EMPTY_ROW = ["–", "–", "–", "–"];

function ledgerRows(last) {
  if (!last)
    return [
      ["max μ", ...EMPTY_ROW],
      ["sum ℓ", ...EMPTY_ROW],
      ["blend u", ...EMPTY_ROW],
    ];
  const { old, top, total, blend, factor, fresh } = last;
  const times = old.total ? factorText(factor) : "–";
  const was = (x) => (old.total ? fixed(x) : "–");
  return [
    ["max μ", was(old.top), "", "", fixed(top)],
    ["sum ℓ", was(old.total), times, fixed(fresh.total), fixed(total)],
    ["blend u", was(old.blend), times, fixed(fresh.blend), fixed(blend)],
  ];
}

function build(page, state) {
  const keys = rows(page, state);
  const side = add(page.stage, html("div", { class: "attn-ledger-side" }));
  const ledger = add(side, html("div"));
  const bars = sums(add(side, html("div", { class: "attn-sum-bars" })), state);
  const output = add(side, html("p", { class: "attn-now" }));
  page.playedSlider("step", { label: "scores read" });
  page.slider("block", { label: "block: scores held at a time" });
  return (state, result) => {
    keys(state, result);
    const { last } = result;
    ledger.replaceChildren(
      table({
        kind: "attn-ledger",
        caption: `all that is kept (corrected ${result.rescaled === 1 ? "once" : `${result.rescaled} times`} so far)`,
        heads: ["", "before", "times", "plus", "now"],
        rows: ledgerRows(last),
      }),
    );
    ledger.dataset.rescaled = String(Boolean(last?.old.total) && last.factor < 1);
    bars(last);
    output.replaceChildren(
      "y = u ÷ ℓ = ",
      html("span", { class: "attn-output", text: last ? fixed(result.output) : "–" }),
    );
  };
}

export { compute };

export default figure({
  name: "TileStepper",
  title: "A softmax read in pieces",
  lead: "Scores arrive from the top. The bars are drawn for you; the method forgets them.",
  compute,
  build,
  words: sentence,
  tall: true,
});
