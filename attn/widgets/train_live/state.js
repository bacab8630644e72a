// What the figure shows of a run: its numbers, its attention on a few sequences, its verdict.

import { range } from "../kit/arithmetic.js";
import { fixed, percent, scientific } from "../kit/format.js";
import { forward } from "./gradients.js";
import { choices, isSaturated, solvedAt, startRun, TASKS } from "./training.js";

const MOST_MS = 8; // that one drawing may train for
const MOST_RUNS = 6; // that are kept, the latest first
const LOST = 0.9; // below this share of right answers, a solved task is lost again

const runs = [];

export const settingsKey = ({ task, rate, heads, positions, seed }) =>
  JSON.stringify([task, rate, heads, positions, seed]);

// A run of these settings that has not passed the step, the furthest there is.
function runFor(state) {
  const key = settingsKey(state);
  const fit = runs.filter((one) => one.key === key && one.run.step <= state.step);
  const found = fit.sort((a, b) => b.run.step - a.run.step)[0] ?? { key, run: startRun(state) };
  runs.splice(
    0,
    runs.length,
    ...[found, ...runs.filter((one) => one !== found)].slice(0, MOST_RUNS),
  );
  return found.run;
}

// Train towards a step, for so many milliseconds at most, but one step at least.
export function learn(run, step, milliseconds) {
  const end = performance.now() + milliseconds;
  const goesOn = () => run.step < step;
  if (goesOn()) run.advance();
  while (goesOn() && performance.now() < end) run.advance();
}

// One row for each asked place: its tokens, each head's weights for them, its answers.
export function looks({ task, spec }, { weights, shape }) {
  const digits = task === "reverse" ? [spec.digits] : spec.couples;
  const made = digits.map(TASKS[task]);
  const name = (token) => (task === "reverse" ? `${token}` : [...spec.people, "saw", "?"][token]);
  const found = forward(
    weights,
    made.map(([tokens]) => tokens),
    shape,
  );
  const { n, h, asked, groups, c } = shape;
  return found.flatMap(({ A, p }, s) => {
    const [tokens, wanted] = made[s];
    const chosen = choices(p, c);
    return asked.map((_, a) => ({
      tokens: tokens.map(name),
      heads: range(h).map((k) => {
        const row = (k * asked.length + a) * n;
        return [...A.subarray(row, row + n)];
      }),
      answers: range(groups).map((g) => {
        const at = a * groups + g;
        return {
          text: name(chosen[at]),
          wanted: name(wanted[at]),
          right: chosen[at] === wanted[at],
        };
      }),
    }));
  });
}

export function compute(state) {
  const run = runFor(state);
  learn(run, state.step, MOST_MS);
  return {
    run,
    step: run.step,
    loss: run.losses.at(-1) ?? null,
    ...run.now(),
    gradient: run.gradient(),
    solved: solvedAt(run, state.spec),
    saturated: isSaturated(run, state.spec),
    rows: looks(state, run),
  };
}

const one = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const answered = ({ task, spec }) =>
  task === "reverse"
    ? `the digits of ${spec.unseen} unseen sequences`
    : `the answers to ${spec.unseen} unseen sentences`;

function verdict(
  { task, positions, spec },
  { step, right, sharpness, gradient, solved, saturated },
) {
  const before = solved === null ? "" : ` It had solved the task by step ${solved}.`;
  if (saturated)
    return `Saturated: the weights are one-hot (on average ${percent(sharpness)} on one token), and W_q gets almost no gradient (median norm over ${spec.saturated.steps} steps: ${gradient > 0 ? scientific(gradient) : "0"}).${before}`;
  if (step && right >= spec.solved) return `Solved${solved === null ? "" : ` by step ${solved}`}.`;
  if (task === "reverse" && !positions)
    return `Without positions no rule is right more often than ${percent(spec.ceiling)} in the long run: name the most common of the other seven digits.`;
  if (solved !== null)
    return `${before.trim()} Now it ${right < LOST ? "has lost it" : "is slightly worse"}.`;
  return step >= spec.last
    ? "Not solved."
    : step
      ? "Not solved yet."
      : "Guessing is right 10% of the time. Press Play.";
}

export function sentence(state, result) {
  const { heads, positions, seed, rate, step: goal, playing } = state;
  const { step, loss, right } = result;
  const way = step < goal && !playing ? `, on the way to ${goal}` : "";
  const trained = step ? `loss ${fixed(loss)} on its last batch, ` : "untrained, ";
  return (
    `Step ${step}${way}. Rate ${rate}, ${one(heads, "head")}, positions ${positions ? "on" : "off"}, seed ${seed}: ` +
    `${trained}${percent(right)} of ${answered(state)} right. ${verdict(state, result)}`
  );
}
