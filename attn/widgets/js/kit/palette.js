// The palette for a canvas, which cannot use CSS variables: ramps in OKLab, as color-mix does them.

const LMS = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_LMS = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

const apply = (M, v) => M.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toSrgb = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const byte = (c) => Math.round(255 * Math.min(1, Math.max(0, c)));

export function parse(hex) {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim());
  if (!match) throw new RangeError(`a colour must be #rrggbb, not ${JSON.stringify(hex)}`);
  return match.slice(1).map((pair) => parseInt(pair, 16));
}

const oklab = (rgb) =>
  apply(
    LAB,
    apply(
      LMS,
      rgb.map((c) => toLinear(c / 255)),
    ).map(Math.cbrt),
  );

// [r, g, b] of the colour `share` of the way from `empty` to `full`, both [r, g, b] in 0…255.
export function mix(full, empty, share) {
  const [a, b] = [oklab(full), oklab(empty)];
  const lab = a.map((x, i) => share * x + (1 - share) * b[i]);
  const rgb = apply(
    FROM_LMS,
    apply(FROM_LAB, lab).map((x) => x ** 3),
  );
  return rgb.map((c) => byte(toSrgb(Math.max(0, c))));
}

// 256 colours, for the shares 0, 1/255, …, 1.
export const ramp = (full, empty) =>
  Array.from({ length: 256 }, (_, i) => mix(full, empty, i / 255));

// The theme's colour of this name where `node` stands.
export const themed = (node, name) =>
  parse(getComputedStyle(node).getPropertyValue(`--attn-${name}`));

// Call `draw` when the site's or JupyterLab's theme changes; the result stops it.
export function onTheme(draw) {
  const observer = new MutationObserver(draw);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  observer.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  return () => observer.disconnect();
}
