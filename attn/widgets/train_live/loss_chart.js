// The loss of each step so far.

import { words } from "../kit/chart.js";
import { add, html, svg } from "../kit/elements.js";
import { fixed } from "../kit/format.js";
import { lineChart } from "../kit/line_chart.js";

const [LEFT, RIGHT] = [26, 316];
const [MOST_LOSS, MOST_POINTS] = [3, 148];
const ENDS = [250, 500, 1000, 2000]; // of the axis of steps

// At most so many points: means over equal stretches of steps.
export function thin(losses, most = MOST_POINTS) {
  const each = Math.max(1, Math.ceil(losses.length / most));
  const points = [];
  for (let at = 0; at < losses.length; at += each) {
    const part = losses.slice(at, at + each);
    points.push([at + (part.length + 1) / 2, part.reduce((a, b) => a + b) / part.length]);
  }
  return points;
}

// Appends the chart; show(result) draws the run's losses.
export function lossChart(parent, { choices }) {
  const guess = Math.log(choices);
  const marks = (_, y) => [
    svg("line", { class: "attn-guess", x1: LEFT, x2: RIGHT, y1: y(guess), y2: y(guess) }),
    words(RIGHT, y(guess) - 5, `guessing: ln ${choices} = ${fixed(guess)}`, {
      "text-anchor": "end",
    }),
  ];
  const box = add(parent, html("div"));
  return ({ run }) => {
    const { step, losses } = run;
    const end = ENDS.find((far) => step <= far) ?? ENDS.at(-1);
    const last = losses.at(-1);
    const label =
      last === undefined
        ? "Loss by step: no step yet."
        : `Loss over ${step} steps, from ${fixed(losses[0])} to ${fixed(last)}; guessing has ${fixed(guess)}.`;
    const drawn = lineChart({
      ...{ label, wide: 332, high: 160, area: [LEFT, RIGHT, 10, 138], clip: true, marks },
      x: {
        ...{ ends: [0, end], name: "steps", nameAt: 0.25 },
        ticks: [0, end / 2, end].map((at) => [at, `${at}`]),
      },
      y: { ends: [0, MOST_LOSS], ticks: [0, 1, 2, 3].map((loss) => [loss, `${loss}`]) },
      lines: [{ points: thin(losses), series: 1 }],
    });
    box.replaceChildren(drawn);
  };
}
