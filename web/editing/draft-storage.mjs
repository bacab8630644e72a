/** Where a reader's edits are kept: one record for each text of a page and each version of its original. */

/**
 * @typedef {object} SavedDraft
 * @property {string} text
 * @property {boolean} edited  whether the text differs from the original
 * @property {string|null} undo  the text that *Reset* replaced
 * @property {number} at  milliseconds since 1970
 */

/** @typedef {"forbidden"|"full"} StorageProblem */

/**
 * `localStorage`, or null where the browser forbids it (reading the property is what throws).
 * @param {{localStorage: Storage}} scope
 */
export function browserStorage(scope = globalThis) {
  try {
    return scope.localStorage ?? null;
  } catch {
    return null;
  }
}

/** What the texts are of: an exercise's answer, or the code of a chapter's cell. @typedef {"draft"|"cell"} Kind */

/**
 * @param {Kind} kind
 * @param {string} id  of the exercise or the cell
 * @param {string} version  of its original
 */
export const draftKey = (kind, id, version) => `attn:${kind}:${id}:${version}`;

/** A time that a calendar has. @param {unknown} at */
const isTime = (at) => typeof at === "number" && Number.isFinite(new Date(at).getTime());

/**
 * @param {string|null} raw
 * @returns {SavedDraft|null} null for anything that is not a record of ours
 */
export function parseDraft(raw) {
  try {
    const { text, edited, undo, at } = JSON.parse(raw ?? "");
    if (typeof text !== "string") return null;
    return {
      text,
      edited: Boolean(edited),
      undo: typeof undo === "string" ? undo : null,
      at: isTime(at) ? at : 0,
    };
  } catch {
    return null;
  }
}

export class DraftStorage {
  #storage;
  #kind;

  /**
   * @param {Storage|null} storage
   * @param {Kind} kind
   */
  constructor(storage, kind = "draft") {
    this.#storage = storage;
    this.#kind = kind;
  }

  /**
   * @param {string} id
   * @param {string} version
   */
  key(id, version) {
    return draftKey(this.#kind, id, version);
  }

  /**
   * The stored text of a record, exactly; null if there is none or storage is forbidden.
   * @param {string} key
   */
  read(key) {
    try {
      return this.#storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {string} raw
   * @returns {StorageProblem|null}
   */
  write(key, raw) {
    if (!this.#storage) return "forbidden";
    try {
      this.#storage.setItem(key, raw);
      return null;
    } catch (error) {
      return /quota/i.test(String(error)) ? "full" : "forbidden";
    }
  }

  /**
   * The newest edited record of this text that was made from another version of its original.
   * @param {string} id
   * @param {string} version
   */
  fromOlderVersion(id, version) {
    const drafts = this.#keys()
      .filter((key) => key.startsWith(this.key(id, "")))
      .filter((key) => key !== this.key(id, version))
      .flatMap((key) => parseDraft(this.read(key)) ?? [])
      .filter((draft) => draft.edited);
    return drafts.sort((a, b) => b.at - a.at)[0] ?? null;
  }

  /** The texts that are not their originals, and when they were written. */
  edited() {
    return this.#keys()
      .filter((key) => key.startsWith(`attn:${this.#kind}:`))
      .map((key) => ({ parts: key.split(":"), draft: parseDraft(this.read(key)) }))
      .flatMap(({ parts: [, , id, version], draft }) =>
        draft?.edited ? [{ id, version, text: draft.text, at: draft.at }] : [],
      );
  }

  #keys() {
    const storage = this.#storage;
    try {
      return Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? "");
    } catch {
      return [];
    }
  }
}
