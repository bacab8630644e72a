// Four ways to say where a token stands, and what a query sees of the distance to a key.

import { matmul, softmax, transpose } from "./core.js";
import { add, html, svg } from "./kit/elements.js";
import { figure } from "./kit/figure.js";
import { fixed, scale, short } from "./kit/format.js";

const range = (n) => Array.from({ length: n }, (_, i) => i);
const speeds = (d, base) => range(d / 2).map((c) => base ** ((-2 * c) / d));

// sin(i ω) at entry 2c, cos(i ω) at entry 2c + 1.
export const sinusoidalPositions = (n, d, base) =>
  range(n).map((i) => speeds(d, base).flatMap((w) => [Math.sin(i * w), Math.cos(i * w)]));

// Row i of X turned by places[i], pair by pair.
export const rotate = (X, places, base) =>
  X.map((row, i) =>
    speeds(row.length, base).flatMap((w, c) => {
      const [x0, x1] = row.slice(2 * c, 2 * c + 2);
      const [cos, sin] = [Math.cos(places[i] * w), Math.sin(places[i] * w)];
      return [x0 * cos - x1 * sin, x0 * sin + x1 * cos];
    }),
  );

// For a number of heads that is a power of two.
export const slope = (head, heads) => 2 ** ((-8 * head) / heads);

export const alibiBias = (n, head, heads) =>
  range(n).map((i) => range(n).map((j) => -slope(head, heads) * Math.abs(i - j)));

const TURNING = ["sinusoidal", "rotary"];

// table: what stands on the left; S: what stands on the right, rows are queries, columns keys.
export function compute({ kind, size, base, head, facts }) {
  const n = facts.positions;
  if (kind === "alibi") {
    const table = alibiBias(n, head, facts.heads);
    return { table, S: table.map(softmax) };
  }
  if (kind === "rotary") {
    const ones = range(n).map(() => range(size).map((e) => (e + 1) % 2));
    const [table, keys] = [facts.sought, 0].map((ahead) =>
      rotate(
        ones,
        range(n).map((i) => i + ahead),
        base,
      ),
    );
    return { table, S: matmul(table, transpose(keys)) };
  }
  const table = kind === "learned" ? facts.learned : sinusoidalPositions(n, size, base);
  return { table, S: matmul(table, transpose(table)) };
}

const places = (k) => (Math.abs(k) === 1 ? "1 place" : `${Math.abs(k)} places`);
const where = (k) => (k ? `${places(k)} ${k > 0 ? "after" : "before"} it` : "at the same position");

// The smaller angle between two hands, 0 to π.
export const between = (turn) => Math.abs(turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI)));

// A turn in degrees; small ones keep a digit that is not 0.
export function degrees(turn) {
  const angle = (Math.abs(turn) * 180) / Math.PI;
  return angle >= 10 || angle === 0 ? `${Math.round(angle)}°` : `${Number(angle.toPrecision(1))}°`;
}

const SENTENCES = {
  sinusoidal({ position, offset, size, base }, { S }) {
    const all = speeds(size, base);
    const turns = offset
      ? `Any two positions ${Math.abs(offset)} apart have the same. The fastest clock turns ${degrees(offset)} ${offset > 0 ? "ahead" : "back"}, the slowest ${degrees(offset * all.at(-1))}.`
      : `That is the squared norm, half of ${size}, and the same at every position.`;
    return `Their vectors' dot product is ${fixed(S[position][position + offset])}, of at most ${size / 2}. ${turns}`;
  },
  learned({ position, offset, facts }, { S }) {
    const n = facts.trained;
    const pairs = range(n).filter((i) => i + offset >= 0 && i + offset < n);
    const found = pairs.map((i) => S[i][i + offset]);
    const raw = [...new Set([position, position + offset])].filter((i) => i >= n);
    const untrained = raw.length
      ? ` No training reached position ${raw.sort((a, b) => a - b).join(" or ")}: still a random start near 0.`
      : "";
    return (
      `Their vectors' dot product is ${fixed(S[position][position + offset])}. ` +
      `Over the ${found.length} trained pairs with this offset it runs from ${fixed(Math.min(...found))} to ${fixed(Math.max(...found))}.${untrained}`
    );
  },
  rotary({ position, offset, size, facts }, { S }) {
    const other = offset
      ? ` With the key ${places(offset)} to the other side it is ${fixed(S[position][position - offset])}.`
      : "";
    return (
      `Both turned by their positions, they score ${fixed(S[position][position + offset])}, the same at every pair with this offset.` +
      (offset === facts.sought
        ? ` This query seeks just that: all hands coincide, and no score is above ${size / 2}.`
        : `${other} This query seeks a key ${places(facts.sought)} before it.`)
    );
  },
  alibi({ position, offset, head, facts }, { table, S }) {
    const [cost, weight] = [table, S].map((M) => M[position][position + offset]);
    return (
      `Head ${head} has the slope ${short(slope(head, facts.heads), 4)}: ${offset ? `${places(offset)} cost ${fixed(-cost, 3)}` : "its own position costs nothing"}. ` +
      `If all contents score alike, the query gives this key a weight of ${fixed(weight, 3)}${offset ? `, as much as the key ${places(offset)} to the other side` : ""}. Nothing is hidden.`
    );
  },
};

