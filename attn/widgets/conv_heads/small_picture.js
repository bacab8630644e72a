// A small picture of numbers of either sign. It is built once and repainted, so that a change moves.
import { range } from "../kit/arithmetic.js";
import { add, svg } from "../kit/elements.js";
import { shade } from "../kit/heatmap.js";

const CELL = 13;

// Returns paint(values, {most, chosen, label, high, marked}): `most` gets the full colour, null is no
// number, `chosen` is framed, `high` the colour of positive numbers, marked(row, column) gets a dot.
// A negative number carries a stroke.
export function smallPicture(parent, side) {
  const wide = side * CELL;
  const title = svg("title");
  const cells = range(side).map((i) =>
    range(side).map((j) => {
      const [x, y] = [j * CELL, i * CELL];
      const middle = y + CELL / 2;
      return {
        box: svg("rect", { x, y, width: CELL, height: CELL }),
        minus: svg("line", { x1: x + 3.5, x2: x + CELL - 3.5, y1: middle, y2: middle }),
        dot: svg("circle", { cx: x + CELL / 2, cy: middle, r: 2.2 }),
      };
    }),
  );
  const all = cells.flat();
  const size = { width: CELL - 2, height: CELL - 2 };
  const ring = svg("rect", { class: "attn-chosen", x: 1, y: 1, ...size });
  const look = { class: "attn-sketch", viewBox: `-1 -1 ${wide + 2} ${wide + 2}`, role: "img" };
  add(
    parent,
    svg(
      "svg",
      look,
      title,
      ...all.map(({ box }) => box),
      svg("rect", { class: "attn-frame", x: 0, y: 0, width: wide, height: wide }),
      ...all.flatMap(({ minus, dot }) => [minus, dot]),
      ring,
    ),
  );
  const never = () => false;
  return (values, { most, chosen: [r, c], label, high = "series-1", marked = never }) => {
    title.textContent = label;
    ring.style.transform = `translate(${c * CELL}px, ${r * CELL}px)`;
    cells.forEach((line, i) => {
      line.forEach(({ box, minus, dot }, j) => {
        const x = values[i][j];
        box.style.fill = x === null ? "var(--attn-surface)" : shade(x, most, high);
        box.toggleAttribute("data-none", x === null);
        minus.toggleAttribute("data-on", x !== null && x < -0.02 * most);
        dot.toggleAttribute("data-on", marked(i, j));
      });
    });
  };
}
