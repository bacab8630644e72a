// The sentence as ribbons: from the followed word a line to every word it looks at, as thick as its weight.

import { add, html, svg } from "../kit/elements.js";
import { percent } from "../kit/format.js";
import { matrix } from "./arithmetic.js";

const [STEP, HIGH, THICKEST] = [60, 46, 13];

// The line from word i to word j; its path leaves room over it for its thickness.
function shape(path, i, j, weight) {
  const [from, to] = [STEP * (i + 0.5), STEP * (j + 0.5)];
  const wide = weight === 0 ? 0 : Math.max(0.7, THICKEST * weight);
  const top = HIGH - Math.min(HIGH - wide / 2 - 1, 18 + 9 * Math.abs(i - j));
  const d =
    i === j
      ? `M${from - 10} ${HIGH}C${from - 22} ${HIGH - 30} ${from + 22} ${HIGH - 30} ${from + 10} ${HIGH}`
      : `M${from} ${HIGH}C${from} ${top} ${to} ${top} ${to} ${HIGH}`;
  path.setAttribute("d", d);
  path.style.setProperty("stroke-width", `${wide}px`);
}

export function ribbons(parent, page, { words }) {
  const picture = svg("svg", {
    class: "attn-ribbon-box",
    viewBox: `0 0 ${STEP * words.length} ${HIGH}`,
    "aria-hidden": "true",
  });
  const lines = words.map(() => add(picture, svg("path", { class: "attn-ribbon" })));
  const press = (word) => page.change({ word });
  const buttons = words.map((text, i) =>
    html(
      "button",
      { type: "button", class: "attn-ribbon-word", onclick: () => press(i) },
      html("span", { text }),
      html("small"),
    ),
  );
  const row = html(
    "div",
    { class: "attn-ribbon-words", role: "group", "aria-label": "word to follow" },
    ...buttons,
  );
  const box = add(parent, html("div", { class: "attn-ribbons" }, picture, row));
  box.style.setProperty("--words", words.length);
  return (state, result) => {
    const weights = matrix(state, result, "weights")[state.word];
    weights.forEach((a, j) => shape(lines[j], state.word, j, a));
    buttons.forEach((button, j) => {
      button.setAttribute("aria-pressed", j === state.word);
      button.lastChild.textContent =
        weights[j] > 0 && weights[j] < 0.0005 ? "<0.1%" : percent(weights[j]);
    });
  };
}