export function sentence(state, made) {
  const { kind, position, offset } = state;
  const head = `Query at position ${position}, key at ${position + offset}, ${where(offset)}. `;
  return head + SENTENCES[kind](state, made);
}

const TITLES = {
  sinusoidal: ["position vectors, as rows", "their dot products"],
  learned: ["learned vectors, as rows", "their dot products"],
  rotary: ["one query, turned at each position", "its scores with one key, turned too"],
  alibi: ["added to the scores", "weights; each row sums to 1.00"],
};

// --- drawing ---------------------------------------------------------------------------

const [WIDE, LEFT, TOP, BODY] = [300, 30, 18, 190];
const TICKS = [0, 8, 16, 24, 31];

const text = (x, y, words, more = {}) => svg("text", { x, y, text: words, ...more });

const shade = (value, most) => {
  const share = most > 0 ? Math.min(1, Math.abs(value) / most) : 0;
  const end = value < 0 ? "score-low" : "weight";
  return `color-mix(in oklab, var(--attn-${end}) ${(100 * share).toFixed(1)}%, var(--attn-paper))`;
};

// A matrix as coloured cells without numbers. `marks` are drawn over it.
function cells(M, { label, columnTicks, columnRole, marks }) {
  const [wide, high] = [(WIDE - LEFT - 4) / M[0].length, BODY / M.length];
  const most = Math.max(...M.flat().map(Math.abs));
  const y = (i) => TOP + (i + 0.5) * high + 4;
  return svg(
    "svg",
    {
      class: "attn-balance attn-cells",
      viewBox: `0 0 ${WIDE} ${TOP + BODY + 4}`,
      role: "img",
      "aria-label": label,
    },
    svg("rect", {
      class: "attn-ground",
      x: LEFT,
      y: TOP,
      width: wide * M[0].length,
      height: BODY,
    }),
    ...M.flatMap((row, i) =>
      row.map((value, j) =>
        svg("rect", {
          x: (LEFT + j * wide).toFixed(2),
          y: (TOP + i * high).toFixed(2),
          width: (wide + 0.1).toFixed(2),
          height: (high + 0.1).toFixed(2),
          style: { fill: shade(value, most) },
        }),
      ),
    ),
    ...TICKS.map((i) =>
      text(LEFT - 4, y(i), `${i}`, { "text-anchor": "end", "data-role": "query" }),
    ),
    ...(columnRole ? [text(1, TOP - 5, "q↓ k→", { class: "attn-corner-note" })] : []),
    ...columnTicks.map((j) =>
      text(LEFT + (j + 0.5) * wide, TOP - 5, `${j}`, {
        "text-anchor": "middle",
        "data-role": columnRole,
      }),
    ),
    ...marks(wide, high),
  );
}

const frame = (x, y, width, height, role) =>
  svg("rect", { class: "attn-mark", "data-role": role, x, y, width, height });

