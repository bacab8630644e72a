/** What a cell shows: the output that the page was built with, or the one of a reader's run. */
import { add, html } from "../attn/kit/elements.js";

/** How the page styles each kind of text. @type {Record<string, string>} */
const STYLES = {
  out: "stream",
  err: "stream",
  value: "text_plain",
  error: "stream",
  note: "stream",
};

export class CellOutput {
  #region;
  /** @type {Node[]} */
  #built;
  #isBuilt = true;
  /** Whether what is shown is of an earlier run, and goes with the first output of this one. */
  #isOld = false;
  /** What takes away the figures of a run. @type {Promise<() => void>[]} */
  #figures = [];

  /** @param {HTMLElement} region */
  constructor(region) {
    this.#region = region;
    this.#built = [...region.childNodes];
  }

  /** Whether the page shows what it was built with. */
  get isBuilt() {
    return this.#isBuilt;
  }

  /** A run begins: what is shown stays until there is something else to show. */
  begin() {
    this.#isOld = true;
  }

  /**
   * @param {string} kind
   * @param {any} content
   */
  append(kind, content) {
    this.#replaceOld();
    const last = this.#region.lastElementChild;
    if (kind === "svg") this.#draw(content);
    else if (kind === "figure") this.#mount(content);
    else if (last?.getAttribute("data-kind") === kind) last.querySelector("pre")?.append(content);
    else this.#region.append(textBlock(kind, content));
  }

  /** @param {Parameters<typeof import("./svg-output.mjs").svgElement>[0]} picture */
  async #draw(picture) {
    const holder = this.#addHolder();
    const { svgElement } = await import("./svg-output.mjs");
    holder.append(svgElement(picture));
  }

  /** @param {import("./figure-output.mjs").FigureOutput} figure */
  #mount(figure) {
    const holder = this.#addHolder();
    this.#figures.push(
      import("./figure-output.mjs").then(({ mountFigure }) => mountFigure(holder, figure)),
    );
  }

  /** Where something will be drawn: outputs stay in the order in which they came. */
  #addHolder() {
    return add(this.#region, html("div", { class: "output text_html" }));
  }

  /** A run that ended by itself and said nothing shows nothing. */
  end() {
    this.#replaceOld();
  }

  /** Show again what the page was built with. */
  restore() {
    this.#replace(this.#built);
    this.#isBuilt = true;
    this.#isOld = false;
  }

  #replaceOld() {
    if (!this.#isOld) return;
    this.#isOld = this.#isBuilt = false;
    this.#replace([]);
  }

  /** @param {Node[]} nodes */
  #replace(nodes) {
    for (const figure of this.#figures) figure.then((remove) => remove());
    this.#figures = [];
    this.#region.replaceChildren(...nodes);
  }
}

/**
 * @param {string} kind
 * @param {string} text
 */
function textBlock(kind, text) {
  const style = `output ${STYLES[kind] ?? STYLES.out}`;
  const block = html("div", { class: "highlight" }, html("pre", { text }));
  return html("div", { class: style, "data-kind": kind }, block);
}
