// A state of a figure as a link or an address writes it: "#SoftLookup-2?query_angle=90&beta=8".
// How it is written is told in web/chapters/figure_links.py, which reads the same text.

/** @typedef {import("../../attn/widgets/kit/figure.js").Model} Model */
/** @typedef {import("../../attn/widgets/kit/figure.js").Changes} Changes */
/** @typedef {{ min: number, max: number, step: number, base?: number }} Range */

const TARGET = /^#([A-Z]\w*)(?:-([1-9]\d*))?\?(.+)$/;
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/;

/**
 * The figure's class, which of those on the page, and its state; null if the text is another.
 * @param {string} target
 */
export function readLink(target) {
  const [, figure, number = "1", state] = TARGET.exec(target) ?? [];
  return figure ? { figure, number: Number(number), state } : null;
}

/**
 * The traits that a state changes, with their new values; a RangeError says what does not fit.
 * @param {Model} model
 * @param {string} state
 */
export function changesOf(model, state) {
  const { traits, controls } = model.get("_spec");
  /** @type {Changes} */
  const changes = {};
  for (const [path, text] of new URLSearchParams(state)) {
    const [name, ...at] = path.split(".");
    if (!traits.includes(name)) throw new RangeError(`there is no ${name}`);
    const now = name in changes ? changes[name] : model.get(name);
    const place = isPlaces(controls[name]) ? controls[name].indexOf(text) : -1;
    changes[name] = place < 0 ? replaced(now, at, text) : place;
  }
  return changes;
}

// What Python says of a trait: names to choose from by number, choices by value, or a range.
/** @type {(control: any) => boolean} */
const isPlaces = (control) => Array.isArray(control) && typeof control[0] === "string";
/** @type {(control: any) => boolean} */
const isChoices = (control) => Array.isArray(control) && Array.isArray(control[0]);
/** @type {(control: any) => boolean} */
const isRange = (control) => control?.min !== undefined;

/** @type {(now: any, at: string[], text: string) => any} */
function replaced(now, [first, ...rest], text) {
  if (first === undefined) return asKindOf(now, text);
  if (typeof now !== "object" || !Object.keys(now).includes(first))
    throw new RangeError(`there is no entry ${first}`);
  const changed = Array.isArray(now) ? [...now] : { ...now };
  changed[first] = replaced(now[first], rest, text);
  return changed;
}

// The text as a value of the kind that `now` is; a list takes it in each entry.
/** @type {(now: any, text: string) => any} */
function asKindOf(now, text) {
  if (typeof now === "string") return text;
  if (typeof now === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  if (typeof now === "number" && NUMBER.test(text)) return Number(text);
  if (Array.isArray(now)) return text ? now.map((entry) => asKindOf(entry, text)) : [];
  throw new RangeError(`${text} is of another kind`);
}

/**
 * The same changes as a reader could make them with the controls; a RangeError where none can.
 * @param {Model} model
 * @param {Changes} changes
 */
export function permitted(model, changes) {
  const { controls } = model.get("_spec");
  const entries = Object.entries(changes);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, fitted(controls[name], model.get(name), value)]),
  );
}

/** @type {(control: any, now: any, value: any) => any} */
function fitted(control, now, value) {
  if (value === now || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.length)
    return value.map((entry, i) => fitted(control, now[i], entry));
  if (isPlaces(control) && value in control) return value;
  if (isChoices(control) && control.some((/** @type {string[]} */ [choice]) => choice === value))
    return value;
  if (isRange(control) && value >= control.min && value <= control.max)
    return nearestStop(control, value);
  throw new RangeError(`${value} is not for a reader to set`);
}

// Where a slider can stand: at steps from its least value or, with a base, at powers.
/** @type {(range: Range, value: number) => number} */
function nearestStop({ min, max, step, base }, value) {
  if (base) return base ** Math.round(Math.log(value) / Math.log(base));
  const stop = min + step * Math.round((value - min) / step);
  return Number(Math.min(max, stop).toPrecision(12));
}

/**
 * A value on its way. What a slider moves goes by its stops, entries of lists go straight; a choice,
 * and one of several things by its number, changes at once.
 * @type {(control: any, from: any, to: any, share: number) => any}
 */
export function between(control, from, to, share) {
  if (share === 1 || from === to) return to;
  if (typeof to === "object" && Object.keys(from).join() === Object.keys(to).join())
    return mapped(to, (entry, key) => between(control ?? "entries", from[key], entry, share));
  if (typeof to !== "number" || !(isRange(control) || control === "entries")) return to;
  const along = control.base ? from * (to / from) ** share : from + (to - from) * share;
  return isRange(control) ? nearestStop(control, along) : along;
}

/** @type {(all: any, f: (entry: any, key: any) => any) => any} */
const mapped = (all, f) =>
  Array.isArray(all)
    ? all.map(f)
    : Object.fromEntries(Object.entries(all).map(([key, entry]) => [key, f(entry, key)]));
