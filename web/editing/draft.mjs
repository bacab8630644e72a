/** A reader's version of a text of the page: what is stored of it, and what is in doubt. */
import { parseDraft } from "./draft-storage.mjs";

const PAUSE = 400; // ms without typing before the text is stored

/**
 * Two texts of which the reader has to choose one, before anything is overwritten: the original
 * changed, or another tab stored another text.
 * @typedef {{kind: "original"|"tab", theirs: string}} Conflict
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
  #original;
  /** What was stored when this tab last looked. @type {string|null} */
  #lastSeen;
  #dirty = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  /**
   * @param {object} options
   * @param {string} options.id  of the exercise or the cell
   * @param {{text: string, version: string}} options.original  as the page has it
   * @param {import("./draft-storage.mjs").DraftStorage} options.storage
   * @param {(draft: Draft) => void} [options.onChange]  called whenever something other than typing changed it
   */
  constructor({ id, original, storage, onChange = () => {} }) {
    this.#storage = storage;
    this.#key = storage.key(id, original.version);
    this.#original = original.text;
    this.onChange = onChange;
    this.text = original.text;
    this.#lastSeen = storage.read(this.#key);
    const saved = parseDraft(this.#lastSeen);
    if (saved) this.#adopt(saved);
    else this.#offer(storage.fromOlderVersion(id, original.version));
  }

  /** Whether the reader changed the text. */
  get edited() {
    return this.text !== this.#original;
  }

  /** Whether leaving the page would lose something. */
  get unsaved() {
    return this.#dirty && this.edited;
  }

  /** @param {string} text */
  edit(text) {
    if (text === this.text) return;
    this.text = text;
    this.#dirty = true;
    if (this.conflict?.kind === "original") {
      this.conflict = null; // working on the old text is the choice to keep it
      this.onChange(this);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), PAUSE);
  }

  reset() {
    if (this.text === this.#original) return;
    this.#replace(this.#original);
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
   * Show a text made from an older original, and let the reader choose.
   * @param {import("./draft-storage.mjs").SavedDraft|null} saved
   */
  #offer(saved) {
    if (!saved || saved.text === this.#original) return;
    this.text = saved.text;
    this.conflict = { kind: "original", theirs: this.#original };
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
    const raw = JSON.stringify({ text, edited: this.edited, undo, at: Date.now() });
    this.problem = this.#storage.write(this.#key, raw);
    if (this.problem) return;
    this.#lastSeen = raw;
    this.#dirty = false;
  }
}
