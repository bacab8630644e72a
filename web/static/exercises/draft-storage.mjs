/** Where a reader's answers are kept: one record for each exercise and each version of its starter. */

/**
 * @typedef {object} Saved
 * @property {string} text
 * @property {boolean} edited  whether the text differs from the starter
 * @property {string|null} undo  the text that *Reset* replaced
 * @property {number} at  milliseconds since 1970
 */

const PREFIX = "attn:draft:";

/** `localStorage`, or null where the browser forbids it (reading the property is what throws). */
export function browserStorage(scope = globalThis) {
  try {
    return scope.localStorage ?? null;
  } catch {
    return null;
  }
}

export const keyOf = (exercise, starter) => `${PREFIX}${exercise}:${starter}`;

/** @returns {Saved|null} null for anything that is not a record of ours */
export function parse(raw) {
  try {
    const record = JSON.parse(raw);
    return typeof record?.text === "string" ? record : null;
  } catch {
    return null;
  }
}

export class Store {
  #storage;

  /** @param {Storage|null} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** The stored text of a record, exactly; null if there is none or storage is forbidden. */
  raw(key) {
    try {
      return this.#storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  /** @returns {null|"forbidden"|"full"} what went wrong */
  write(key, raw) {
    if (!this.#storage) return "forbidden";
    try {
      this.#storage.setItem(key, raw);
      return null;
    } catch (error) {
      return /quota/i.test(`${error?.name} ${error?.message}`) ? "full" : "forbidden";
    }
  }

  /** The newest edited record of this exercise that was made from another version of its starter. */
  older(exercise, starter) {
    const found = this.#keys()
      .filter((key) => key.startsWith(keyOf(exercise, "")) && key !== keyOf(exercise, starter))
      .map((key) => parse(this.raw(key)))
      .filter((record) => record?.edited);
    return found.sort((a, b) => b.at - a.at)[0] ?? null;
  }

  #keys() {
    try {
      return Array.from({ length: this.#storage?.length ?? 0 }, (_, i) => this.#storage.key(i));
    } catch {
      return [];
    }
  }
}
