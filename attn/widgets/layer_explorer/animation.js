// A step of the journey as movement: copies of the squares that take part glide to what they make.

import { svg } from "../kit/elements.js";
import { isCalm } from "../kit/motion.js";
import { matrix, number } from "./arithmetic.js";
import { stepOf, steps } from "./journey.js";
import { corner } from "./layout.js";
import { trace } from "./trace.js";

const [LONG, APART] = [900, 110]; // milliseconds: of one glide, and between those of two squares
const MOST = 40; // copies at a time

// For one square that is made: what comes to it, by which way, and how much of it arrives.
function glides(state, result, at, delay) {
  const { rule, terms } = trace(state, result, at);
  const value = (cell) => number(state, result, cell);
  const blended = terms[0]?.[0].id === "weights";
  if (rule === "softmax" || rule === "norm") return [{ way: [terms[at.col].at(-1), at], delay }];
  return terms
    .filter((term) => term.every((cell) => value(cell) !== 0))
    .map(([first, second]) => {
      if (blended) return { way: [second, first, at], delay, share: value(first) };
      const meets = second?.id === "keys" ? [second] : [];
      return { way: [first, ...meets, at], delay };
    });
}

// Returns play(state, result), which shows the state's step once.
export function stepAnimation(plan, { maps, flight }) {
  let before = 0;
  const fly = ({ way, delay, share = 1 }) => {
    if (way.some(({ id, head }) => !plan.boxes[id] || head !== undefined)) return;
    const places = way.map((at) => corner(plan.boxes[at.id], at));
    const [x, y] = places[0];
    const [row, col] = [way[0].row, way[0].col];
    const size = plan.cell - 1;
    const copy = svg("rect", { class: "attn-copy", x, y, width: size, height: size, rx: 3 });
    copy.style.setProperty("fill", maps[way[0].id].cells[row][col].style.fill);
    flight.append(copy);
    const frames = places.map(([px, py], i) => ({
      transform: `translate(${px - x}px, ${py - y}px) scale(${i ? Math.max(0.25, share) : 1})`,
      opacity: 1,
    }));
    frames.push({ ...frames.at(-1), opacity: 0 });
    const move = copy.animate(frames, {
      duration: LONG,
      delay,
      easing: "ease-in-out",
      fill: "both",
    });
    move.finished.then(() => copy.remove()).catch(() => {});
  };
  return (state, result) => {
    const step = stepOf(state);
    if (step === before) return;
    before = step;
    flight.replaceChildren();
    if (!step || isCalm()) return;
    const id = steps(state)
      [step - 1].makes.filter((one) => plan.boxes[one])
      .at(-1);
    if (!id) return;
    const row = matrix(state, result, id)[state.word];
    row
      .flatMap((_, col) => glides(state, result, { id, row: state.word, col }, APART * col))
      .slice(0, MOST)
      .forEach(fly);
  };
}
