// The matrices that learn, one pixel per entry.

import { add, html } from "../kit/elements.js";
import { clamp, fixed } from "../kit/format.js";

// A colour of the style sheet as red, green and blue.
function colour(style, name) {
  const hex = style.getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

// Appends W_q, W_k and W_v; show(weights) paints them.
export function weightMaps(parent, { d }) {
  const most = 3 / Math.sqrt(d); // three standard deviations of the first weights
  const names = { W_q: "query", W_k: "key", W_v: "value" };
  const row = add(parent, html("div", { class: "attn-matrices" }));
  const maps = Object.entries(names).map(([name, role]) => {
    const canvas = html("canvas", { width: d, height: d, role: "img" });
    const text = html("span", { class: `attn-${role}`, text: name });
    row.append(html("div", {}, text, canvas));
    return { name, canvas, pen: canvas.getContext("2d") };
  });
  add(
    parent,
    html("p", {
      class: "attn-legend",
      text: `full colour from ${fixed(most)} and −${fixed(most)} on`,
    }),
  );
  return (weights) => {
    const style = getComputedStyle(row);
    const [high, low] = ["weight", "score-low"].map((end) => colour(style, `--attn-${end}`));
    for (const { name, canvas, pen } of maps) {
      const W = weights[name];
      const image = pen.createImageData(d, d);
      W.forEach((x, i) => {
        const share = clamp(Math.abs(x) / most, 0, 1);
        image.data.set([...(x < 0 ? low : high), 255 * share], 4 * i);
      });
      pen.putImageData(image, 0, 0);
      const largest = W.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
      canvas.setAttribute("aria-label", `${name}, ${d} × ${d}, entries up to ${fixed(largest)}`);
    }
  };
}
