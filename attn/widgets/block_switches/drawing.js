// Six tokens through a stack of layers: do they stay apart? A chart of their distance from their
// mean, and the tokens themselves.

import { norm, range } from "../kit/arithmetic.js";
import { swatch } from "../kit/chart.js";
import { add, html, scrollBox } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { clamp, fixed, scientific, short, tenTo } from "../kit/format.js";
import { lineChart } from "../kit/line_chart.js";
import { compute, meanOf } from "./arithmetic.js";

const ROUNDING = 1e-14; // below this share, what differs is rounding

// 0.78, 0.0036, 1.4·10⁻⁴.
export function share(x) {
  if (x < ROUNDING) return "less than 10⁻¹⁴";
  if (x < 0.001) return scientific(x);
  return fixed(x, x < 0.01 ? 4 : x < 0.1 ? 3 : 2);
}

const length = (x) => (x >= 1000 || x < 0.01 ? scientific(x) : short(x, x < 10 ? 2 : 0));

// Whether the tokens are still told apart.
export function verdict(x) {
  if (x < ROUNDING) return "They are one and the same vector, down to rounding";
  if (x < 0.01) return "They are nearly one and the same vector";
  if (x < 0.1) return "They have little of their own left";
  return "They are clearly different";
}

const PLACES = { none: "no norm", pre: "a norm before each part", post: "a norm after each sum" };

export function setting({ residual, norm: place, feed_forward, factor }) {
  const parts = feed_forward ? "Attention and feed-forward" : "Attention alone";
  const added = residual
    ? "each answer added to its input"
    : `${feed_forward ? "each" : "its"} answer replacing its input`;
  const multiplied = factor === 1 ? "" : `, every matrix times ${short(factor)}`;
  return `${parts}, ${added}, ${PLACES[place]}${multiplied}`;
}

export function sentence(state, { distances, norms }) {
  const { layer } = state;
  const from = distances[layer];
  const when = layer === 0 ? "As they enter" : `After ${layer} ${layer === 1 ? "layer" : "layers"}`;
  return (
    `${setting(state)}. ${when}, the six tokens lie ${share(from)} of their norm from their mean. ${verdict(from)}. ` +
    `A token’s norm is ${length(norms[layer])} on average${layer ? `; it was ${length(norms[0])}` : ""}.`
  );
}

const LOWEST = -16; // of the powers of ten; what is lower is drawn there
const AXES = {
  log: {
    of: (x) => Math.max(LOWEST, Math.log10(Math.max(x, 1e-300))),
    ends: [LOWEST - 0.6, 0.6],
    ticks: range(5).map((i) => [-4 * i, tenTo(-4 * i)]),
  },
  linear: { ends: [-0.03, 1.03], ticks: [1, 0.75, 0.5, 0.25, 0].map((x) => [x, short(x)]) },
};
const LINES = [
  ["distances", "this stack"],
  ["alone", "attention alone"],
  ["whole", "the whole block, pre-norm"],
];

// The lines end where the tokens are: what the next layers do is the reader's to predict.
function chart({ layer, axis, spec: { layers } }, result) {
  const said = LINES.map(([key, name]) => `${name} ${share(result[key][layer])}`).join(", ");
  const ticks = range(layers / 2 + 1).map((i) => [2 * i, `${2 * i}`]);
  return lineChart({
    label: `Distance of the tokens from their mean after ${layer} of ${layers} layers: ${said}.`,
    ...{ high: 238, area: [46, 328, 10, 200] },
    x: { ends: [-0.358, layers + 0.269], ticks, name: "layers passed" },
    y: AXES[axis],
    lines: LINES.map(([key], k) => ({
      points: result[key].slice(0, layer + 1).map((d, i) => [i, d]),
      ...{ series: k + 1, width: k ? 1.6 : 3 },
    })).reverse(),
    cursor: layer,
    dots: [{ at: [layer, result.distances[layer]], series: 1, r: 5 }],
  });
}

const legend = () =>
  html(
    "p",
    { class: "attn-legend" },
    ...LINES.map(([, name], k) => html("span", {}, swatch(k + 1, k ? 1.6 : 3), ` ${name}`)),
  );

// 1.8, −.2, 0.
const narrow = (x) => fixed(x, 1).replace("0.", ".").replace(/^\.0$/, "0");

const FULL = 2; // a number so many times as large as usual has the full colour

// The tokens divided by the usual size of their numbers, with the mean of all below; show(X) fills it.
function tokenTable(parent, { words: names, X }) {
  const rows = [...names, "mean"];
  const cells = rows.map(() =>
    X[0].map(() => html("td", { class: "attn-heat-cell" }, html("span"))),
  );
  const caption = html("caption");
  scrollBox(parent, "the six tokens and their mean").append(
    html(
      "table",
      { class: "attn-heat attn-tokens" },
      caption,
      html(
        "tbody",
        {},
        ...rows.map((name, i) =>
          html("tr", {}, html("th", { scope: "row", text: name }), ...cells[i]),
        ),
      ),
    ),
  );
  return (X, layer) => {
    const usual = norm(X.flat()) / Math.sqrt(X.flat().length);
    caption.textContent = layer
      ? `tokens after ${layer} ${layer === 1 ? "layer" : "layers"}, on one scale`
      : "tokens as they enter, on one scale";
    [...X, meanOf(X)].forEach((row, i) =>
      row.forEach((x, j) => {
        const cell = cells[i][j];
        const value = x / usual;
        cell.style.setProperty("--w", fixed(clamp(Math.abs(value) / FULL, 0, 1), 3));
        cell.toggleAttribute("data-low", value < 0);
        cell.children[0].textContent = narrow(value);
      }),
    );
  };
}

function build(page, { spec }) {
  const left = add(page.stage, html("div", { class: "attn-titled" }));
  left.append(html("p", { text: "distance from the mean ÷ norm" }));
  const picture = add(left, html("div"));
  left.append(legend());
  const tokens = tokenTable(add(page.stage, html("div")), spec);
  page.playedSlider("layer", { label: "layers passed" });
  page.checkbox("residual", { label: "residual" });
  page.checkbox("feed_forward", { label: "feed-forward" });
  page.select("norm", { label: "layer norm" });
  page.slider("factor", { label: "matrices ×", format: (x) => fixed(x) });
  page.slider("draw", { label: "draw" });
  page.select("axis", { label: "axis" });
  return (state, result) => {
    picture.replaceChildren(chart(state, result));
    tokens(result.tokens[state.layer], state.layer);
  };
}

export default figure({
  name: "BlockSwitches",
  title: "Do the words stay apart?",
  lead: ({ spec }) =>
    `The six words, with positions, pass ${spec.layers} layers whose matrices are random.`,
  compute,
  build,
  words: sentence,
  tall: true,
});
