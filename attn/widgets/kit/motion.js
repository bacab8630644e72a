// Whether a reader wants no motion; style sheets ask the same of `prefers-reduced-motion`.

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
