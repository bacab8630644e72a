// Where a block's parameters and its work are: three parts, two bars for each.

import { sum } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { percent, short } from "../kit/format.js";

const PARTS = ["projections", "scores, blend", "feed-forward"];

const UNITS = [
  [1e15, "quadrillion"],
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

// 1,048,576 up to a million, then 3.1 million.
export function count(x) {
  const [size, name] = UNITS.find(([from]) => x >= from) ?? [1, ""];
  if (!name) return x.toLocaleString("en");
  const digits = x / size < 100 ? 1 : 0;
  return `${short(x / size, digits)} ${name}`;
}

// One block's counts in the order of PARTS, and the length at which scores and blend are half.
export function compute({ d, ratio, n }) {
  const parameters = [4 * d * d, 0, 2 * ratio * d * d];
  const work = [n * parameters[0], 2 * n * n * d, n * parameters[2]];
  return { parameters, work, even: (2 + ratio) * d };
}

export function sentence({ n, layers }, { parameters, work, even }) {
  const held = sum(parameters);
  const stack = layers === 1 ? "" : `, ${layers} blocks ${count(layers * held)}`;
  const half =
    n === even
      ? "exactly half of the work at this length"
      : n > even
        ? `more than half of the work from n = ${even.toLocaleString("en")} on`
        : `less than half of the work up to n = ${even.toLocaleString("en")}`;
  return (
    `One block’s matrices hold ${count(held)} numbers${stack}; ${percent(parameters[2] / held)} of them are in the feed-forward. ` +
    `For ${n.toLocaleString("en")} tokens a block takes ${count(sum(work))} multiply-adds. Scores and blend, which learn nothing, take ${percent(work[1] / sum(work))}: ${half}.`
  );
}

// A heading, then one bar for each part; show(counts) moves them.
function bars(parent, heading) {
  const fills = PARTS.map(() => html("span", { class: "attn-fill" }));
  const numbers = PARTS.map(() => html("span", { class: "attn-number" }));
  const bar = (name, j) =>
    html(
      "div",
      { class: "attn-bar", role: "listitem" },
      html("span", { class: "attn-bar-label", text: name }),
      html("span", { class: "attn-track", "aria-hidden": "true" }, fills[j]),
      numbers[j],
    );
  parent.append(
    html("p", { class: "attn-heading", text: heading }),
    html("div", { class: "attn-bars", role: "list", "aria-label": heading }, ...PARTS.map(bar)),
  );
  return (counts) =>
    counts.forEach((x, j) => {
      fills[j].style.width = `${(100 * x) / sum(counts)}%`;
      numbers[j].textContent = count(x);
    });
}

function build(page) {
  const column = () => add(page.stage, html("div"));
  const parameters = bars(column(), "numbers to learn, one block");
  const work = bars(column(), "multiply-adds, one block");
  const grouped = (x) => x.toLocaleString("en");
  page.slider("d", { label: "size d", format: grouped });
  page.slider("ratio", { label: "hidden ÷ d" });
  page.slider("n", { label: "tokens n", format: grouped });
  page.slider("layers", { label: "blocks" });
  return (_, result) => {
    parameters(result.parameters);
    work(result.work);
  };
}

export default figure({
  name: "BlockCost",
  title: "What a block learns, and what it computes",
  lead: "Matrices only; biases and norms add little to either.",
  compute,
  build,
  words: sentence,
});
