// A picture as a grid of cells that is one stop of the tab key: arrow keys go from cell to cell.
import { html } from "./kit/elements.js";
import { clamp } from "./kit/format.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// side × side cells that can be reached, with `ring` more on every side that cannot.
// reach([row, column], how): how is "press", "drag" or "move" (an arrow key). Returns
// {cells, node, place}: cells by row and column, the ring included; place(cell) moves the tab stop.
export function pixelGrid(parent, { label, side, ring = 0, drags = false, reach }) {
  const span = Array.from({ length: side + 2 * ring }, (_, i) => i - ring);
  const within = (i) => i >= 0 && i < side;
  const cells = span.map((r) =>
    span.map((c) =>
      within(r) && within(c)
        ? html("div", { class: "attn-pixel", role: "gridcell", tabindex: "-1" })
        : html("div", { class: "attn-pixel attn-beyond", role: "gridcell" }),
    ),
  );
  const rows = cells.map((line) => html("div", { role: "row", class: "attn-pixel-row" }, ...line));
  const node = html("div", { class: "attn-pixels", role: "grid", "aria-label": label }, ...rows);
  node.toggleAttribute("data-drags", drags);
  parent.append(node);
  let stop = [0, 0];
  const cell = ([r, c]) => cells[r + ring][c + ring];
  const place = (next) => {
    cell(stop).tabIndex = -1;
    stop = next;
    cell(stop).tabIndex = 0;
  };
  const go = (next, how) => {
    place(next);
    cell(next).focus({ preventScroll: true });
    reach(next, how);
  };
  node.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (step)
      go(
        stop.map((x, i) => clamp(x + step[i], 0, side - 1)),
        "move",
      );
    else reach(stop, "press");
  });
  // Which cell lies under the pointer, found by measure: what is captured where differs by browser.
  const under = ({ clientX, clientY }) => {
    const [first, last] = [cell([0, 0]), cell([side - 1, side - 1])];
    const [a, b] = [first, last].map((one) => one.getBoundingClientRect());
    const at = [(clientY - a.top) / (b.bottom - a.top), (clientX - a.left) / (b.right - a.left)];
    return at.map((share) => Math.floor(share * side));
  };
  node.addEventListener("pointerdown", (event) => {
    const start = under(event);
    if (event.button !== 0 || !start.every(within)) return;
    event.preventDefault();
    go(start, "press");
    if (drags) follow(event.pointerId, start);
  });
  // Until the button is up, each cell on the way is reached, also those that a fast hand skips.
  function follow(pointer, start) {
    let last = start;
    const ends = new AbortController();
    const listen = (name, f) => window.addEventListener(name, f, { signal: ends.signal });
    listen("pointermove", (event) => {
      const next = under(event);
      if (event.pointerId !== pointer || !next.every(within)) return;
      for (const at of between(last, next)) reach(at, "drag");
      last = next;
      place(next);
    });
    for (const name of ["pointerup", "pointercancel"])
      listen(name, ({ pointerId }) => pointerId === pointer && ends.abort());
  }
  return { cells, node, place };
}

// The cells on the straight way from one to another, without the first.
export function between([r0, c0], [r1, c1]) {
  const steps = Math.max(Math.abs(r1 - r0), Math.abs(c1 - c0));
  return Array.from({ length: steps }, (_, i) => {
    const share = (i + 1) / steps;
    return [Math.round(r0 + share * (r1 - r0)), Math.round(c0 + share * (c1 - c0))];
  });
}
