// Each figure's own state as Python writes it, so that no test repeats a default or a range.
import { golden } from "./golden.mjs";

const cases = golden("figures");

/** The state of one figure by the name of its class, with some of its traits changed. */
export function authored(name, changes = {}) {
  const { arguments: state } = cases.find((one) => one.name === name);
  return { ...structuredClone(state), ...changes };
}

/** say(changes): what a figure says in a state. */
export const speaker =
  (name, { compute, sentence }) =>
  (changes) => {
    const state = authored(name, changes);
    return sentence(state, compute(state));
  };

/** The numbers of a sentence as they are written, in their order: its words may be any. */
export const numbersIn = (text) => text.match(/−?\d+(,\d{3})*(\.\d+)?(·10[⁻⁰¹²³⁴-⁹]+)?%?/g) ?? [];
