// Where everything stands. A word keeps its line: what it meets comes from above (keys) or from below
// (values), column over column, and when a line is full it wraps once, like a carriage return.

import { ALL_HEADS, axes, BLOCK, MASK, POSITIONS } from "./arithmetic.js";

const LEFT = 52; // room for the words
const SLANTED = 58; // height of slanted names
const SHEETS = 7; // room for the sheets of the other heads, right of a stack
const ADDED = 148; // room for the name of what a sum of the block adds, right of it
const [SMALLEST, LARGEST] = [5, 20]; // of a cell

// How a matrix lies: on its side where its rows are the columns of what it meets.
const TURNED = ["W_q", "W_k", "W_v", "keys", "values"];
export const isTurned = (id) => TURNED.includes(id);

// Columns and rows of squares that a matrix takes on the page.
export function extent(state, id) {
  const { rows, columns } = axes(state, id);
  return isTurned(id) ? [rows.length, columns.length] : [columns.length, rows.length];
}

// The top left corner of a cell in its box.
export const corner = ({ x, y, cell, turned, only }, { row, col }) =>
  turned ? [x + cell * row, y + cell * col] : [x + cell * col, y + cell * (only === row ? 0 : row)];

export const centre = (box, at) => corner(box, at).map((z) => z + box.cell / 2);

// Names over columns, where there is room for them.
export const hasNames = ({ stage }) => stage < BLOCK;
const nameRoom = (state) => (hasNames(state) ? SLANTED : 12);

// The matrices of each line from left to right, with the gap before each.
export function lines({ stage, folded: alone }) {
  if (alone) return [shortLine(stage)];
  const first = [["X", 0]];
  if (stage >= POSITIONS) first.push(["tokens", 42]);
  if (stage >= 3) first.push(["queries", 30]);
  first.push(["scores", stage === 2 ? 62 : 32]);
  if (stage >= 4) first.push(["scaled", 28]);
  first.push(["weights", stage < 4 ? 56 : 28], [stage >= ALL_HEADS ? "blends" : "outputs", 32]);
  if (stage < ALL_HEADS) return [first];
  const second = [
    ["joined", 0],
    ["W_o", 44],
    ["outputs", 44],
  ];
  if (stage < BLOCK) return [first, second];
  second.push(["normed", 52]);
  const third = ["W_1", "hidden", "W_2", "thought", "block"].map((id, i) => [id, i ? 40 : 0]);
  return [first, second, third];
}

