// On a phone: one matrix large, its numbers in its squares, with what it is made of; where each stands.

import { namesAlong } from "./annotations.js";
import { ALL_HEADS, axes, present } from "./arithmetic.js";
import { blank, extent, isTurned, only, put } from "./layout.js";
import { inputOf } from "./trace.js";

const [LEFT, GAP, LARGEST, SLANT] = [48, 16, 28, 60];

// What stands around a matrix: over it, left of it, over and under what is left of it. With “!”, only
// the followed word's row.
function neighbours(state, id) {
  const { stage } = state;
  const X = inputOf(state);
  const found = {
    tokens: { over: ["positions!", "X!"] },
    queries: { left: X, overLeft: ["W_q"] },
    keys: stage > 2 ? { over: ["W_k", X] } : {},
    values: stage > 2 ? { over: ["W_v", X] } : {},
    scores: stage > 2 ? { left: "queries", over: ["keys"] } : { over: ["X!", "keys"] },
    scaled: { over: stage >= 6 ? ["scores!", "mask!"] : ["scores!"] },
    weights: { over: [stage >= 4 ? "scaled!" : "scores!"] },
    blends: { left: "weights", underLeft: ["values"] },
    outputs: { over: ["joined!", "W_o"] },
    normed: { over: [`${X}!`, "outputs!"] },
    hidden: { over: ["normed!", "W_1"] },
    thought: { over: ["hidden!", "W_2"] },
    block: { over: ["normed!", "thought!"] },
  }[id];
  if (id !== "outputs" || stage >= ALL_HEADS) return found ?? {};
  return stage > 2 ? { left: "weights", underLeft: ["values"] } : { over: ["weights!", "values"] };
}

// The matrices that have a station, in order.
export const stations = (state) =>
  present(state).filter((id) => !id.startsWith("W_") && !["mask", "positions"].includes(id));

const bare = (id) => id.replace("!", "");
const around = ({ over = [], left, overLeft = [], underLeft = [] }) =>
  [...over, left, ...overLeft, ...underLeft].filter(Boolean);

// The station at which a cell can be seen: its own, or the first that shows its matrix.
export function stationOf(state, { id, row }) {
  const all = stations(state);
  if (all.includes(id)) return id;
  const shows = (one) =>
    around(neighbours(state, one)).some(
      (name) => bare(name) === id && (name === id || row === state.word),
    );
  return all.find(shows) ?? all[0];
}

export function stationPlan(state, id, width) {
  const beside = neighbours(state, id);
  const wide = (name) => extent(state, bare(name))[0];
  const left = beside.left ? wide(beside.left) : 0;
  const columns = Math.max(wide(id), ...(beside.over ?? []).map(wide)) + left;
  const names = axes(state, id);
  const last = (isTurned(id) ? names.rows : names.columns).at(-1);
  const slant = Math.max(6, 2.9 * last.length - 8); // a slanted name reaches so far to the right
  const cell = Math.min(LARGEST, (width - LEFT - (left ? GAP : 0) - slant) / columns);
  // Words and arrows belong to rows that lie; keys and values are turned, what they come from is not.
  const main = isTurned(id) ? (beside.over?.at(-1) ?? id) : id;
  const line = [...(left ? [[beside.left, 0]] : []), [main, GAP]];
  const page = blank(state, width, Math.floor(10 * cell) / 10, [line]);
  const x = LEFT + (left ? left * page.cell + GAP : 0);
  const upper = stack(page, beside.overLeft, LEFT);
  const column = [...(beside.over ?? []), id];
  stack(page, column, x);
  const start = Math.max(page.boxes[id].y, upper);
  lower(page, column, start - page.boxes[id].y);
  lower(page, beside.overLeft ?? [], start - upper);
  page.tops.push(page.boxes[main].y);
  if (left) put(page, beside.left, LEFT, start);
  const under = Math.max(...Object.values(page.boxes).map(({ bottom }) => bottom)) + 22;
  const end = stack(page, beside.underLeft, LEFT, under);
  return { ...page, small: id, slant: SLANT, height: beside.underLeft ? end : under };
}

// Of two columns of boxes, the shorter one comes down.
function lower({ boxes }, ids, by) {
  for (const id of ids.map(bare)) {
    boxes[id].y += by;
    boxes[id].bottom += by;
  }
}

const ROW = 8; // between two rows of squares

// Boxes one under the other, names over each whose columns have others than those before it; returns
// where the next may start.
function stack(page, ids = [], x, y) {
  let at = y ?? 0;
  let before = "";
  for (const name of ids) {
    const box = put(page, bare(name), x, at);
    const names = namesAlong(page.state, box);
    const own = names.join();
    if (own !== before && y === undefined) {
      const room = 8 + 4.9 * Math.max(...names.map(({ length }) => length)); // slanted
      page.namedBoxes.push(box.id);
      box.y = at += room;
      box.bottom += room;
    }
    before = own;
    if (name.endsWith("!")) only(box, page.state.word);
    at = box.bottom + ROW;
  }
  return at;
}
