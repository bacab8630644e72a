/** The model in the page's Python: loads it, lets it read sentences, and says how far that is. */

/**
 * @typedef {import("../page_python/python.mjs").Python} Python
 * @typedef {import("../page_python/python.mjs").Phase} Phase
 * @typedef {import("../page_python/python.mjs").Outcome} Outcome
 * @typedef {import("../downloads/parts.mjs").Parts} Parts
 * @typedef {import("../downloads/parts.mjs").Manifest} Manifest
 */

/**
 * What the task real_model.py made of one or two sentences: cosines of all their tokens, level by
 * level, and for each token its nearest words. `figure` is what the head browser needs of them.
 * @typedef {object} Encoded
 * @property {"encoded"} state
 * @property {{text: string, tokens: string[]}[]} sentences
 * @property {{tokens: Record<string, string[]>, sentence: [string, string][], query: number,
 *   widest: number, files: Record<string, string>}} figure
 * @property {number[][][]} cosines
 * @property {[string, number][][]} nearest
 *
 * @typedef {{state: "long", sentence: number, tokens: number, longest: number}} TooLong
 * @typedef {{state: "needs", files: string[]}} Needs
 * @typedef {{state: "ready"}} NoText
 * @typedef {Encoded | TooLong | NoText | Outcome} Answer
 */

/**
 * @typedef {Phase | {name: "model", loaded: number, total: number}} Step
 */

const LIMIT = 120; // seconds that one run may take
const GRACE = 1.5;
const MOST_ROUNDS = 4; // the model, then the words of a sentence, each perhaps once more

export class SentenceReader {
  #python;
  #files;
  #onStep;
  /** @type {Manifest|null} */
  #manifest = null;
  /** @type {AbortController|null} */
  #downloads = null;
  /** @type {import("../page_python/python.mjs").Job|null} */
  #job = null;

  /**
   * @param {Pick<Python, "run"|"stop"|"warmUp">} python
   * @param {Parts} files
   * @param {(step: Step) => void} onStep
   */
  constructor(python, files, onStep) {
    this.#python = python;
    this.#files = files;
    this.#onStep = onStep;
  }

  /** Whether something is under way that `stop` would end. */
  get busy() {
    return this.#downloads !== null;
  }

  /**
   * Let the model read these texts, and load before what of it is not in Python. A download that
   * fails throws; a stopped one is an outcome.
   * @param {string[]} texts
   * @returns {Promise<Answer>}
   */
  async read(texts) {
    const downloads = new AbortController();
    const { signal } = downloads;
    this.#downloads = downloads;
    try {
      return await this.#read(texts, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { state: "stopped", stopped: "reader" };
    } finally {
      this.#downloads = null;
    }
  }

  stop() {
    this.#downloads?.abort();
    if (this.#job) this.#python.stop(this.#job);
  }

  /**
   * @param {string[]} texts
   * @param {AbortSignal} signal
   */
  async #read(texts, signal) {
    /** @type {Record<string, Uint8Array>} */
    let files = {};
    if (!this.#manifest) {
      this.#python.warmUp(); // meanwhile
      const manifest = await this.#files.manifest(signal);
      files = await this.#get(manifest, manifest.first, signal);
      this.#manifest = manifest;
      this.#files.dropOld(manifest).catch(() => {}); // they only take room
    }
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await this.#run({ texts, files });
      if (signal.aborted) return /** @type {Outcome} */ ({ state: "stopped", stopped: "reader" });
      if (answer.state !== "needs") return answer;
      files = await this.#get(this.#manifest, answer.files, signal);
    }
    throw new Error("the model keeps asking for the same files");
  }

  /**
   * @param {Manifest} manifest
   * @param {string[]} parts
   * @param {AbortSignal} signal
   */
  #get(manifest, parts, signal) {
    const onProgress = (/** @type {{loaded: number, total: number}} */ progress) =>
      this.#onStep({ name: "model", ...progress });
    return this.#files.get(manifest, parts, { signal, onProgress });
  }

  /**
   * @param {object} input
   * @returns {Promise<Answer | Needs>}
   */
  async #run(input) {
    this.#job = {
      task: "real_model",
      input,
      limit: LIMIT,
      grace: GRACE,
      onPhase: (phase) => this.#onStep(phase),
      onOutput: (kind, text) => kind === "error" && console.info(text),
    };
    /** @type {unknown} */
    const outcome = await this.#python.run(this.#job);
    this.#job = null;
    return /** @type {Answer | Needs} */ (outcome);
  }
}
