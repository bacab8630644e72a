const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
const isClear = (colour) => colour === "transparent" || channels(colour)[3] === 0;

function luminance(colour) {
  const [r, g, b] = channels(colour)
    .map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of a text with what is painted behind it (WCAG), and how bright that ground is. */
export function contrast(selector) {
  const node = document.querySelector(selector);
  let ground = node;
  while (isClear(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
  const behind = luminance(getComputedStyle(ground).backgroundColor);
  const text = luminance(getComputedStyle(node).color);
  return { behind, contrast: (text + 0.05) / (behind + 0.05) };
}