function shortLine(stage) {
  const last = stage >= BLOCK ? ["outputs", "block"] : ["outputs"];
  const ids = [stage >= POSITIONS ? "tokens" : "X", "queries", "scores", "scaled", "weights"];
  const from = { queries: 3, scaled: 4 };
  return [...ids, ...last]
    .filter((id) => stage >= (from[id] ?? 2))
    .map((id, i) => [id, i ? 30 : 0]);
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// The largest square with which every line fits the width and all lines the height.
function cellSize(state, { width, height }, arranged) {
  const wide = lines(state).map((line) => {
    const squares = sum(line.map(([id]) => extent(state, id)[0]));
    return (width - LEFT - SHEETS - sum(line.map(([, gap]) => gap))) / squares;
  });
  let cell = Math.min(...wide, LARGEST);
  while (cell > SMALLEST && arranged(cell).height > height) cell -= 0.1;
  return Math.max(SMALLEST, Math.floor(10 * cell) / 10);
}

// {state, width, height, cell, boxes by name, lines, tops: the first row's y on each line, wraps: where
// a line goes to the next, namedBoxes: the matrices with names over their columns}.
export function layout(state, room) {
  const arranged = (cell) => (state.folded ? folded : arrange)(state, room.width, cell);
  return arranged(cellSize(state, room, arranged));
}

function arrange(state, width, cell) {
  const page = blank(state, width, cell);
  const [first, second, third] = page.lines;
  let bottom = firstLine(page, first);
  if (second) bottom = laterLine(page, second, bottom, nameRoom(state));
  if (third) bottom = laterLine(page, third, bottom, 20);
  const outputs = second ? ["outputs"] : [];
  const namedBoxes = state.stage === 2 ? ["X", "keys"] : ["W_k", "keys", ...outputs];
  return { ...page, namedBoxes: hasNames(state) ? namedBoxes : [], height: bottom + 18 };
}

export const blank = (state, width, cell, own = lines(state)) => ({
  ...{ state, width, cell, lines: own },
  ...{ boxes: {}, tops: [], wraps: [], namedBoxes: [] },
});

export function put(page, id, x, y) {
  const [cols, rows] = extent(page.state, id);
  const box = { id, x, y, cols, rows, cell: page.cell, turned: isTurned(id) };
  box.right = x + cols * page.cell;
  box.bottom = y + rows * page.cell;
  page.boxes[id] = box;
  return box;
}

// The same box with one row.
export const only = (box, row) =>
  Object.assign(box, { only: row, rows: 1, bottom: box.y + box.cell });

const tall = ({ state, cell }, id) => extent(state, id)[1] * cell;

// What must stand over the rows: names and keys; from stage 3 on, W_k and W_q over the tokens.
function headroom(page) {
  const { stage } = page.state;
  const n = page.state.words.length * page.cell;
  const keys =
    stage === 2 ? 34 + tall(page, "keys") + 26 : nameRoom(page.state) + 2 * tall(page, "W_k") + 30;
  const mask = stage >= MASK ? 20 + n + 26 : 0;
  const places = stage >= POSITIONS ? 20 + n + 26 : 0;
  return Math.max(keys, mask, places, 84);
}

function firstLine(page, line) {
  const { stage } = page.state;
  const top = headroom(page);
  page.tops.push(top);
  const wider = stretch(page, line, 2.6);
  let x = LEFT;
  for (const [id, gap] of line) x = put(page, id, x + gap * wider, top).right;
  const { boxes } = page;
  const below = boxes.X.bottom + 25;
  put(page, "values", boxes.weights.x, below);
  if (stage === 2) put(page, "keys", boxes.scores.x, top - 26 - tall(page, "keys"));
  else {
    const from = boxes.tokens ?? boxes.X;
    const W_q = put(page, "W_q", from.x, top - 22 - tall(page, "W_q"));
    const W_k = put(page, "W_k", from.x, W_q.y - 8 - tall(page, "W_k"));
    put(page, "keys", boxes.scores.x, W_k.y);
    put(page, "W_v", from.x, below);
  }
  if (stage >= MASK) put(page, "mask", boxes.scaled.x, top - 26 - tall(page, "mask"));
  if (stage >= POSITIONS) put(page, "positions", boxes.X.x, top - 26 - tall(page, "positions"));
  return boxes.values.bottom;
}

// How much wider the gaps of a line become where there is room.
function stretch({ state, width, cell }, line, most) {
  const squares = sum(line.map(([id]) => extent(state, id)[0])) * cell;
  const gaps = sum(line.map(([, gap]) => gap));
  return Math.max(1, Math.min(most, (width - LEFT - SHEETS - squares) / gaps));
}

// A line of words and of matrices that they meet, which stand around the line's middle.
function laterLine(page, line, bottom, names) {
  const { state, cell } = page;
  const wrap = bottom + 12;
  const n = state.words.length;
  const over = Math.max(...line.map(([id]) => extent(state, id)[1] - n), 0) / 2;
  const top = wrap + Math.max(names + 6, over * cell + 22);
  page.wraps.push(wrap);
  page.tops.push(top);
  const width = page.width - (state.stage >= BLOCK ? ADDED : 0);
  const wider = stretch({ ...page, width }, line, 1.8);
  let x = LEFT;
  for (const [id, gap] of line) {
    const [, rows] = extent(state, id);
    x = put(page, id, x + gap * wider, top + ((n - rows) * cell) / 2).right;
  }
  return top + (n + over) * cell;
}

// Folded: one word's line only, with the keys and values that it meets.
function folded(state, width, cell) {
  const page = blank(state, width, cell);
  const top = SLANTED + extent(state, "keys")[1] * cell + 6;
  page.tops.push(top);
  let x = LEFT;
  for (const [id, gap] of lines(state)[0]) {
    x = only(put(page, id, x + gap, top), state.word).right;
  }
  const { scores, weights } = page.boxes;
  put(page, "keys", scores.x, top - 6 - tall(page, "keys"));
  put(page, "values", weights.x, top + cell + 6);
  return { ...page, namedBoxes: ["keys"], height: page.boxes.values.bottom + 22 };
}
