// Mounts the figures of a static page: no kernel, no server.
// The page holds the standard widget-state block; each figure's module and style are files of the site.

import { connect } from "./figure-links.mjs";
import { clearMargin } from "./margin.mjs";
import { cellOf, className, draw, figures, say } from "./mount.mjs";

/** @typedef {import("./figure-links.mjs").Figure} Figure */

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

/**
 * The figure with its class's name; without a model, if it could not be shown.
 * @type {(view: Element, models: Record<string, { state: any }>) => Promise<Figure>}
 */
async function mount(view, models) {
  const { model_id } = JSON.parse(view.textContent);
  const el = document.createElement("div");
  /** @type {Figure} */
  const figure = { el, name: "", model: null, cell: cellOf(view) };
  view.after(el);
  try {
    const entry = models[model_id];
    if (!entry) throw new Error("its state is not in the page");
    figure.name = className(entry.state);
    const { model } = await draw(el, entry.state, () => removeWaiting(view));
    figure.model = model;
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    say(el, `This figure could not be shown (${error.message}). Reload the page to try again.`);
    console.error(error);
    removeWaiting(view);
  }
  return figure;
}

/** Take away the sentence that stands in for a figure. @param {Element} view */
function removeWaiting(view) {
  const before = view.previousElementSibling;
  if (before?.matches(".attn-waiting")) before.remove();
}

const block = document.querySelector(STATE);
const models = block ? JSON.parse(block.textContent).state : {};
const views = [...document.querySelectorAll(VIEW)];
figures.push(...(await Promise.all(views.map((view) => mount(view, models)))));
connect(figures);
clearMargin();
