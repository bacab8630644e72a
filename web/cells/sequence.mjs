/** Which cells of a page have to run before another can, and which outputs are out of date. */

/**
 * The code of each cell that the page can run, in the order of the page.
 * @typedef {() => string[]} ReadCodes
 */

export class Sequence {
  #codes;
  /** What each cell of the session ran with. @type {Map<number, string>} */
  #ran = new Map();

  /** @param {ReadCodes} codes */
  constructor(codes) {
    this.#codes = codes;
  }

  /**
   * All that the output of a cell depends on, as a text that is equal as long as nothing changed.
   * @param {number} place  of the cell, from 0
   */
  basis(place) {
    return JSON.stringify(this.#codes().slice(0, place + 1));
  }

  /**
   * The cells above that have not run as they are now, in their order.
   * @param {number} place
   */
  missing(place) {
    return Array.from({ length: place }, (_, above) => above).filter(
      (above) => this.#ran.get(above) !== this.basis(above),
    );
  }

  /**
   * A cell ran; whatever ran below it with another code above is out of date by that alone.
   * @param {number} place
   * @param {string} basis  at the start of its run
   */
  add(place, basis) {
    this.#ran.set(place, basis);
  }

  /** A cell left nothing that others could use. @param {number} place */
  drop(place) {
    this.#ran.delete(place);
  }

  /** The session is gone: nothing has run. */
  clear() {
    this.#ran.clear();
  }
}
