// One head, large: as a map, rows queries and columns keys, or as arcs from queries to keys. Each is
// made for the tokens of a sentence; what is chosen then moves in it.

import { range } from "../kit/arithmetic.js";
import { svg } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { shade } from "../kit/heatmap.js";

export const [WIDE, LOW] = [400, 360]; // the width, and the height but for a long sentence
const HIGH = 400; // for any sentence
const [LEFT, TOP, SUM] = [84, 84, 46]; // room for the queries, the keys and the sums of rows
const END = 4;
const LARGEST = 30; // no cell is larger, so that a short sentence does not shout
const BASELINE = 4.5;
const LONG = 9;
const LEGIBLE = 12; // between the baselines of two labels; closer ones are shown one at a time
// What labels need where a phone draws all but its words smaller: rows get it if there is room; the
// labels of narrower columns are shown one at a time there.
const [PHONE_ROW, PHONE_COLUMN] = [15.5, 13.5];
const UPRIGHT = 15; // labels of narrower columns stand upright, to be apart

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
  const side = Math.min(LARGEST, (WIDE - LEFT - SUM) / n);
  const row = Math.max(side, Math.min(PHONE_ROW, (HIGH - TOP - END) / n));
  const [x, y] = [(j) => LEFT + side * j, (i) => TOP + row * i];
  const middle = (i) => y(i) + row / 2 + BASELINE;
  const square = (i, j) =>
    svg(
      "rect",
      {
        class: "attn-weight-cell",
        ...{ x: x(j), y: y(i), width: side - 1, height: row - 1 },
        onclick: () => choose(i),
      },
      svg("title"),
    );
  parent.toggleAttribute("data-crowded", side < LEGIBLE);
  const cells = tokens.map((_, i) => tokens.map((_, j) => square(i, j)));
  const names = tokens.map((token, i) =>
    text("attn-of-query", LEFT - 6, middle(i), shortened(token), right),
  );
  const turn = side < UPRIGHT ? -90 : -62;
  const keys = tokens.map((token, j) =>
    text("attn-of-key", 0, 0, shortened(token), {
      transform: `translate(${fixed(x(j) + side / 2 + 4, 1)} ${TOP - 6}) rotate(${turn})`,
      "data-narrow": side < PHONE_COLUMN,
    }),
  );
  const hit = { class: "attn-row-hit", x: 0, width: WIDE, height: row };
  const hits = range(n).map((i) => svg("rect", { ...hit, y: y(i), onclick: () => choose(i) }));
  const frame = { x: LEFT - 1.5, y: TOP - 1.5, width: side * n + 2, height: row + 2 };
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
  const draw = (A, at) => {
    cells.forEach((line, i) => {
      line.forEach((cell, j) => {
        cell.style.setProperty("fill", shade(A[i][j], 1));
        cell.firstChild.textContent = `${tokens[i]} to ${tokens[j]}: ${fixed(A[i][j])}`;
      });
    });
    mark(names, at);
    mark(keys, strongest(A[at]));
    mark(sums, at);
    followed.style.setProperty("transform", `translateY(${fixed(row * at, 1)}px)`);
  };
  return { draw, high: Math.max(LOW, y(n) + END) };
}

const FAINT = 0.1; // other queries' arcs from this weight on
const SEEN = 0.02; // the followed query's
const HEAD = 34; // room for the headings

export function arcs(parent, tokens, choose) {
  const n = tokens.length;
  const row = Math.min(LARGEST, Math.max((LOW - HEAD) / n, Math.min(PHONE_ROW, (HIGH - HEAD) / n)));
  const y = (i) => HEAD + row * (i + 0.5);
  const [from, to] = [LEFT + 12, WIDE - LEFT - SUM - 12];
  parent.toggleAttribute("data-crowded", row < LEGIBLE);
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
  const hit = { class: "attn-row-hit", x: 0, width: from, height: row };
  const hits = range(n).map((i) =>
    svg("rect", { ...hit, y: y(i) - row / 2, onclick: () => choose(i) }),
  );
  parent.replaceChildren(
    text("attn-of-query", from - 6, 20, "query", { ...HEADING, ...right }),
    text("attn-of-key", to + 6, 20, "key", HEADING),
    measure,
    ...[...drawn.flat(), ...hits, ...names, ...keys, ...numbers],
  );
  const draw = (A, at, weighted) => {
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
  return { draw, high: Math.max(LOW, HEAD + row * n) };
}
