// One head, large: as a map, rows queries and columns keys, or as arcs from queries to keys. Each is
// made for the tokens of a sentence; what is chosen then moves in it.

import { range } from "../kit/arithmetic.js";
import { svg } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";

export const [WIDE, HIGH] = [400, 400];
const [LEFT, TOP, SUM] = [84, 84, 46]; // room for the queries, the keys and the sums of rows
const LARGEST = 30; // no cell is larger, so that a short sentence does not shout
const BASELINE = 4.5;
const LONG = 9;
const LEGIBLE = 12; // between the baselines of two labels; closer ones are shown one at a time

const shortened = (token) => (token.length > LONG ? `${token.slice(0, LONG - 1)}…` : token);
const text = (kind, x, y, content, more = {}) =>
  svg("text", { class: kind, x, y, ...more }, content);
const HEADING = { "data-heading": true };
const right = { "text-anchor": "end" };

// Of a row of labels, the one that is meant.
const mark = (labels, at) =>
  labels.forEach((label, i) => label.toggleAttribute("data-on", i === at));
const strongest = (row) => row.indexOf(Math.max(...row));

export function map(parent, tokens, choose) {
  const n = tokens.length;
  const side = Math.min(LARGEST, (HIGH - TOP - 4) / n, (WIDE - LEFT - SUM) / n);
  const [x, y] = [(j) => LEFT + side * j, (i) => TOP + side * i];
  const middle = (i) => y(i) + side / 2 + BASELINE;
  const square = (i, j) =>
    svg(
      "rect",
      {
        class: "attn-weight-cell",
        ...{ x: x(j), y: y(i), width: side - 1, height: side - 1 },
        onclick: () => choose(i),
      },
      svg("title"),
    );
  parent.toggleAttribute("data-crowded", side < LEGIBLE);
  const cells = tokens.map((_, i) => tokens.map((_, j) => square(i, j)));
  const names = tokens.map((token, i) =>
    text("attn-of-query", LEFT - 6, middle(i), shortened(token), right),
  );
  const keys = tokens.map((token, j) =>
    text("attn-of-key", 0, 0, shortened(token), {
      transform: `translate(${fixed(x(j) + side / 2 + 4, 1)} ${TOP - 6}) rotate(-62)`,
    }),
  );
  const row = { class: "attn-row-hit", x: 0, width: WIDE, height: side };
  const hits = range(n).map((i) => svg("rect", { ...row, y: y(i), onclick: () => choose(i) }));
  const frame = { x: LEFT - 1.5, y: TOP - 1.5, width: side * n + 2, height: side + 2 };
  const followed = svg("rect", { class: "attn-followed", ...frame });
  const sums = range(n).map((i) => text("attn-row-sum", x(n) + 5, middle(i), "1.00"));
  parent.replaceChildren(
    ...[
      ...keys,
      text("attn-row-sum", x(n) + 5, TOP - 6, "sum", HEADING),
      ...hits,
      ...names,
      ...sums,
    ],
    ...[...cells.flat(), followed],
  );
  return (A, at) => {
    cells.forEach((line, i) => {
      line.forEach((cell, j) => {
        cell.style.setProperty("fill", shade(A[i][j], 1));
        cell.firstChild.textContent = `${tokens[i]} to ${tokens[j]}: ${fixed(A[i][j])}`;
      });
    });
    mark(names, at);
    mark(keys, strongest(A[at]));
    mark(sums, at);
    followed.style.setProperty("transform", `translateY(${fixed(side * at, 1)}px)`);
  };
}

const FAINT = 0.1; // other queries' arcs from this weight on
const SEEN = 0.02; // the followed query's

export function arcs(parent, tokens, choose) {
  const n = tokens.length;
  const high = Math.min(LARGEST, (HIGH - 34) / n);
  const y = (i) => 34 + high * (i + 0.5);
  const [from, to] = [LEFT + 12, WIDE - LEFT - SUM - 12];
  parent.toggleAttribute("data-crowded", high < LEGIBLE);
  const half = (from + to) / 2;
  const arc = (i, j) =>
    svg("path", {
      class: "attn-arc",
      d: `M${from} ${y(i)}C${half} ${y(i)} ${half} ${y(j)} ${to} ${y(j)}`,
    });
  const drawn = tokens.map((_, i) => tokens.map((_, j) => arc(i, j)));
  const names = tokens.map((token, i) =>
    text("attn-of-query", from - 6, y(i) + BASELINE, shortened(token), right),
  );
  const keys = tokens.map((token, j) =>
    text("attn-of-key", to + 6, y(j) + BASELINE, shortened(token)),
  );
  const numbers = range(n).map((j) => text("attn-row-sum", WIDE - 4, y(j) + BASELINE, "", right));
  const measure = text("attn-row-sum", WIDE - 4, 20, "", { ...HEADING, ...right });
  const row = { class: "attn-row-hit", x: 0, width: from, height: high };
  const hits = range(n).map((i) =>
    svg("rect", { ...row, y: y(i) - high / 2, onclick: () => choose(i) }),
  );
  parent.replaceChildren(
    text("attn-of-query", from - 6, 20, "query", { ...HEADING, ...right }),
    text("attn-of-key", to + 6, 20, "key", HEADING),
    measure,
    ...[...drawn.flat(), ...hits, ...names, ...keys, ...numbers],
  );
  return (A, at, weighted) => {
    measure.textContent = weighted ? "share" : "weight";
    drawn.forEach((line, i) => {
      line.forEach((path, j) => {
        const on = i === at;
        const shown = A[i][j] >= (on ? SEEN : FAINT);
        path.toggleAttribute("data-on", on);
        path.style.setProperty("stroke-width", fixed(1 + 7 * A[i][j]));
        path.style.setProperty("opacity", shown ? fixed(on ? 1 : 0.5 * A[i][j]) : "0");
      });
    });
    mark(names, at);
    mark(keys, strongest(A[at]));
    mark(numbers, strongest(A[at]));
    numbers.forEach((number, j) => {
      number.textContent = A[at][j] >= SEEN ? fixed(A[at][j]) : "";
    });
  };
}
