// Draws one figure in an element, from its state; the figures that a page has are listed here.

import { load, Model } from "./model.mjs";
import { keepPlace } from "./reading-place.mjs";

/** @typedef {import("./figure-links.mjs").Figure} Figure */

/** The figures of the page in their order, which links set. @type {Figure[]} */
export const figures = [];

/** The code cell that shows an element. @param {Element} el */
export const cellOf = (el) => el.closest(".cell");

/** "attn.widgets.soft_lookup.SoftLookup" is a SoftLookup. @param {{ _anywidget_id: string }} state */
export const className = ({ _anywidget_id }) => _anywidget_id.split(".").pop() ?? "";

/**
 * The model of the figure, and what ends it.
 * @param {HTMLElement} el
 * @param {any} state
 * @param {() => void} [onDrawn]  called at the moment when the page changes
 * @returns {Promise<{ model: Model, stop: () => void }>}
 */
export async function draw(el, state, onDrawn = () => {}) {
  const model = new Model(state);
  const { render } = await load(state._anywidget_id);
  let stop = () => {};
  keepPlace(el, () => {
    stop = render({ model, el }) ?? stop;
    onDrawn();
  });
  return { model, stop };
}

/**
 * @param {HTMLElement} el
 * @param {string} text
 */
export function say(el, text) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = text;
  el.replaceChildren(message);
}
