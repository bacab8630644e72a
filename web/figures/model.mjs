// What a figure needs from a widget model, and where a figure's files are.

/** @typedef {(model: Model, value: any) => void} Listener */

/** The part of a widget model that a figure uses: values, and who wants to know when they change. */
export class Model {
  #values;
  /** @type {Map<string, Set<Listener>>} */
  #listeners = new Map();

  /** @param {Record<string, any>} values */
  constructor(values) {
    this.#values = { ...values };
  }

  /** @param {string} name */
  get(name) {
    return this.#values[name];
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    if (Object.is(this.#values[name], value)) return;
    this.#values[name] = value;
    for (const event of [`change:${name}`, "change"]) {
      for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(this, value);
    }
  }

  /** @param {string} event @param {Listener} listener */
  on(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  /** @param {string} event @param {Listener} listener */
  off(event, listener) {
    this.#listeners.get(event)?.delete(listener);
  }

  /** In Jupyter this sends the values to Python; here they are already where they are used. */
  save_changes() {}

  /**
   * The bytes of a file in the figure's folder. In Jupyter they are a value, `_files`.
   * @param {string} name
   */
  async file(name) {
    const address = file(`${folder(this.#values._anywidget_id)}/${name}`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** @type {(path: string) => string} */
const file = (path) => new URL(`../attn/${path}`, import.meta.url).href;

/**
 * "attn.widgets.soft_lookup.SoftLookup" has its files in attn/soft_lookup/.
 * @param {string} anywidgetId
 */
function folder(anywidgetId) {
  const [, name] = anywidgetId.match(/^attn\.widgets\.(\w+)\.\w+$/) ?? [];
  if (!name) throw new Error(`not a figure of attn.widgets: ${anywidgetId}`);
  return name;
}

/** @param {string} anywidgetId */
export async function load(anywidgetId) {
  const name = folder(anywidgetId);
  const styles = ["kit", name].map((folder) => styled(file(`${folder}/style.css`)));
  const [module] = await Promise.all([import(file(`${name}/drawing.js`)), ...styles]);
  return module.default;
}

const sheets = new Map();

/**
 * The style sheet is on the page, once; a figure whose style does not arrive is shown without.
 * @param {string} href
 */
function styled(href) {
  if (!sheets.has(href)) sheets.set(href, link(href));
  return sheets.get(href);
}

/** @type {(href: string) => Promise<unknown>} */
const link = (href) =>
  new Promise((resolve) => {
    const node = document.createElement("link");
    Object.assign(node, { rel: "stylesheet", href, onload: resolve, onerror: resolve });
    document.head.append(node);
  });
