// One framed pixel: whom it hears by convolution and by attention, and what each makes of the picture.
import { add, html, titled } from "../kit/elements.js";
import { entry } from "../kit/figure.js";
import { fixed, short } from "../kit/format.js";
import { pixelsOf } from "./arithmetic.js";
import { paintPicture, pixelGrid } from "./pixel_grid.js";
import { smallPicture } from "./small_picture.js";

const FULL_WEIGHT = 0.2; // this weight and any larger one get the full colour, whatever the picture

// The nine numbers of the kernel, to read.
function numbers(parent) {
  const cells = Array.from({ length: 9 }, () => html("span"));
  add(parent, html("div", { class: "attn-numbers" }, ...cells));
  return (kernel) =>
    kernel.flat().forEach((x, k) => {
      cells[k].textContent = short(x, 4);
    });
}

export function buildWindow(page, state) {
  const side = pixelsOf(state).length;
  page.stage.classList.add("attn-single");
  const grid = add(page.stage, html("div", { class: "attn-two-ways" }));
  const panel = (title) => add(grid, titled(title));
  const first = panel("picture: choose a pixel");
  const picture = pixelGrid(first, {
    label: `picture, ${side} by ${side} pixels; arrow keys or a click choose one`,
    side,
    framed: true,
    reach: ([r, c]) => page.change({ row: r + 1, column: c + 1 }),
  });
  const small = (title) => smallPicture(panel(title), side);
  const [hears, looks] = [small("convolution hears"), small("attention hears")];
  const choices = add(grid, html("div", { class: "attn-choices" }));
  const kernel = numbers(choices);
  for (const name of ["kernel", "picture"])
    page.select(name, {
      parent: choices,
      label: name,
      options: state.spec.controls[name].filter(([value]) => value !== "own"),
    });
  const [makes, mixes] = [small("convolution makes"), small("attention makes")];
  return ({ row, column }, { pixels, exact, output, weights, ...result }) => {
    const chosen = [row - 1, column - 1];
    const says = (what, values) =>
      `${what}: ${fixed(entry(values, chosen) ?? 0)} at the framed pixel`;
    picture.place(chosen);
    picture.frame(chosen);
    paintPicture(picture, pixels, chosen);
    kernel(result.kernel);
    const largest = (...pictures) => Math.max(...pictures.flat(2).map(Math.abs));
    hears(result.numbers, {
      ...{ chosen, most: largest(result.kernel) },
      label: says("the kernel's numbers", result.numbers),
    });
    looks(weights, {
      ...{ chosen, most: FULL_WEIGHT, high: "weight" },
      label: says("weights of attention", weights),
    });
    makes(exact, { chosen, most: largest(exact), label: says("convolution", exact) });
    mixes(output, { chosen, most: 1, label: says("attention", output) });
  };
}
