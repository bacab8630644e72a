// A state that reads the sentence word by word: its entries, unrolled, and what it is made of.

import { add, html, scrollBox } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, list, short } from "../kit/format.js";

// 50%, 1.6%.
export const percent = (share) =>
  share > 0 && share < 0.0005 ? "under 0.1%" : `${short(100 * share, 1)}%`;

// The gate at every word of the sentence: how much of the old state stays.
const gatesOf = ({ keep, gate, spec }) =>
  spec.X.map((x) => (gate === "same" || x[spec.living] > 0 ? keep : 1));

// After each word: what the state is made of (the start, then the words), and its entries.
export function compute(state) {
  const { step, spec } = state;
  let shares = [1];
  const after = gatesOf(state).map((g, t) => {
    shares = [...shares.map((share) => g * share), 1 - g];
    const h = spec.entries.map((_, i) =>
      spec.X.slice(0, t + 1).reduce((sum, x, j) => sum + shares[j + 1] * x[i], 0),
    );
    return { shares, h };
  });
  return { after, shares: after[step - 1].shares, h: after[step - 1].h };
}

export function sentence(state, { shares }) {
  const { step, keep, gate, spec } = state;
  const [start, first, ...others] = shares;
  const named = others.map((share, j) => `${percent(share)} “${spec.words[j + 1]}”`);
  const holds = [`${percent(first)} the first word`, ...named, `${percent(start)} the empty start`];
  const rule =
    gate === "same"
      ? `Every new word multiplies each older share by ${fixed(keep)}.`
      : `A word that is not living leaves the state as it is; a living one multiplies each older share by ${fixed(keep)}.`;
  return `${step} of ${spec.words.length} words read. The state is ${list(holds)}. ${rule}`;
}

const SUBSCRIPTS = "₁₂₃₄₅₆";

// One column for each word, one row for each entry; show(after, step) fills the columns read.
function unrolled(parent, { words, entries }) {
  const cells = entries.map(() =>
    words.map(() => html("td", { class: "attn-heat-cell" }, html("span"))),
  );
  const head = (kind, texts) =>
    html("tr", {}, html("th", { text: kind }), ...texts.map((text) => html("th", { text })));
  const label = "the state after each word";
  scrollBox(parent, label).append(
    html(
      "table",
      { class: "attn-heat attn-unrolled" },
      html("caption", { text: label }),
      html(
        "thead",
        {},
        head("word", words),
        head(
          "state",
          words.map((_, t) => `h${SUBSCRIPTS[t]}`),
        ),
      ),
      html(
        "tbody",
        {},
        ...entries.map((name, i) => html("tr", {}, html("th", { text: name }), ...cells[i])),
      ),
    ),
  );
  return (after, step) =>
    after.forEach(({ h }, t) =>
      h.forEach((x, i) => {
        const cell = cells[i][t];
        cell.style.setProperty("--w", t < step ? fixed(x, 4) : "0");
        cell.toggleAttribute("data-later", t >= step);
        cell.children[0].textContent = t < step && x ? fixed(x) : "";
      }),
    );
}

// One bar for each word and one for the start; show(shares) moves them.
function bars(parent, { words }) {
  const names = [...words.map((word, j) => `${j + 1} ${word}`), "the start"];
  const fills = names.map(() => html("span", { class: "attn-fill" }));
  const numbers = names.map(() => html("span", { class: "attn-number" }));
  parent.append(
    html("p", { class: "attn-heading", text: "what the newest state is made of" }),
    html(
      "div",
      { class: "attn-bars", role: "list", "aria-label": "shares" },
      ...names.map((name, j) =>
        html(
          "div",
          { class: "attn-bar", role: "listitem", "data-first": j === 0 },
          html("span", { class: "attn-bar-label", text: name }),
          html("span", { class: "attn-track", "aria-hidden": "true" }, fills[j]),
          numbers[j],
        ),
      ),
    ),
  );
  return ([start, ...shares]) =>
    names.forEach((_, j) => {
      const share = j === words.length ? start : shares[j];
      fills[j].style.width = `${100 * (share ?? 0)}%`;
      numbers[j].textContent = share === undefined ? "–" : percent(share);
    });
}

function build(page, { spec }) {
  const columns = unrolled(page.stage, spec);
  const shares = bars(add(page.stage, html("div", { class: "attn-shares" })), spec);
  page.playedSlider("step", { label: "words read" });
  page.slider("keep", { label: "keep g", format: (x) => fixed(x) });
  page.select("gate", { label: "gate opens" });
  return ({ step }, result) => {
    columns(result.after, step);
    shares(result.shares);
  };
}

export default figure({
  name: "RunningState",
  title: "One vector that reads the sentence",
  lead: "At each word it keeps a share g of itself and takes the rest from the word.",
  compute,
  build,
  words: sentence,
  tall: true,
});
