// One clock per pair of entries: a large one for the fastest, smaller ones for the others. Their
// hands stay on the page and turn.

import { range, speeds } from "../kit/arithmetic.js";
import { words } from "../kit/chart.js";
import { svg } from "../kit/elements.js";
import { between, degrees } from "./arithmetic.js";
import { picture } from "./picture.js";

const [HIGH, CLOCKS, PER_ROW] = [158, 6, 3];
const LARGE = { x: 72, y: 60, r: 54 };

// Up to six of the pairs, from the fastest to the slowest.
export function shownPairs(d) {
  const pairs = d / 2;
  const count = Math.min(CLOCKS, pairs);
  return range(count).map((i) => Math.round((i * (pairs - 1)) / (count - 1)));
}

// Where the i-th of the smaller clocks stands, of so many.
function place(i, count) {
  const rows = Math.ceil(count / PER_ROW);
  const top = rows === 1 ? 60 : 26;
  return { x: 172 + 52 * (i % PER_ROW), y: top + 80 * Math.floor(i / PER_ROW), r: 21 };
}

// A hand that points up; the key's is longer, so that both are seen where they coincide.
function hand({ x, y, r }, role) {
  const tip = y - (role === "key" ? 0.96 : 0.78) * r;
  const head = r > 30 ? 9 : 5;
  return svg(
    "g",
    { class: "attn-hand", "data-role": role, style: { "transform-origin": `${x}px ${y}px` } },
    svg("line", { x1: x, y1: y, x2: x, y2: tip + head / 2 }),
    svg("polygon", {
      points: `${x},${tip} ${x - 0.55 * head},${tip + head} ${x + 0.55 * head},${tip + head}`,
    }),
  );
}

function clock(pair, at) {
  const { x, y, r } = at;
  const below = y + r;
  const large = r > 30;
  const [key, query] = [hand(at, "key"), hand(at, "query")];
  const angle = words(x, below + (large ? 20 : 17), "");
  const name = words(x, below + (large ? 38 : 33), "", { class: "attn-quiet" });
  const shapes = [svg("circle", { class: "attn-dial", cx: x, cy: y, r }), key, query, angle, name];
  const turn = (node, radians) => node.style.setProperty("transform", `rotate(${radians}rad)`);
  const show = (turns, apart, speed) => {
    turn(key, turns.key);
    turn(query, turns.query);
    angle.textContent = large ? `pair ${pair}: ${apart} apart` : apart;
    name.textContent = large ? `${degrees(speed)} per position` : `pair ${pair}`;
  };
  return { pair, shapes, show };
}

// Gives back what draws: the same clocks until the size changes.
export function clocks() {
  const node = picture(HIGH, "");
  let [drawn, made] = [0, []];
  return ({ kind, position, offset, size, base, spec }) => {
    if (size !== drawn) {
      const [first, ...others] = shownPairs(size);
      made = [clock(first, LARGE), ...others.map((c, i) => clock(c, place(i, others.length)))];
      node.replaceChildren(...made.flatMap(({ shapes }) => shapes));
      drawn = size;
    }
    const speed = speeds(size, base);
    const ahead = kind === "rotary" ? spec.sought : 0;
    const apart = ({ pair }) =>
      degrees(kind === "rotary" ? between((offset - ahead) * speed[pair]) : offset * speed[pair]);
    for (const one of made) {
      const turn = (steps) => steps * speed[one.pair];
      const turns = { key: turn(position + offset), query: turn(position + ahead) };
      one.show(turns, apart(one), speed[one.pair]);
    }
    const turned =
      kind === "rotary" ? "between the hands of query and key lie" : "the offset turns them by";
    const pairs = made.map(({ pair }) => pair).join(", ");
    node.setAttribute(
      "aria-label",
      `Clocks of pairs ${pairs}: ${turned} ${made.map(apart).join(", ")}.`,
    );
    return node;
  };
}
