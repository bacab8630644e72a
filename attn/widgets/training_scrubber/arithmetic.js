// What the recording says of one moment, and the state of the figure in words.

import { favourite, list, percent } from "../kit/format.js";

// The rows of one head's map, from whole numbers of 255 up to the diagonal; null is still to come.
function unpack(numbers, n) {
  let at = 0;
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (j <= i ? numbers[at++] / 255 : null)),
  );
}

export function compute({ moment, data, spec }) {
  const { shots, curve } = spec.arms[data];
  const { step, maps, verbs, written, right, accepted } = shots[moment];
  return {
    ...{ step, written, right, accepted, curve },
    maps: maps.map((numbers) => unpack(numbers, spec.words.length)),
    singular: verbs[0] / (verbs[0] + verbs[1]),
    agreement: curve[spec.measured.indexOf(step)],
  };
}

// Which noun the verb follows, by new sentences whose other nouns all differ from the subject.
export function rule([none, one]) {
  if (none < 0.75) return "does not make verbs agree yet";
  if (one <= 0.35) return "lets the nearest noun decide";
  if (one >= 0.9) return "no longer lets the nearest noun decide";
  return "stands between the nearest noun and another rule";
}

export function sentence({ spec }, { step, maps, singular, agreement, accepted }) {
  const last = spec.words.length - 1;
  const looks = maps.map((A) => A[last][spec.subject]);
  const best = looks.indexOf(Math.max(...looks));
  const start = spec.words.slice(1).join(" ");
  return (
    `${step ? `After ${step} steps` : "Before training"} it ${rule(agreement)}: ` +
    `with no, one and two nouns of the other number between, ${list(agreement.map(percent))} of verbs are right. ` +
    `After “${start}” ${percent(singular)} of its verbs are singular; “${spec.words[last]}” looks most at “${spec.words[spec.subject]}” in ${spec.names[best]}, ${percent(looks[best])}. ` +
    `The grammar accepts ${percent(accepted)} of what it writes.`
  );
}

// One head's last row in words, for those who do not see its map.
export const lookOf = ({ spec }, A, name) =>
  `${name}: “${spec.words.at(-1)}” ${favourite(spec.words, A.at(-1))}`;
