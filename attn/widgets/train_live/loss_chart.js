// The loss of each step so far.

import { level, seriesLine, words } from "../kit/chart.js";
import { svg } from "../kit/elements.js";
import { fixed, scale } from "../kit/format.js";

const [LEFT, RIGHT, TOP, FLOOR] = [26, 316, 10, 138];
const [MOST_LOSS, MOST_POINTS] = [3, 148];
const ENDS = [250, 500, 1000, 2000]; // of the axis of steps

// At most so many points: means over equal stretches of steps.
export function thinned(losses, most = MOST_POINTS) {
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
  const y = scale([0, MOST_LOSS], [FLOOR, TOP]);
  const guess = Math.log(choices);
  const line = svg("polyline", { style: seriesLine(1) });
  const ends = [0, 1, 2].map((k) => words(LEFT + (k * (RIGHT - LEFT)) / 2, FLOOR + 17, ""));
  const picture = svg(
    "svg",
    { class: "attn-chart", viewBox: "0 0 332 160", role: "img" },
    ...[0, 1, 2, 3].flatMap((loss) => level([LEFT, RIGHT], y(loss), `${loss}`)),
    svg("line", { class: "attn-guess", x1: LEFT, x2: RIGHT, y1: y(guess), y2: y(guess) }),
    words(RIGHT, y(guess) - 5, `guessing: ln ${choices} = ${fixed(guess)}`, {
      "text-anchor": "end",
    }),
    ...ends,
    words((3 * LEFT + RIGHT) / 4, FLOOR + 17, "steps"),
    svg(
      "svg",
      {
        ...{ x: LEFT, y: TOP, width: RIGHT - LEFT, height: FLOOR - TOP },
        viewBox: `${LEFT} ${TOP} ${RIGHT - LEFT} ${FLOOR - TOP}`,
      },
      line,
    ),
  );
  parent.append(picture);
  return ({ run }) => {
    const end = ENDS.find((far) => run.step <= far) ?? ENDS.at(-1);
    const x = scale([0, end], [LEFT, RIGHT]);
    ends.forEach((node, k) => {
      node.textContent = `${(k * end) / 2}`;
    });
    line.setAttribute(
      "points",
      thinned(run.losses)
        .map(([step, loss]) => `${x(step).toFixed(1)},${y(loss).toFixed(1)}`)
        .join(" "),
    );
    const last = run.losses.at(-1);
    picture.setAttribute(
      "aria-label",
      last === undefined
        ? "Loss by step: no step yet."
        : `Loss over ${run.step} steps, from ${fixed(run.losses[0])} to ${fixed(last)}; guessing has ${fixed(guess)}.`,
    );
  };
}
