/** Live figures that a run made, mounted as those of the built page are. */
import { html } from "../attn/kit/elements.js";
import { clearMargin } from "../figures/margin.mjs";
import { cellOf, className, draw, figures, say } from "../figures/mount.mjs";

/** @typedef {{module: string, state: any}} FigureOutput */

/**
 * Draw a figure at the end of an element; the result takes it away. Links in the prose that set the
 * built figure of the same cell set this one meanwhile.
 * @param {Element} parent
 * @param {FigureOutput} output
 */
export async function mountFigure(parent, { module, state }) {
  const el = html("div");
  parent.append(el);
  /** @type {(() => void)[]} */
  const ends = [() => el.remove()];
  try {
    const { model, stop } = await draw(el, state);
    ends.unshift(stop, standIn({ name: className(state), el, model }));
    clearMargin();
  } catch (error) {
    say(el, await reason(module, className(state)));
    console.info(error);
  }
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Take the place of the built figure for links; the result gives it back.
 * @param {import("../figures/figure-links.mjs").Figure} figure
 */
function standIn(figure) {
  const shownBy = cellOf(figure.el);
  const built = figures.find(({ name, cell }) => name === figure.name && cell === shownBy);
  if (!shownBy || !built) return () => {};
  const before = { ...built };
  Object.assign(built, figure);
  return () => {
    if (built.el === figure.el) Object.assign(built, before);
  };
}

/**
 * Why a figure is not there: the site has the figures that its pages show, and no others.
 * @param {string} module
 * @param {string} name
 */
async function reason(module, name) {
  const address = new URL(`../attn/${module}/drawing.js`, import.meta.url);
  const status = await fetch(address, { method: "HEAD" }).then(
    (response) => response.status,
    () => null,
  );
  if (status === 404)
    return `${name} is on no page of this site, so its drawing is not here. In a notebook it works.`;
  const asked = status === null ? " Are you online?" : "";
  return `${name} could not be drawn.${asked} Run the cell again to try once more.`;
}
