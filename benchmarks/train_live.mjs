// Reads the figure's settings from stdin, trains each as the page does, and prints one record per run.

import { readFileSync } from "node:fs";
import { isSaturated, solvedAt, startRun } from "../attn/widgets/train_live/training.js";

const rounded = (x, digits) => Number(x.toFixed(digits));

for (const settings of JSON.parse(readFileSync(0, "utf8"))) {
  const { task, rate, heads, positions, seed, step, spec } = settings;
  const run = startRun(settings);
  const begun = process.cpuUsage();
  while (run.step < step) run.advance();
  const seconds = process.cpuUsage(begun).user / 1e6; // of the processor, however busy it is
  const { right, sharpness } = run.now();
  const record = {
    ...{ task, rate, heads, positions, seed, steps: step },
    solved_at: solvedAt(run, spec),
    best: rounded(Math.max(...run.checks), 4),
    right: rounded(right, 4),
    saturated: isSaturated(run, spec),
    sharpness: rounded(sharpness, 3),
    gradient: Number(run.gradient().toPrecision(2)),
    loss: rounded(run.losses.at(-1), 4),
  };
  console.log(JSON.stringify({ record, seconds }));
}