function tablePicture({ kind, position, offset, facts }, { table }) {
  if (kind === "alibi") return matrixPicture({ kind, position, offset, facts }, table, "Bias");
  const d = table[0].length;
  const rows = [
    [position + offset, "key"],
    [position, "query"],
  ];
  const marks = (wide, high) => [
    ...(kind === "rotary" ? rows.slice(1) : rows).map(([i, role]) =>
      frame(LEFT - 1, TOP + i * high - 1, d * wide + 2, high + 2, role),
    ),
    ...(kind === "learned" ? [untrained(facts.trained * high, d * wide)] : []),
  ];
  return cells(table, {
    label: `${TITLES[kind][0]}: ${table.length} positions on the rows, ${d} entries on the columns, from −${most(table)} to ${most(table)} at most.`,
    columnTicks: [0, d / 4, d / 2, (3 * d) / 4, d - 1],
    columnRole: undefined,
    marks,
  });
}

const most = (M) => fixed(Math.max(...M.flat().map(Math.abs)));

const untrained = (y, wide) =>
  svg("line", { class: "attn-border", x1: LEFT - 3, x2: LEFT + wide, y1: TOP + y, y2: TOP + y });

function matrixPicture({ kind, position, offset, facts }, M, name) {
  const n = M.length;
  const marks = (wide, high) => {
    const at = (i) => [LEFT + (i + offset + 0.5) * wide, TOP + (i + 0.5) * high];
    const inside = range(n).filter((i) => i + offset >= 0 && i + offset < n);
    const [[x1, y1], [x2, y2]] = [at(inside[0]), at(inside.at(-1))];
    const [x, y] = at(position);
    return [
      svg("line", { class: "attn-diagonal", x1, y1, x2, y2 }),
      ...(kind === "learned" ? [untrained(facts.trained * high, n * wide)] : []),
      frame(LEFT - 1, TOP + position * high - 1, n * wide + 2, high + 2, "query"),
      svg("circle", { class: "attn-spot", cx: x, cy: y, r: 6 }),
    ];
  };
  return cells(M, {
    label: `${name}: queries' positions on the rows, keys' on the columns. At query ${position} and key ${position + offset}: ${fixed(M[position][position + offset], 3)}.`,
    columnTicks: TICKS,
    columnRole: "key",
    marks,
  });
}

const [LOW, CLOCKS] = [96, 6];

// Up to six of the pairs, from the fastest to the slowest.
export function shownPairs(d) {
  const pairs = d / 2;
  const count = Math.min(CLOCKS, pairs);
  return range(count).map((i) => Math.round((i * (pairs - 1)) / (count - 1)));
}

// A hand at an angle: clockwise from 12.
const pointing = (turn) => [Math.sin(turn), -Math.cos(turn)];

function clocks({ kind, position, offset, size, base, facts }) {
  const shown = shownPairs(size);
  const step = WIDE / shown.length;
  const speed = speeds(size, base);
  const ahead = kind === "rotary" ? facts.sought : 0;
  const r = 20;
  const apart = (c) =>
    degrees(kind === "rotary" ? between((offset - ahead) * speed[c]) : offset * speed[c]);
  const one = (c, i) => {
    const [x, y] = [step * (i + 0.5), 34];
    const hand = (turn, role) => {
      const [dx, dy] = pointing(turn);
      const tip = { x2: x + 0.92 * r * dx, y2: y + 0.92 * r * dy };
      return svg("line", { class: "attn-hand", "data-role": role, x1: x, y1: y, ...tip });
    };
    return svg(
      "g",
      {},
      svg("circle", { class: "attn-dial", cx: x, cy: y, r }),
      hand((position + offset) * speed[c], "key"),
      hand((position + ahead) * speed[c], "query"),
      text(x, y + 38, apart(c), { "text-anchor": "middle" }),
      text(x, y + 54, `pair ${c}`, { "text-anchor": "middle", class: "attn-quiet" }),
    );
  };
  const label = `Clocks of pairs ${shown.join(", ")}: ${kind === "rotary" ? "between the hands of query and key lie" : "the offset turns them by"} ${shown.map(apart).join(", ")}.`;
  return svg(
    "svg",
    {
      class: "attn-balance attn-cells",
      viewBox: `0 0 ${WIDE} ${LOW}`,
      role: "img",
      "aria-label": label,
    },
    ...shown.map(one),
  );
}

