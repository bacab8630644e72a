// Where names and handles stand so that none covers another.

export const RING = 14; // the radius of a handle
const EDGE = 4; // how near to its picture's side a name may come

// Names stand beyond their handles; one that would cover another, or another's handle, moves on by a
// line, away from the axis. None leaves a picture that is `across` wide.
/**
 * @import { Vector } from "./arithmetic.js"
 * @typedef {{ at: Vector, text: string, gap: number }} Tip
 * @param {Tip[]} tips
 * @param {Vector} origin
 * @param {number} [across]
 */
export function places(tips, [x0, y0], across = Number.POSITIVE_INFINITY) {
  const taken = tips.map(({ at: [x, y] }) => ({ left: x - RING, wide: 2 * RING, top: y + 5 }));
  return tips.map(({ at: [x, y], text, gap }) => {
    const length = Math.hypot(x - x0, y - y0) || 1;
    const [ux, uy] = [(x - x0) / length, (y - y0) / length];
    const anchor = Math.abs(ux) < 0.35 ? "middle" : ux > 0 ? "start" : "end";
    const wide = 9 * text.length;
    const before = { start: 0, middle: wide / 2, end: wide }[anchor];
    const left = Math.max(EDGE, Math.min(x + gap * ux - before, across - EDGE - wide));
    let top = y + (gap + 5) * uy + 5;
    const covers = (/** @type {(typeof taken)[number]} */ box) =>
      left < box.left + box.wide && box.left < left + wide && Math.abs(top - box.top) < 15;
    while (taken.some(covers)) top += uy > 0 ? 16 : -16;
    taken.push({ left, wide, top });
    return { x: left + before, y: top, "text-anchor": anchor };
  });
}

const ROUNDS = 60;

// Vectors moved apart until no two are closer than `gap`, and none is closer to a thing in `taken`
// ({at, gap}) than that thing asks. A point that covers nothing stays.
/** @type {(points: Vector[], gap: number, taken?: { at: Vector, gap: number }[]) => Vector[]} */
export function separate(points, gap, taken = []) {
  const at = points.map((point) => [...point]);
  for (let round = 0, moved = true; moved && round < ROUNDS; round += 1) {
    moved = false;
    at.forEach((a, i) => {
      for (const thing of taken) moved = part(a, thing.at, thing.gap, i, 1) || moved;
      for (const b of at.slice(i + 1)) moved = part(a, b, gap, i, 0.5) || moved;
    });
  }
  return at;
}

// Push a from b, and b from a by what remains of the share. Two on one spot part at an angle of
// their own. Whether anything moved.
/** @type {(a: Vector, b: Vector, gap: number, i: number, share: number) => boolean} */
function part(a, b, gap, i, share) {
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  const far = Math.hypot(dx, dy);
  if (far >= gap - 0.01) return false;
  const [ux, uy] = far > 0.01 ? [dx / far, dy / far] : [Math.cos(2.4 * i), Math.sin(2.4 * i)];
  const push = gap - far;
  a[0] += share * push * ux;
  a[1] += share * push * uy;
  if (share < 1) {
    b[0] -= (1 - share) * push * ux;
    b[1] -= (1 - share) * push * uy;
  }
  return true;
}
