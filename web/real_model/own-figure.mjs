/** The head browser on a reader's own sentences. */
import { load, Model } from "../figures/model.mjs";

/** @typedef {import("./sentence-reader.mjs").Encoded} Encoded */

const KEPT = ["layer", "head", "view", "weighted", "sinks"];

export class OwnFigure {
  #el;
  #built;
  /** @type {Model|null} */
  #model = null;
  #remove = () => {};

  /**
   * @param {HTMLElement} el
   * @param {Record<string, any>} built  the figure's state without sentences, as the page has it
   */
  constructor(el, built) {
    this.#el = el;
    this.#built = built;
  }

  /**
   * Show what the model made of the sentences, in the head that was chosen before, and from the same
   * query if its token is still there.
   * @param {Encoded["figure"]} own
   */
  async show(own) {
    const { render } = await load(this.#built._anywidget_id);
    const spec = this.#built._spec;
    const { query, widest } = spec.controls;
    const controls = {
      ...spec.controls,
      sentence: own.sentence,
      query: { ...query, max: own.query },
      widest: { ...widest, max: own.widest },
    };
    const before = this.#model ?? new Model(this.#built);
    const kept = KEPT.map((name) => [name, before.get(name)]);
    const [[first]] = own.sentence;
    this.#model = new Model({
      ...this.#built,
      ...Object.fromEntries(kept),
      sentence: first,
      query: sameQuery(before, own.tokens[first]),
      widest: own.widest,
      _spec: { ...spec, controls, tokens: own.tokens },
      _files: own.files,
    });
    this.#remove();
    this.#remove = render({ model: this.#model, el: this.#el });
  }
}

/** @param {Model} before @param {string[]} tokens */
function sameQuery(before, tokens) {
  const query = before.get("query");
  const old = before.get("_spec").tokens[before.get("sentence")]?.[query - 1];
  return old !== undefined && old === tokens[query - 1] ? query : 2;
}
