// The same four vectors asked in three ways: by a writer step by step, by themselves, by one query.

import { attentionWeights, matmul, sum } from "../kit/arithmetic.js";
import { add, html, scrollBox } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { degree, favourite, fixed } from "../kit/format.js";
import { heads } from "../kit/heatmap.js";
import { table } from "../kit/table.js";
import { direction } from "../kit/vectors.js";

// The writer's rows, one after the other: its state is a wish, which depends on all words so far,
// and a share of what the last row fetched.
function writing(text, steps, { wishes, carried, vectors, scale }) {
  const found = [];
  let fetched = [0, 0];
  for (let t = 0; t < steps; t += 1) {
    const wish = wishes[text.slice(0, t).join(" ")];
    const state = wish.map((x, c) => x + carried * fetched[c]);
    found.push(...attentionWeights([state], vectors, { scale }));
    [fetched] = matmul(found.slice(-1), vectors);
  }
  return found;
}

// Who asks, by name, and the rows of weights; for the writer, only those it has come to.
function asked({ kind, step, second, angle, spec }) {
  const { vectors, scale } = spec;
  if (kind === "self") return [spec.source, attentionWeights(vectors, vectors, { scale })];
  if (kind === "pooling") {
    const query = direction(angle).map((x) => spec.norm * x);
    return [["query"], attentionWeights([query], vectors, { scale })];
  }
  const text = spec.texts[second];
  return [text.map((_, t) => `step ${t + 1}`), writing(text, step, spec)];
}

export function compute(state) {
  const { spec, kind, step } = state;
  const columns = kind === "pooling" ? spec.patches : spec.source;
  const [rows, A] = asked(state);
  return { rows, columns, A, at: kind === "pooling" ? 0 : step - 1 };
}

export function sentence({ kind, step, second, spec }, { rows, columns, A, at }) {
  const looks = favourite(columns, A[at]);
  if (kind === "self")
    return `All ${A.length} rows at once. “${rows[at]}” ${looks}: that follows from these words alone, whatever the other rows are.`;
  if (kind === "pooling")
    return `One row: the learned query ${looks}. No word asks and there are no steps; 1 vector stands for all ${columns.length} patches.`;
  const written = spec.texts[second].slice(0, step - 1);
  const after = written.length ? `“${written.join(" ")}” is written` : "nothing is written yet";
  const later = rows.length - step;
  const wait =
    later > 1 ? ` ${later} rows have to wait.` : later ? " 1 row has to wait." : " No row waits.";
  return `Step ${step}: ${after}, and the writer ${looks}.${wait}`;
}

// A heat map whose rows may still have to wait.
function weights(parent, { rows, columns, A, at }) {
  const cell = (p) =>
    html(
      "td",
      { class: "attn-cell", "data-hidden": p === undefined, style: { "--w": p ?? 0 } },
      html("span", { text: p === undefined ? "later" : fixed(p) }),
    );
  const line = (text, i) =>
    html(
      "tr",
      { "data-on": i === at },
      html("th", { scope: "row", text }),
      ...columns.map((_, j) => cell(A[i]?.[j])),
      html("td", { class: "attn-sum", text: A[i] ? fixed(sum(A[i])) : "–" }),
    );
  parent.replaceChildren(
    html(
      "table",
      { class: "attn-heat attn-asked" },
      html("caption", { text: "weights" }),
      html("thead", {}, heads(columns, true)),
      html("tbody", {}, ...rows.map(line)),
    ),
  );
}

const FACTS = [
  ["queries", { decoder: "a writer’s states", pooling: "one learned vector", self: "the words" }],
  ["keys, values", { decoder: "the words read", pooling: "the patches", self: "the same words" }],
  ["outputs", { decoder: "one a step", pooling: "one in all", self: "one a word" }],
  [
    "a row depends on",
    {
      decoder: "the words read, the words written, the last row",
      pooling: "the patches",
      self: "the words",
    },
  ],
  ["all rows at once?", { decoder: "no: one by one", pooling: "there is one", self: "yes" }],
];

// The three ways side by side; the one that is drawn is bold and marked.
function comparison({ kind, spec }) {
  const kinds = spec.controls.kind;
  return table({
    kind: "attn-kinds",
    heads: ["", ...kinds.map(([, name]) => name)],
    rows: FACTS.map(([name, says]) => [name, ...kinds.map(([k]) => says[k])]),
    column: kinds.findIndex(([k]) => k === kind),
  });
}

function build(page, { spec }) {
  const box = scrollBox(page.stage, "weights");
  const parent = add(page.stage, html("div", { class: "attn-side" }));
  const below = scrollBox(
    add(page.stage, html("div", { class: "attn-below" })),
    "three kinds of attention",
  );
  const step = page.slider("step", {
    parent,
    label: "row",
    role: "query",
    format: (t) => `${t} of ${spec.source.length}`,
  });
  const second = page.select("second", { parent, label: "second word written" });
  page.select("kind", { parent, label: "who asks" });
  const angle = page.slider("angle", {
    parent,
    label: "learned query’s angle",
    role: "query",
    format: degree,
  });
  return (state, result) => {
    step.hidden = state.kind === "pooling";
    second.hidden = state.kind !== "decoder";
    angle.hidden = state.kind !== "pooling";
    weights(box, result);
    below.replaceChildren(comparison(state));
  };
}

export default figure({
  name: "WhoLooks",
  title: "Three who ask",
  lead: "The same four vectors are asked each time. All numbers are set by hand.",
  compute,
  build,
  words: sentence,
});
