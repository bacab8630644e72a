// Every head of a real model on one sentence: a small picture of each to choose from, and the chosen
// one as a map or as arcs.

import { range } from "../kit/arithmetic.js";
import { add, html, svg, titled } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { fixed, percent } from "../kit/format.js";
import { roving } from "../kit/roving.js";
import { compute, ranked, sameWord, sentence, spread } from "./arithmetic.js";
import { arcs, LOW, map, WIDE } from "./portrait.js";

const LEVELS = [0.08, 0.25, 0.6]; // from which weight on a small picture's square gets darker

const FINEST = 22; // tokens; in a longer sentence a square is larger than its place, to be seen

// The squares of one level, as one path: few nodes for 72 pictures.
const squares = (A, from, to) => {
  const side = Number(fixed(Math.max(1, A.length / FINEST)));
  const square = `h${side}v${side}h-${side}z`;
  return A.flatMap((row, i) =>
    row.map((p, j) => (p >= from && p < to ? `M${j} ${i}${square}` : "")),
  ).join("");
};

// What stands over the small pictures: how many pass is seen where the filters are moved.
const passing = (count, chosen) => {
  const front = chosen ? chosen.filter(Boolean).length : count;
  return `${front === count ? `all ${count} heads` : `${front} of ${count} heads pass`}: rows are layers`;
};

// One button for each head: its picture, and its name for those who do not see it.
function gallery(parent, page, { spec }) {
  const button = (layer, head) =>
    html(
      "button",
      {
        type: "button",
        class: "attn-small-head",
        onclick: () => page.change({ layer: layer + 1, head: head + 1 }),
      },
      svg(
        "svg",
        { "aria-hidden": "true", preserveAspectRatio: "none" },
        ...LEVELS.map((_, i) => svg("path", { "data-level": i })),
      ),
    );
  const cells = range(spec.layers).map((layer) =>
    range(spec.heads).map((head) => button(layer, head)),
  );
  const number = (text) => html("span", { class: "attn-count", "aria-hidden": "true", text });
  const grid = html(
    "div",
    { class: "attn-gallery", role: "group", "aria-label": "heads, one row for each layer" },
    number(""),
    ...range(spec.heads).map((h) => number(`${h + 1}`)),
    ...cells.flatMap((line, layer) => [number(`${layer + 1}`), ...line]),
  );
  parent.append(grid);
  const place = roving(grid, cells, {
    moved: ([layer, head]) => page.change({ layer: layer + 1, head: head + 1 }),
  });
  let drawn;
  return ({ layer, head }, { tokens, maps, start, wide, chosen, k }) => {
    place([layer - 1, head - 1]);
    parent.firstChild.textContent = passing(spec.layers * spec.heads, chosen);
    cells.flat().forEach((node, i) => {
      node.setAttribute("aria-pressed", i === k);
      node.toggleAttribute("data-back", Boolean(chosen) && !chosen[i]);
      const name = `layer ${Math.floor(i / spec.heads) + 1}, head ${(i % spec.heads) + 1}`;
      const more = maps
        ? `: ${percent(start[i])} to [CLS], ${spread(wide[i])}${chosen[i] ? "" : ", does not pass"}`
        : "";
      node.setAttribute("aria-label", name + more);
      if (drawn === maps) return;
      const [picture] = node.children;
      picture.setAttribute("viewBox", `0 0 ${tokens.length} ${tokens.length}`);
      [...picture.children].forEach((path, level) => {
        const d = maps ? squares(maps[i], LEVELS[level], LEVELS[level + 1] ?? 2) : "";
        path.setAttribute("d", d);
      });
    });
    drawn = maps;
  };
}

const describe = ({ layer, head, view, weighted }, { tokens, at, A }) => {
  const [first] = ranked(A[at]);
  return (
    `${view === "map" ? "Map" : "Arcs"} of layer ${layer}, head ${head}, ${tokens.length} tokens; the row of ` +
    `${tokens[at]} has its largest ${weighted ? "share" : "weight"}, ${fixed(A[at][first])}, on ${tokens[first]}.`
  );
};

// The chosen head, large; made anew for other tokens or another view.
function portrait(parent, page) {
  const picture = add(parent, svg("svg", { class: "attn-chart attn-portrait", role: "img" }));
  const choose = (i) => page.change({ query: i + 1 });
  const fit = (high) => picture.setAttribute("viewBox", `0 0 ${WIDE} ${high}`);
  fit(LOW);
  let [builtFor, show] = [];
  return (state, result) => {
    const { A, at, tokens } = result;
    const key = A && `${state.view} ${state.sentence}`;
    if (key !== builtFor) {
      builtFor = key;
      picture.replaceChildren();
      show = A && { map, arcs }[state.view](picture, tokens, choose);
      if (show) fit(show.high);
    }
    show?.draw(A, at, state.weighted);
    picture.setAttribute(
      "aria-label",
      A ? describe(state, result) : "The weights are on their way.",
    );
    parent.firstChild.textContent = A ? `layer ${state.layer}, head ${state.head}` : "…";
  };
}

// The query by its number; the reading is its token.
function queryControl(page, parent, { spec }) {
  const node = page.slider("query", { parent, label: "query", role: "query" });
  const [range_, reading] = [node.querySelector("input"), node.querySelector(".attn-reading")];
  return ({ sentence: name }, { at, tokens }) => {
    range_.max = spec.tokens[name].length;
    range_.value = at + 1;
    range_.style.setProperty("--to", `${fixed((100 * at) / (tokens.length - 1), 1)}%`);
    range_.setAttribute("aria-valuetext", tokens[at]);
    reading.textContent = tokens[at];
  };
}

function build(page, state) {
  page.stage.classList.add("attn-browser");
  page.select("sentence", {
    parent: page.stage,
    label: "sentence",
    changes: (name, now) => ({ sentence: name, query: sameWord(now, name) }),
  });
  // Each control stands next to what it changes: filters over all heads, the rest over the chosen one.
  const choices = add(page.stage, html("div", { class: "attn-choices" }));
  const filters = add(choices, html("div", { class: "attn-pair" }));
  page.select("sinks", { parent: filters, label: "weight on the first token" });
  page.slider("widest", {
    parent: filters,
    label: "spread at most",
    format: (x) => `${fixed(x, 1)} bits`,
  });
  page.checkbox("weighted", { parent: choices, label: "times the norm of what is handed over" });
  const heads = gallery(add(choices, titled("")), page, state);
  const drawing = add(choices, html("div", { class: "attn-pair" }));
  page.select("view", { parent: drawing, label: "draw as" });
  const query = queryControl(page, drawing, state);
  const one = add(page.stage, titled(""));
  const large = portrait(one, page);
  return (now, result) => {
    heads(now, result);
    query(now, result);
    large(now, result);
  };
}

export default figure({
  name: "HeadBrowser",
  title: "Every head of a real model",
  lead: "Choose a head: darker is more weight. A faded head does not pass the filters.",
  data: ({ sentence: name }) => `data/${name}.bin`,
  compute,
  build,
  words: sentence,
  wide: true,
});
