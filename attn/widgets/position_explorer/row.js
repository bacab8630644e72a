// One row of the scores as columns over or under zero. The scale is the encoding's, not the row's,
// so that small numbers look small.

import { words } from "../kit/chart.js";
import { svg } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { LEFT, picture, ticks, WIDE } from "./picture.js";

const [HIGH, TOP, BOTTOM] = [158, 14, 132];

// The columns stay on the page, and move to their new heights.
export function rowPicture() {
  const node = picture(HIGH, "");
  const [bars, labels] = [svg("g"), svg("g")];
  node.append(bars, labels);
  return ({ position, offset, kind }, row, { low, high }) => {
    const y = (value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
    const step = (WIDE - LEFT - 4) / row.length;
    const x = (j) => LEFT + (j + 0.5) * step;
    if (!bars.children.length)
      bars.append(
        ...row.map((_, j) =>
          svg("rect", { class: "attn-column", x: x(j) - 0.4 * step, width: 0.8 * step }),
        ),
      );
    row.forEach((value, j) => {
      const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
      const { style } = bars.children[j];
      style.setProperty("y", `${top}px`);
      style.setProperty("height", `${Math.max(0.8, bottom - top)}px`);
      const role = j === position + offset ? "key" : j === position ? "query" : "";
      bars.children[j].setAttribute("data-role", role);
    });
    const end = (value) =>
      words(LEFT - 5, y(value) + 5, fixed(value, kind === "alibi" ? 1 : 0), {
        "text-anchor": "end",
      });
    labels.replaceChildren(
      svg("line", { class: "attn-axis", x1: LEFT, x2: WIDE - 4, y1: y(0), y2: y(0) }),
      ...[...new Set([low, 0, high])].map(end),
      ...ticks(row.length).map((j) => words(x(j), HIGH - 6, `${j}`, { "data-role": "key" })),
    );
    node.setAttribute(
      "aria-label",
      `Row ${position} of the matrix, over the keys' positions, from ${fixed(Math.min(...row))} to ${fixed(Math.max(...row))}.`,
    );
    return node;
  };
}
