// A trace on the picture: the rest dims, the sources are outlined and linked to the number that they
// made, and the way back so far is one line.

import { svg } from "../kit/elements.js";
import { short } from "../kit/format.js";
import { number } from "./arithmetic.js";
import { centre, corner } from "./layout.js";
import { sources, trace } from "./trace.js";

// Cells that the picture shows: those of the front head, in a matrix that is drawn.
const isDrawn =
  ({ boxes }) =>
  ({ id, row, head }) =>
    head === undefined && boxes[id] && (boxes[id].only ?? row) === row;

// The smallest box round cells of one matrix.
function outline(box, cells) {
  const corners = cells.map((at) => corner(box, at));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - 1, Math.min(...ys) - 1];
  const [right, bottom] = [Math.max(...xs) + box.cell + 1, Math.max(...ys) + box.cell + 1];
  return { x, y, right, bottom };
}

const line = (from, to, kind = "attn-link") =>
  svg("line", { class: kind, x1: from[0], y1: from[1], x2: to[0], y2: to[1] });

// From a source's outline to the target, where they share a row or a column of the page.
function link({ x, y, right, bottom }, [cx, cy], half) {
  if (cy > y && cy < bottom && right < cx) return [line([right, cy], [cx - half, cy])];
  if (cx > x && cx < right && bottom < cy) return [line([cx, bottom], [cx, cy - half])];
  if (cx > x && cx < right && y > cy) return [line([cx, y], [cx, cy + half])];
  return [];
}

// Two factors of a term that stand in one column are joined.
function pairs(plan, terms) {
  return terms.flatMap(([a, b]) => {
    if (!b || a.id === b.id) return [];
    const [from, to] = [centre(plan.boxes[a.id], a), centre(plan.boxes[b.id], b)];
    return Math.abs(from[0] - to[0]) < 1 ? [line(from, to, "attn-pair")] : [];
  });
}

function chip(plan, box, at, text) {
  const [cx, top] = [centre(box, at)[0], corner(box, at)[1]];
  const wide = 7.4 * text.length + 12;
  const x = Math.min(Math.max(2, cx - wide / 2), plan.width - wide - 2);
  const y = top - 25 < 0 ? top + box.cell + 5 : top - 25;
  return svg(
    "g",
    { class: "attn-chip" },
    svg("rect", { x, y, width: wide, height: 20, rx: 4 }),
    svg("text", { x: x + wide / 2, y: y + 14.5, "text-anchor": "middle", text }),
  );
}

const ring = (box, at, kind) => {
  const [x, y] = corner(box, at);
  const size = box.cell + 3;
  return svg("rect", { class: kind, x: x - 1.5, y: y - 1.5, width: size, height: size, rx: 4 });
};

// The way back as one line: along a row or a column, and between two lines by the wrap.
function thread(plan, cells) {
  const points = cells.map((at) => centre(plan.boxes[at.id], at));
  const d = points.map(([x, y], i) => {
    if (!i) return `M${x} ${y}`;
    const [, py] = points[i - 1];
    const wrap = plan.wraps.find((at) => at > Math.min(y, py) && at < Math.max(y, py));
    return wrap ? `V${wrap}H${x}V${y}` : Math.abs(y - py) < 1 ? `H${x}` : `H${x}V${y}`;
  });
  return svg("path", { class: "attn-thread", d: d.join("") });
}

export function traceOverlay(plan, { svg: node, over, maps }) {
  let lit = [];
  const clear = () => {
    for (const cell of lit) cell.removeAttribute("data-lit");
    lit = [];
    over.replaceChildren();
    node.removeAttribute("data-tracing");
  };
  const light = (cells) => {
    lit = cells.flatMap(({ id, row, col }) =>
      [maps[id].cells[row][col], maps[id].texts?.[row][col]].filter(Boolean),
    );
    for (const cell of lit) cell.setAttribute("data-lit", "");
  };
  // at: the cell whose trace is shown, or null; trail: the cells that led to it.
  return (state, result, at, trail) => {
    clear();
    const seen = isDrawn(plan);
    if (!at || !seen(at)) return;
    const found = trace(state, result, at);
    const from = sources(found).filter(seen);
    const way = trail.filter(seen);
    light([at, ...from, ...way]);
    node.setAttribute("data-tracing", "");
    const [box, target] = [plan.boxes[at.id], centre(plan.boxes[at.id], at)];
    const groups = [...new Set(from.map(({ id }) => id))].map((id) =>
      outline(
        plan.boxes[id],
        from.filter((one) => one.id === id),
      ),
    );
    const drawnTerms = found.terms.filter((term) => term.every(seen));
    over.replaceChildren(
      ...pairs(plan, drawnTerms),
      ...groups.flatMap((group) => link(group, target, box.cell / 2)),
      ...groups.map(({ x, y, right, bottom }) =>
        svg("rect", { class: "attn-source", x, y, width: right - x, height: bottom - y, rx: 3 }),
      ),
      ...(way.length > 1 ? [thread(plan, way)] : []),
      ...way.map((one) => ring(plan.boxes[one.id], one, "attn-past")),
      ring(box, at, "attn-target"),
      chip(plan, box, at, short(number(state, result, at))),
    );
  };
}
