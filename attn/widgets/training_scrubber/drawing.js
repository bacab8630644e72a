// A recorded training: maps that form, curves that dip, sentences that become right.

import { swatch, words } from "../kit/chart.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { percent } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";
import { lineChart } from "../kit/line_chart.js";
import { compute, lookOf, sentence } from "./arithmetic.js";

export { compute, sentence };

const [CELL, SIDE, TOP] = [15, 40, 41];

// One head's weights on the sentence; the row that predicts the verb is framed.
function map(parent, { spec }, name) {
  const n = spec.words.length;
  const [wide, high] = [SIDE + n * CELL + 17, TOP + n * CELL + 2];
  const picture = svg("svg", { viewBox: `0 0 ${wide} ${high}`, class: "attn-chart", role: "img" });
  const squares = spec.words.flatMap((_, i) =>
    spec.words
      .slice(0, i + 1)
      .map((_, j) =>
        svg("rect", { x: SIDE + j * CELL, y: TOP + i * CELL, width: CELL - 1, height: CELL - 1 }),
      ),
  );
  const side = spec.words.map((word, i) =>
    words(SIDE - 5, TOP + i * CELL + 12, word, { "text-anchor": "end", class: "attn-of-query" }),
  );
  const top = spec.words.map((word, j) => {
    const [x, y] = [SIDE + j * CELL + 10, TOP - 4];
    const turned = { transform: `rotate(-65 ${x} ${y})`, "text-anchor": "start" };
    return words(x, y, word, { ...turned, class: "attn-of-key" });
  });
  const frame = { x: SIDE - 2, y: TOP + (n - 1) * CELL - 2, width: n * CELL + 3, height: CELL + 3 };
  picture.append(...side, ...top, ...squares, svg("rect", { class: "attn-asked", ...frame }));
  parent.append(titled(name, picture));
  return (state, A) => {
    const shown = A.flat().filter((x) => x !== null);
    squares.forEach((square, k) => {
      square.style.fill = shade(shown[k], 1);
    });
    picture.setAttribute("aria-label", lookOf(state, A, name));
  };
}

const TICKS = [0, 25, 100, 200, 400, 800];
const BETWEEN = ["none", "one", "two"];

// The share of right verbs up to the moment shown; early steps get more room.
function curves(parent, { spec }) {
  const box = html("div");
  const key = BETWEEN.map((text, k) => html("li", {}, swatch(k + 1), ` ${text}`));
  parent.append(
    titled("right verbs, with differing nouns between", box),
    html("ul", { class: "attn-legend-list" }, ...key),
  );
  return ({ step, curve, agreement }) => {
    const said = BETWEEN.map((text, k) => `${text} ${percent(agreement[k])}`);
    const rows = curve.slice(0, spec.measured.indexOf(step) + 1);
    const drawn = lineChart({
      label: `Share of right verbs after ${step} steps, by how many nouns of the other number stand between: ${said.join(", ")}.`,
      ...{ high: 164, area: [52, 322, 10, 128], cursor: step },
      x: {
        ...{ of: Math.sqrt, ends: [0, Math.sqrt(spec.measured.at(-1))] },
        ...{ ticks: TICKS.map((at) => [Math.sqrt(at), `${at}`]), name: "steps of training" },
      },
      y: { ends: [0, 1], ticks: [0, 0.5, 1].map((share) => [share, percent(share)]) },
      lines: BETWEEN.map((_, k) => ({
        points: rows.map((row, i) => [spec.measured[i], row[k]]),
        series: k + 1,
      })),
      dots: BETWEEN.map((_, k) => ({ at: [step, agreement[k]], series: k + 1 })),
    });
    box.replaceChildren(drawn);
  };
}

const LONGEST = 11; // words of a sentence that are shown

// What it says next, and three sentences that it writes.
function speech(parent, { spec }) {
  const bar = html("div", { class: "attn-verbs" });
  const [one, many] = [html("span"), html("span")];
  const start = spec.words.slice(1).join(" ");
  bar.append(html("p", { text: `After “${start}”, its verbs:` }), html("p", {}, one, many));
  const lines = html("ul", { class: "attn-written" });
  const heading = html("p", { class: "attn-heading" });
  parent.append(bar, heading, lines);
  return ({ singular, written, right, accepted }) => {
    one.style.setProperty("--share", `${singular}`);
    many.style.setProperty("--share", `${1 - singular}`);
    one.textContent = `singular: ${percent(singular)}`;
    many.textContent = `plural: ${percent(1 - singular)}`;
    heading.textContent = `It writes, ${percent(accepted)} of it right:`;
    lines.replaceChildren(
      ...written.map((text, i) => {
        const all = text.split(" ");
        const short = all.length > LONGEST ? `${all.slice(0, LONGEST).join(" ")} …` : text;
        const mark = html("b", {
          text: right[i] ? "✓ " : "✗ ",
          "aria-label": right[i] ? "right:" : "wrong:",
        });
        return html("li", { "data-right": right[i] }, mark, short);
      }),
    );
  };
}

function build(page, state) {
  const maps = add(page.stage, html("div", { class: "attn-maps" }));
  const heads = state.spec.names.map((name) => map(maps, state, name));
  const chart = curves(add(page.stage, html("div")), state);
  const say = speech(add(page.stage, html("div", { class: "attn-speech" })), state);
  const format = (moment) => `${state.spec.steps[moment]}`;
  page.playedSlider("moment", { label: "steps of training", format });
  page.select("data", { label: "trained on sentences where" });
  return (now, result) => {
    heads.forEach((show, h) => show(now, result.maps[h]));
    chart(result);
    say(result);
  };
}

export default figure({
  name: "TrainingScrubber",
  title: "A training, from noise to agreement",
  lead: "Recorded: a model with two layers of two heads learns to predict the next word.",
  compute,
  build,
  words: sentence,
  tall: true,
});
