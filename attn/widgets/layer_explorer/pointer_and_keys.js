// Pointer and keys on the squares: hover shows a trace, a press pins it, a second press asks where
// from. The squares are one stop of the tab key.

import { clamp } from "../kit/format.js";

const [IN, OUT] = [70, 160]; // milliseconds before a trace comes and goes

// hear: {preview(cell or null), press(cell), back(), end()}.
export function listen(plan, drawn, hear) {
  const { svg, maps } = drawn;
  let stop = null;
  const node = ({ id, row, col }) => maps[id].cells[row][col];
  const place = (at) => {
    if (stop) node(stop).tabIndex = -1;
    stop = at;
    node(stop).tabIndex = 0;
  };
  const first = Object.values(plan.boxes)[0];
  place({ id: first.id, row: first.only ?? 0, col: 0 });
  pointing(svg, hear);
  svg.addEventListener("focusin", ({ target }) => {
    const at = cellOf(target);
    if (!at) return;
    place(at);
    if (target.matches(":focus-visible")) hear.preview(at);
  });
  svg.addEventListener("focusout", () => hear.preview(null));
  svg.addEventListener("keydown", (event) => {
    const act = { Enter: hear.press, " ": hear.press, Backspace: hear.back, Escape: hear.end }[
      event.key
    ];
    const next = act ? null : neighbour(plan, stop, event.key);
    if (!act && !next) return;
    event.preventDefault();
    if (act) act(stop);
    else node(next).focus();
  });
  return {
    focus: (at) => node(at).focus(),
    holdsFocus: () => svg.contains(document.activeElement),
  };
}

export function cellOf(target) {
  const id = target.closest?.("[data-matrix]")?.dataset.matrix;
  const { row, col } = target.dataset ?? {};
  return id && col !== undefined ? { id, row: Number(row), col: Number(col) } : null;
}

function pointing(svg, hear) {
  let [timer, under] = [0, null];
  const later = (at, wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => svg.isConnected && hear.preview(at), wait);
  };
  // Only a pointer that moves asks: a page may also scroll squares under one that rests.
  svg.addEventListener("pointermove", ({ target, pointerType }) => {
    if (target === under || pointerType === "touch") return;
    under = target;
    const at = cellOf(target);
    later(at, at ? IN : OUT);
  });
  svg.addEventListener("pointerleave", () => {
    under = null;
    later(null, OUT);
  });
  svg.addEventListener("click", (event) => {
    const at = cellOf(event.target);
    clearTimeout(timer);
    if (at) hear.press(at);
  });
}

// --- from square to square ----------------------------------------------------------------------

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Where a key leads: the next square, at a matrix's edge the next matrix that way, at a line's end
// the next line; Page Up and Page Down the matrix before and after in the flow.
export function neighbour(plan, at, key) {
  if (key === "PageDown" || key === "PageUp")
    return nextMatrix(plan, at, key === "PageDown" ? 1 : -1);
  const way = WAYS[key];
  if (!way) return null;
  const box = plan.boxes[at.id];
  const [x, y] = onPage(box, at).map((z, i) => z + way[i]);
  if (x >= 0 && x < box.cols && y >= 0 && y < box.rows) return inBox(box, x, y);
  return beyond(plan, box, onPage(box, at), way) ?? wrapped(plan, box, at, way);
}

const onPage = ({ turned, only }, { row, col }) =>
  turned ? [row, col] : [col, only === undefined ? row : 0];
const inBox = ({ id, turned, only }, x, y) =>
  turned ? { id, row: x, col: y } : { id, row: only ?? y, col: x };

function nextMatrix({ boxes }, at, step) {
  const all = Object.values(boxes).map(({ id }) => id);
  const box = boxes[all[(all.indexOf(at.id) + step + all.length) % all.length]];
  return inBox(box, 0, clamp(at.row, 0, box.rows - 1) * (box.turned ? 0 : 1));
}

// The nearest box that lies that way and is met by a straight line.
function beyond({ boxes }, box, [col, row], [dx, dy]) {
  const at = [box.x + box.cell * (col + 0.5), box.y + box.cell * (row + 0.5)];
  const meets = (one) =>
    dx ? at[1] > one.y && at[1] < one.bottom : at[0] > one.x && at[0] < one.right;
  const gap = (one) =>
    dx > 0
      ? one.x - box.right
      : dx < 0
        ? box.x - one.right
        : dy > 0
          ? one.y - box.bottom
          : box.y - one.bottom;
  const [next] = Object.values(boxes)
    .filter((one) => one !== box && meets(one) && gap(one) >= 0)
    .sort((a, b) => gap(a) - gap(b));
  if (!next) return null;
  const [x, y] = [(at[0] - next.x) / next.cell, (at[1] - next.y) / next.cell].map(Math.floor);
  return inBox(next, clamp(x, 0, next.cols - 1), clamp(y, 0, next.rows - 1));
}

function wrapped(plan, box, at, [dx]) {
  const rows = plan.lines;
  const k = rows.findIndex((line) => line.some(([id]) => id === box.id));
  const line = dx && k >= 0 ? rows[k + dx] : null;
  if (!line) return null;
  const next = plan.boxes[(dx > 0 ? line[0] : line.at(-1))[0]];
  return inBox(next, dx > 0 ? 0 : next.cols - 1, clamp(at.row, 0, next.rows - 1));
}
