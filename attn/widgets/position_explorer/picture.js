// What the pictures of this figure share: their width, and where rows and columns are numbered.

import { svg } from "../kit/elements.js";

export const [WIDE, LEFT] = [300, 34];

export const picture = (high, label, ...shapes) =>
  svg(
    "svg",
    {
      class: "attn-balance attn-position-picture",
      viewBox: `0 0 ${WIDE} ${high}`,
      role: "img",
      "aria-label": label,
    },
    ...shapes,
  );

// At the quarters, and at the last.
export const ticks = (n) => [...new Set([0, n / 4, n / 2, (3 * n) / 4, n - 1])];
