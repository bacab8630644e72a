/** The solution of an exercise: in the page all along, out of sight until the reader asks for it. */

const ENOUGH_TRIES = 3;

/** Whether one click is enough. */
const earned = ({ passed, tries }) => passed || tries >= ENOUGH_TRIES;

export class Solution {
  #block;
  #asked = false;

  /** @param {HTMLElement|null} block  the page's solution block */
  constructor(block) {
    this.#block = block;
    if (block && location.hash !== `#${block.id}`) block.hidden = true;
  }

  get exists() {
    return this.#block !== null;
  }

  get shown() {
    return this.exists && !this.#block.hidden;
  }

  /**
   * Answer a click.
   * @param {{passed: boolean, tries: number}} entry  of the reader's record
   * @returns {"shown"|"hidden"|"ask"}
   */
  click(entry) {
    if (this.shown) {
      this.#block.hidden = true;
      return "hidden";
    }
    if (!earned(entry) && !this.#asked) {
      this.#asked = true;
      return "ask";
    }
    this.show();
    return "shown";
  }

  show() {
    this.#block.hidden = false;
    const folded = this.#block.classList.contains("toggle-hidden");
    if (folded) this.#block.querySelector("button.toggle-button")?.click();
  }

  /** A link to the solution is a way of asking for it. */
  follow(hash) {
    if (this.exists && hash === `#${this.#block.id}`) {
      this.show();
      this.#block.scrollIntoView();
    }
  }
}
