// What a figure needs from a widget model, and where a figure's module is.

/** The part of a widget model that a figure uses: values, and who wants to know when they change. */
export class Model {
  #values;
  #listeners = new Map();

  constructor(values) {
    this.#values = { ...values };
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (Object.is(this.#values[name], value)) return;
    this.#values[name] = value;
    for (const event of [`change:${name}`, "change"]) {
      for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(this, value);
    }
  }

  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(listener);
  }

  off(event, listener) {
    this.#listeners.get(event)?.delete(listener);
  }

  /** In Jupyter this sends the values to Python; here they are already where they are used. */
  save_changes() {}
}

/** "attn.widgets.soft_lookup.SoftLookup" lives in attn/soft_lookup.js. */
export function moduleUrl(anywidgetId) {
  const [, file] = anywidgetId.match(/^attn\.widgets\.(\w+)\.\w+$/) ?? [];
  if (!file) throw new Error(`not a figure of attn.widgets: ${anywidgetId}`);
  return new URL(`../attn/${file}.js`, import.meta.url).href;
}
