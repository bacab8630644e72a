// A picture as a grid of cells that is one stop of the tab key, to press, to draw on, or to walk.
import { range } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { roving } from "../kit/roving.js";

// side × side cells that can be reached, with `ring` more on every side that cannot.
// reach([row, column], how): how is "press", "drag" or "move" (an arrow key). Returns
// {cells, place, frame}: cells by row and column, the ring included; place(cell) moves the tab stop,
// frame(cell) the window of a 3 × 3 kernel, if the grid is `framed`.
export function pixelGrid(parent, { label, side, ring = 0, drags = false, framed = false, reach }) {
  const within = (i) => i >= 0 && i < side;
  const span = range(side + 2 * ring).map((i) => i - ring);
  const pixel = (r, c) => (within(r) && within(c) ? "attn-pixel" : "attn-pixel attn-beyond");
  const cells = span.map((r) =>
    span.map((c) => html("div", { class: pixel(r, c), role: "gridcell" })),
  );
  const rows = cells.map((line) => html("div", { role: "row", class: "attn-pixel-row" }, ...line));
  const node = html("div", { class: "attn-pixels", role: "grid", "aria-label": label }, ...rows);
  node.toggleAttribute("data-drags", drags);
  node.toggleAttribute("data-ink", drags || framed);
  parent.append(node);
  const shown = html("div", { class: "attn-window", "aria-hidden": "true" });
  if (framed) add(node, shown);
  const frame = ([r, c]) => {
    shown.style.setProperty("--row", r);
    shown.style.setProperty("--column", c);
  };
  const inner = range(side).map((r) => cells[r + ring].slice(ring, ring + side));
  const place = roving(node, inner, {
    moved: (at) => reach(at, "move"),
    pressed: (at) => reach(at, "press"),
  });
  node.addEventListener("pointerdown", (event) => {
    const start = under(inner, event);
    if (event.button !== 0 || !start) return;
    event.preventDefault();
    inner[start[0]][start[1]].focus({ preventScroll: true });
    reach(start, "press");
    if (drags) follow(inner, event, start, (at) => reach(at, "drag"));
  });
  return { cells, place, frame };
}

// Ink on the cells of a picture, the chosen one framed.
export function paintPicture({ cells }, pixels, [r, c]) {
  cells.forEach((line, i) => {
    line.forEach((node, j) => {
      node.style.setProperty("--ink", pixels[i][j]);
      node.toggleAttribute("data-chosen", i === r && j === c);
      node.setAttribute("aria-label", `row ${i + 1}, column ${j + 1}: ink ${fixed(pixels[i][j])}`);
    });
  });
}

// The [row, column] under the pointer, if any, found by measure: what is captured where differs by
// browser.
function under(cells, { clientX, clientY }) {
  const [first, last] = [cells[0][0], cells.at(-1).at(-1)];
  const [a, b] = [first, last].map((one) => one.getBoundingClientRect());
  const shares = [(clientY - a.top) / (b.bottom - a.top), (clientX - a.left) / (b.right - a.left)];
  const at = shares.map((share) => Math.floor(share * cells.length));
  return at.every((i) => i >= 0 && i < cells.length) ? at : null;
}

// Until the button is up, each cell on the way is reached, also those that a fast hand skips.
function follow(cells, { pointerId }, start, reach) {
  let last = start;
  const ends = new AbortController();
  const listen = (name, f) =>
    window.addEventListener(name, (event) => event.pointerId === pointerId && f(event), {
      signal: ends.signal,
    });
  listen("pointermove", (event) => {
    const next = under(cells, event);
    if (!next) return;
    for (const at of between(last, next)) reach(at);
    last = next;
  });
  for (const name of ["pointerup", "pointercancel"]) listen(name, () => ends.abort());
}

// The cells on the straight way from one to another, without the first.
export function between([r0, c0], [r1, c1]) {
  const steps = Math.max(Math.abs(r1 - r0), Math.abs(c1 - c0));
  return range(steps).map((i) => {
    const share = (i + 1) / steps;
    return [Math.round(r0 + share * (r1 - r0)), Math.round(c0 + share * (c1 - c0))];
  });
}
