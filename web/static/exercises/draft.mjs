/** A reader's answer to one exercise: its text, what is stored of it, and what is in doubt. */
import { draftKey, parseDraft } from "./draft-storage.mjs";

const PAUSE = 400; // ms without typing before the text is stored

/**
 * Two texts of which the reader has to choose one, before anything is overwritten: the starter
 * changed, or another tab stored another answer.
 * @typedef {{kind: "starter"|"tab", theirs: string}} Conflict
 */

export class Draft {
  text;
  /** The text that *Undo* brings back. @type {string|null} */
  undo = null;
  /** @type {Conflict|null} */
  conflict = null;
  /** @type {import("./draft-storage.mjs").StorageProblem|null} */
  problem = null;
  #storage;
  #key;
  #starter;
  /** What was stored when this tab last looked. @type {string|null} */
  #lastSeen;
  #dirty = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  /**
   * @param {object} options
   * @param {string} options.exercise
   * @param {{text: string, version: string}} options.starter
   * @param {import("./draft-storage.mjs").DraftStorage} options.storage
   * @param {(draft: Draft) => void} [options.onChange]  called whenever something other than typing changed it
   */
  constructor({ exercise, starter, storage, onChange = () => {} }) {
    this.#storage = storage;
    this.#key = draftKey(exercise, starter.version);
    this.#starter = starter.text;
    this.onChange = onChange;
    this.text = starter.text;
    this.#lastSeen = storage.read(this.#key);
    const saved = parseDraft(this.#lastSeen);
    if (saved) this.#adopt(saved);
    else this.#offer(storage.fromOlderStarter(exercise, starter.version));
  }

  /** Whether leaving the page would lose something. */
  get unsaved() {
    return this.#dirty && this.text !== this.#starter;
  }

  /** @param {string} text */
  edit(text) {
    if (text === this.text) return;
    this.text = text;
    this.#dirty = true;
    if (this.conflict?.kind === "starter") {
      this.conflict = null; // working on the old text is the choice to keep it
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

  /**
   * End the conflict: keep this text, or take the other one (and be able to undo that).
   * @param {boolean} keepMine
   */
  decide(keepMine) {
    if (!this.conflict) return;
    const { theirs } = this.conflict;
    this.conflict = null;
    this.#lastSeen = this.#storage.read(this.#key);
    this.#replace(keepMine ? this.text : theirs, keepMine ? this.undo : this.text);
  }

  /** Store the text now, unless another tab has stored a different one since this tab last looked. */
  save() {
    clearTimeout(this.#timer);
    if (!this.#dirty || this.conflict) return;
    const stored = this.#storage.read(this.#key);
    const saved = parseDraft(stored);
    if (stored !== this.#lastSeen && saved && saved.text !== this.text) {
      this.conflict = { kind: "tab", theirs: saved.text };
    } else {
      this.#write();
    }
    this.onChange(this);
  }

  /**
   * Another tab stored something under this key.
   * @param {string|null} key
   */
  onStorageEvent(key) {
    if (key !== this.#key) return;
    const stored = this.#storage.read(key);
    const saved = parseDraft(stored);
    if (this.#dirty && saved && saved.text !== this.text) {
      this.conflict = { kind: "tab", theirs: saved.text };
    } else {
      this.#lastSeen = stored;
      if (saved) this.#adopt(saved);
    }
    this.onChange(this);
  }

  /** @param {import("./draft-storage.mjs").SavedDraft} saved */
  #adopt({ text, undo }) {
    this.text = text;
    this.undo = undo ?? null;
  }

  /**
   * Show an answer to an older starter, and let the reader choose.
   * @param {import("./draft-storage.mjs").SavedDraft|null} saved
   */
  #offer(saved) {
    if (!saved || saved.text === this.#starter) return;
    this.text = saved.text;
    this.conflict = { kind: "starter", theirs: this.#starter };
  }

  /**
   * @param {string} text
   * @param {string|null} undo
   */
  #replace(text, undo = this.text) {
    this.text = text;
    this.undo = undo;
    this.#dirty = true;
    this.save();
    this.onChange(this);
  }

  #write() {
    const { text, undo } = this;
    const raw = JSON.stringify({ text, edited: text !== this.#starter, undo, at: Date.now() });
    this.problem = this.#storage.write(this.#key, raw);
    if (this.problem) return;
    this.#lastSeen = raw;
    this.#dirty = false;
  }
}
