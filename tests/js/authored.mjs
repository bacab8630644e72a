// Each figure's own state as Python writes it, so that no test repeats a default or a range.
import { readFileSync } from "node:fs";

const cases = JSON.parse(readFileSync(new URL("../golden/figures.json", import.meta.url)));

/** The state of one figure by the name of its class, with some of its traits changed. */
export function authored(name, changes = {}) {
  const { arguments: state } = cases.find((one) => one.name === name);
  return { ...structuredClone(state), ...changes };
}
