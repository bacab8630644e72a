// Mounts the figures of a static page: no kernel, no server.
// The page holds the standard widget-state block; each figure's module and style are files of the site.

import { load, Model } from "./model.mjs";

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

/** @type {(view: Element, models: Record<string, { state: any }>) => Promise<void>} */
async function mount(view, models) {
  const { model_id } = JSON.parse(view.textContent);
  const el = document.createElement("div");
  view.after(el);
  try {
    const entry = models[model_id];
    if (!entry) throw new Error("its state is not in the page");
    const figure = await load(entry.state._anywidget_id);
    figure.render({ model: new Model(entry.state), el });
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    const message = document.createElement("p");
    message.setAttribute("role", "alert");
    message.textContent = `This figure could not be shown (${error.message}). Reload the page to try again.`;
    el.replaceChildren(message);
    console.error(error);
  }
  const before = view.previousElementSibling;
  if (before?.matches(".attn-waiting")) before.remove();
}

const block = document.querySelector(STATE);
const models = block ? JSON.parse(block.textContent).state : {};
for (const view of document.querySelectorAll(VIEW)) mount(view, models);