// One row of the right matrix as columns over or under zero.
function profile({ position, offset, kind }, { S }) {
  const row = S[position];
  const [low, high] = [Math.min(0, ...row), Math.max(0, ...row)];
  const y = scale([low, high], [LOW - 20, 12]);
  const step = (WIDE - LEFT - 4) / row.length;
  const x = (j) => LEFT + (j + 0.5) * step;
  const column = (value, j) => {
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const role = j === position + offset ? "key" : j === position ? "query" : undefined;
    const box = { x: x(j) - 0.4 * step, y: top, width: 0.8 * step };
    return svg("rect", {
      class: "attn-column",
      "data-role": role,
      height: Math.max(0.8, bottom - top),
      ...box,
    });
  };
  const digits = kind === "alibi" ? 2 : 0;
  return svg(
    "svg",
    {
      class: "attn-balance attn-cells",
      viewBox: `0 0 ${WIDE} ${LOW}`,
      role: "img",
      "aria-label": `Row ${position} of the matrix, over the keys' positions, from ${fixed(Math.min(...row))} to ${fixed(Math.max(...row))}.`,
    },
    ...row.map(column),
    svg("line", { class: "attn-axis", x1: LEFT, x2: WIDE - 4, y1: y(0), y2: y(0) }),
    text(LEFT - 4, y(high) + 4, fixed(high, digits), { "text-anchor": "end" }),
    ...(low < 0 ? [text(LEFT - 4, y(low) + 4, fixed(low, digits), { "text-anchor": "end" })] : []),
    ...TICKS.map((j) =>
      text(x(j), LOW - 4, `${j}`, { "text-anchor": "middle", "data-role": "key" }),
    ),
  );
}

const NOTES = {
  learned: ({ facts }) =>
    `There are no clocks here: each row is ${facts.learned[0].length} free numbers, trained with the model. The thick line is where training ended: what lies below it is still the random start.`,
  alibi: ({ facts }) =>
    `There are no clocks and no vectors here: each head has one slope. Heads 1 to ${facts.heads}: ½, ¼, ⅛, 1/16, 1/32, 1/64, 1/128, 1/256.`,
};

const panel = (title, ...parts) =>
  html("div", { class: "attn-titled" }, html("p", { text: title }), ...parts);

function panels(state, made) {
  const { kind, position, offset, facts } = state;
  const [left, right] = TITLES[kind];
  const apart =
    kind === "rotary" ? "angle between query and key" : "how far the offset turns clocks";
  return [
    panel(left, tablePicture(state, made)),
    panel(right, matrixPicture({ kind, position, offset, facts }, made.S, right)),
    TURNING.includes(kind)
      ? panel(apart, clocks(state))
      : html("p", { class: "attn-lead attn-aside", text: NOTES[kind](state) }),
    panel(`row ${position} of the right matrix`, profile(state, made)),
  ];
}

function build(page) {
  page.stage.classList.add("attn-single");
  const top = add(page.stage, html("div", { class: "attn-chooser" }));
  page.select("kind", { parent: top, label: "encoding" });
  add(top, html("p", { class: "attn-lead", text: "Framed: query. Dashed: key, offset." }));
  const drawing = add(page.stage, html("div", { class: "attn-panels" }));
  page.slider("offset", { label: "offset δ", role: "key", format: (x) => fixed(x, 0) });
  page.slider("position", { label: "query at", role: "query" });
  const turning = [
    page.slider("size", { label: "size d" }),
    page.slider("base", { label: "base" }),
  ];
  const head = page.slider("head", { label: "head", role: "weight" });
  return (state, made) => {
    for (const node of turning) node.hidden = !TURNING.includes(state.kind);
    head.hidden = state.kind !== "alibi";
    drawing.replaceChildren(...panels(state, made));
  };
}

export default figure({
  name: "PositionExplorer",
  title: "Where a token stands",
  compute,
  build,
  words: sentence,
});
