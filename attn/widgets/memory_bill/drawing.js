// What attention holds at n tokens, part by part, on a scale where a step is a factor of 1000.

import { add, html } from "../kit/elements.js";
import { figure } from "../kit/figure.js";
import { clamp } from "../kit/format.js";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];
const [LOW, HIGH] = [3, 13]; // the scale's ends, as powers of ten

const whole = (x) => Math.round(x).toLocaleString("en");

// Three digits that count: 67.1 MB, 2.15 GB, 4.4 TB.
export function size(bytes) {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** unit).toPrecision(3))} ${UNITS[unit]}`;
}

// 128; 2.5; 0.031: how many times one is of another.
const times = (x) => (x >= 10 ? whole(x) : String(Number(x.toPrecision(2))));

export function compute({ n, d, heads, layers, number, share, spec }) {
  const sharedBy = share === "all" ? heads : Number(share);
  const grouped = d / sharedBy;
  const counts = {
    vectors: n * (2 * d + 2 * grouped),
    weights: heads * n * n,
    block: Math.min(spec.block, n) * n,
    cache: layers * n * 2 * grouped,
    projections: layers * d * (2 * d + 2 * grouped),
  };
  const bytes = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Number(number) * count]),
  );
  return { bytes, crossing: (2 * d + 2 * grouped) / heads };
}

export function sentence({ n, layers, spec }, { bytes, crossing }) {
  const ratio = bytes.weights / bytes.vectors;
  const compared = ratio === 1 ? "exactly" : `${times(ratio)} times`;
  // The chapter asks where they are equal: a caption seen beside the question must not say.
  const equal = ratio < 1 ? `; they are equal at n = ${whole(crossing)}` : "";
  const write = (part) => size(bytes[part]).replace(" ", "\u00a0"); // a unit stays with its number
  return (
    `With ${whole(n)} tokens, one layer's table of weights takes ${write("weights")}, ${compared} as much as its Q, K, V and Y${equal}. ` +
    `${whole(Math.min(spec.block, n))} rows of one head take ${write("block")}. ` +
    `The keys and values of ${layers === 1 ? "the one layer" : `all ${layers} layers`}, kept for writing, take ${write("cache")}.`
  );
}

const PARTS = [
  ["vectors", "Q, K, V and Y, one layer"],
  ["weights", "table of weights, one layer"],
  ["block", (spec) => `${spec.block} of its rows, one head`],
  ["cache", "key–value cache, all layers"],
  ["projections", "projections, all layers"],
];

// Where a number of bytes stands on the scale, in per cent.
const place = (bytes) => clamp((100 * (Math.log10(bytes) - LOW)) / (HIGH - LOW), 0, 100);

function build(page, { spec }) {
  const fills = {};
  const numbers = {};
  const bars = add(page.stage, html("div", { class: "attn-bars", role: "list" }));
  bars.setAttribute("aria-label", "bytes of each part");
  for (const [name, text] of PARTS) {
    fills[name] = html("span", { class: "attn-fill" });
    numbers[name] = html("span", { class: "attn-number" });
    bars.append(
      html(
        "div",
        { class: "attn-bar", role: "listitem", "data-part": name },
        html("span", {
          class: "attn-bar-label",
          text: typeof text === "function" ? text(spec) : text,
        }),
        html("span", { class: "attn-track", "aria-hidden": "true" }, fills[name]),
        numbers[name],
      ),
    );
  }
  const ticks = UNITS.slice(1).map((unit, i) =>
    html("span", { text: `1 ${unit}`, style: { left: `${place(1000 ** (i + 1))}%` } }),
  );
  bars.append(
    html(
      "div",
      { class: "attn-bar", "aria-hidden": "true" },
      html("span"),
      html("span", { class: "attn-ticks" }, ...ticks),
      html("span"),
    ),
  );
  page.slider("n", { label: "tokens n", format: whole });
  page.slider("d", { label: "size d", format: whole });
  page.slider("heads", { label: "heads h" });
  page.slider("layers", { label: "layers" });
  page.select("number", { label: "one number takes" });
  page.select("share", { label: "keys and values" });
  return (_, { bytes }) => {
    for (const [name] of PARTS) {
      fills[name].style.width = `${place(bytes[name])}%`;
      numbers[name].textContent = size(bytes[name]);
    }
  };
}

export default figure({
  name: "MemoryBill",
  title: "What attention has to hold",
  lead: "From one mark of the scale to the next, a thousand times as many bytes.",
  compute,
  build,
  words: sentence,
  tall: true,
});
