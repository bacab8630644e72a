/** A reader's answer to one exercise: its text, what is stored of it, and what is in doubt. */
import { keyOf, parse } from "./draft-storage.mjs";

const PAUSE = 400; // ms without typing before the text is stored

/**
 * `question` is null, or what the reader has to decide before anything is overwritten:
 * {kind: "starter" | "tab", theirs: string}. `problem` is null, "full" or "forbidden".
 */
export class Draft {
  text;
  undo = null;
  question = null;
  problem = null;
  #store;
  #key;
  #starter;
  #known; // what was stored when this tab last looked
  #dirty = false;
  #timer = null;

  /**
   * @param {{exercise: string, starter: {text: string, version: string},
   *          store: import("./draft-storage.mjs").Store}} given
   * @param {(draft: Draft) => void} onChange  called whenever something other than typing changed it
   */
  constructor({ exercise, starter, store }, onChange = () => {}) {
    this.#store = store;
    this.#key = keyOf(exercise, starter.version);
    this.#starter = starter.text;
    this.onChange = onChange;
    this.text = starter.text;
    this.#known = store.raw(this.#key);
    const saved = parse(this.#known);
    if (saved) this.#adopt(saved);
    else this.#askAboutOlder(store.older(exercise, starter.version));
  }

  /** Whether leaving the page would lose something. */
  get unsaved() {
    return this.#dirty && this.text !== this.#starter;
  }

  edit(text) {
    if (text === this.text) return;
    this.text = text;
    this.#dirty = true;
    if (this.question?.kind === "starter") {
      this.question = null; // working on the old text is the choice to keep it
      this.onChange(this);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), PAUSE);
  }

  reset() {
    if (this.text === this.#starter) return;
    this.#replace(this.#starter);
  }

  undoReset() {
    if (this.undo !== null) this.#replace(this.undo, null);
  }

  /** Answer the open question: keep this text, or take the other one (and be able to undo that). */
  decide(keepMine) {
    const { theirs } = this.question;
    this.question = null;
    this.#known = this.#store.raw(this.#key);
    this.#replace(keepMine ? this.text : theirs, keepMine ? this.undo : this.text);
  }

  /** Store the text now, unless another tab has stored a different one since this tab last looked. */
  save() {
    clearTimeout(this.#timer);
    if (!this.#dirty || this.question) return;
    const stored = this.#store.raw(this.#key);
    if (stored !== this.#known && this.#differs(stored)) {
      this.question = { kind: "tab", theirs: parse(stored).text };
    } else {
      this.#write();
    }
    this.onChange(this);
  }

  /** Another tab stored something under this exercise's key. */
  heard(key) {
    if (key !== this.#key) return;
    const stored = this.#store.raw(key);
    if (this.#dirty && this.#differs(stored)) {
      this.question = { kind: "tab", theirs: parse(stored).text };
    } else {
      this.#known = stored;
      const saved = parse(stored);
      if (saved) this.#adopt(saved);
    }
    this.onChange(this);
  }

  #differs(stored) {
    const saved = parse(stored);
    return saved !== null && saved.text !== this.text;
  }

  #adopt({ text, undo }) {
    Object.assign(this, { text, undo: undo ?? null });
  }

  #askAboutOlder(saved) {
    if (!saved || saved.text === this.#starter) return;
    this.text = saved.text;
    this.question = { kind: "starter", theirs: this.#starter };
  }

  #replace(text, undo = this.text) {
    Object.assign(this, { text, undo });
    this.#dirty = true;
    this.save();
    this.onChange(this);
  }

  #write() {
    const { text, undo } = this;
    const record = { text, edited: text !== this.#starter, undo, at: Date.now() };
    const raw = JSON.stringify(record);
    this.problem = this.#store.write(this.#key, raw);
    if (this.problem) return;
    this.#known = raw;
    this.#dirty = false;
  }
}
