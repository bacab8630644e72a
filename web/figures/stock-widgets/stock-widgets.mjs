// Mounts every widget of a page that has stock ipywidgets, through Jupyter's own html-manager.
// The packaged entry point of the html-manager checks its input with code made from text, which the site's
// security policy forbids; this one calls the manager directly. A figure of attn.widgets is imported
// from its own file, as the small loader does.

import * as base from "@jupyter-widgets/base";
import { HTMLManager } from "@jupyter-widgets/html-manager/lib/htmlmanager.js";
import { load } from "../figures/model.mjs";

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';

class AnyView extends base.DOMWidgetView {
  async render() {
    const figure = await load(this.model.get("_anywidget_id"));
    this.stop = figure.render({ model: this.model, el: this.el });
  }

  remove() {
    this.stop?.();
    super.remove();
  }
}

async function loadModule(name) {
  if (name !== "anywidget") throw new Error(`this site does not have the widget library ${name}`);
  return { AnyModel: base.DOMWidgetModel, AnyView };
}

/** A stock slider's handle has no name of its own; the text before it is one. */
function nameHandles(el) {
  for (const row of el.querySelectorAll(".widget-slider, .jupyter-widget-slider")) {
    const name = row.querySelector("label")?.textContent || "slider";
    for (const handle of row.querySelectorAll('[role="slider"]'))
      handle.setAttribute("aria-label", name);
  }
}

const manager = new HTMLManager({ loader: loadModule });
const models = await manager.set_state(JSON.parse(document.querySelector(STATE).textContent));
for (const script of document.querySelectorAll(VIEW)) {
  const { model_id } = JSON.parse(script.textContent);
  const model = models.find((candidate) => candidate.model_id === model_id);
  const el = document.createElement("div");
  script.after(el);
  new MutationObserver(() => nameHandles(el)).observe(el, { childList: true, subtree: true });
  await manager.display_view(manager.create_view(model), el);
  const before = script.previousElementSibling;
  if (before?.matches(".attn-waiting")) before.remove();
}
