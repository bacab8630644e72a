// A grid of cells that is one stop of the tab key: arrow keys go from cell to cell.

import { clamp } from "./format.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// cells: elements by row and column, all inside `node`. moved([row, column]) hears of each arrow
// key, pressed of Space and Enter on cells that are no buttons. Returns place(cell), which moves the
// stop; a cell that gets the focus is the stop too.
/**
 * @typedef {number[]} Place
 * @param {HTMLElement} node
 * @param {HTMLElement[][]} cells
 * @param {{ moved?: (place: Place) => void, pressed?: (place: Place) => void }} [listeners]
 */
export function roving(node, cells, { moved = () => {}, pressed } = {}) {
  /** @type {Place} */
  let stop = [0, 0];
  const at = (/** @type {Place} */ [i, j]) => cells[i][j];
  const place = (/** @type {Place} */ next) => {
    at(stop).tabIndex = -1;
    stop = next;
    at(stop).tabIndex = 0;
  };
  for (const cell of cells.flat()) cell.tabIndex = -1;
  place(stop);
  node.addEventListener("focusin", ({ target }) => {
    const cell = /** @type {HTMLElement} */ (target);
    const row = cells.findIndex((line) => line.includes(cell));
    if (row >= 0) place([row, cells[row].indexOf(cell)]);
  });
  node.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step && !(pressed && [" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    if (!step) return pressed?.(stop);
    const ends = [cells.length - 1, cells[0].length - 1];
    at(stop.map((x, i) => clamp(x + step[i], 0, ends[i]))).focus();
    moved(stop);
  });
  return place;
}
