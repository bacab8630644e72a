/** Where a reader's answers are kept: one record for each exercise and each version of its starter. */

/**
 * @typedef {object} SavedDraft
 * @property {string} text
 * @property {boolean} edited  whether the text differs from the starter
 * @property {string|null} undo  the text that *Reset* replaced
 * @property {number} at  milliseconds since 1970
 */

/** @typedef {"forbidden"|"full"} StorageProblem */

const PREFIX = "attn:draft:";

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

/**
 * @param {string} exercise
 * @param {string} starter  its version
 */
export const draftKey = (exercise, starter) => `${PREFIX}${exercise}:${starter}`;

/**
 * @param {string|null} raw
 * @returns {SavedDraft|null} null for anything that is not a record of ours
 */
export function parseDraft(raw) {
  try {
    const record = JSON.parse(raw ?? "");
    return typeof record?.text === "string" ? record : null;
  } catch {
    return null;
  }
}

export class DraftStorage {
  #storage;

  /** @param {Storage|null} storage */
  constructor(storage) {
    this.#storage = storage;
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
   * The newest edited record of this exercise that was made from another version of its starter.
   * @param {string} exercise
   * @param {string} starter
   */
  fromOlderStarter(exercise, starter) {
    const drafts = this.#keys()
      .filter((key) => key.startsWith(draftKey(exercise, "")))
      .filter((key) => key !== draftKey(exercise, starter))
      .flatMap((key) => parseDraft(this.read(key)) ?? [])
      .filter((draft) => draft.edited);
    return drafts.sort((a, b) => b.at - a.at)[0] ?? null;
  }

  /** Which exercises have an answer that is not the starter, and when it was written. */
  edited() {
    return this.#keys()
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ exercise: key.split(":")[2], draft: parseDraft(this.read(key)) }))
      .flatMap(({ exercise, draft }) => (draft?.edited ? [{ exercise, at: draft.at }] : []));
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
