/** The solution of an exercise: in the page all along, out of sight until the reader asks for it. */

const ENOUGH_TRIES = 3;

/**
 * Whether one click is enough.
 * @param {{passed: boolean, tries: number}} entry
 */
const isEarned = ({ passed, tries }) => passed || tries >= ENOUGH_TRIES;

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

  /**
   * Answer a click.
   * @param {{passed: boolean, tries: number}} entry  of the reader's record
   * @returns {"shown"|"hidden"|"ask"}
   */
  click(entry) {
    if (this.#block && !this.#block.hidden) {
      this.#block.hidden = true;
      return "hidden";
    }
    if (!isEarned(entry) && !this.#asked) {
      this.#asked = true;
      return "ask";
    }
    this.#show();
    return "shown";
  }

  #show() {
    if (!this.#block) return;
    this.#block.hidden = false;
    if (!this.#block.classList.contains("toggle-hidden")) return;
    /** @type {HTMLElement|null} */
    const toggle = this.#block.querySelector("button.toggle-button");
    toggle?.click();
  }

  /**
   * A link to the solution is a way of asking for it.
   * @param {string} hash
   */
  follow(hash) {
    if (this.#block && hash === `#${this.#block.id}`) {
      this.#show();
      this.#block.scrollIntoView();
    }
  }
}
