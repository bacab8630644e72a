/**
 * What comes in many files, such as a model: downloaded part by part when it is asked for, judged by
 * hash, and kept by the browser from then on. A download that ended early goes on with what lacks.
 */
import { DownloadError } from "./download-error.mjs";
import { hasHash, integrity } from "./judged-fetch.mjs";

/**
 * @typedef {{name: string, bytes: number, sha256: string}} Entry
 * @typedef {{first: string[], files: Record<string, Entry>}} Manifest
 * @typedef {{loaded: number, total: number}} Progress
 * @typedef {(progress: Progress) => void} OnProgress
 */

/** Why the browser did not keep a file. @typedef {"full"|"forbidden"} Unkept */

const AT_ONCE = 4; // so that a download that ends early has brought some parts whole
const UNREACHED = "the site cannot be reached";

export class Parts {
  #folder;
  #cache;
  #fetch;
  #caches;
  /** Set once the browser refused to keep a file. @type {Unkept|null} */
  unkept = null;

  /**
   * @param {URL} folder  of the manifest and its files
   * @param {string} cache  the name under which the browser keeps them
   * @param {{fetch: typeof globalThis.fetch, caches?: CacheStorage}} browser
   */
  constructor(folder, cache, { fetch, caches }) {
    this.#folder = folder;
    this.#cache = cache;
    this.#fetch = fetch;
    this.#caches = caches;
  }

  /** Whether the browser has this file from an earlier visit. @param {string} name */
  async isKept(name) {
    return (await this.#kept(name)) !== undefined;
  }

  /**
   * The list of all files: the site's own or, if that cannot be reached, the one of the last visit.
   * @param {AbortSignal} signal
   * @returns {Promise<Manifest>}
   */
  async manifest(signal) {
    const name = "manifest.json";
    try {
      const response = await this.#request(name, { signal, cache: "no-cache" });
      const manifest = await response.json().catch(() => {
        throw new DownloadError(`${name} did not arrive whole`);
      });
      await this.#keep(name, JSON.stringify(manifest));
      return manifest;
    } catch (error) {
      const kept = signal.aborted ? undefined : await this.#kept(name);
      if (!kept) throw error;
      return kept.json();
    }
  }

  /**
   * The bytes of these parts, by part; what is kept, and is still what it was, is not downloaded.
   * @param {Manifest} manifest
   * @param {string[]} parts
   * @param {{signal: AbortSignal, onProgress: OnProgress}} options
   */
  async get(manifest, parts, { signal, onProgress }) {
    const entries = parts.map((part) => [part, entryOf(manifest, part)]);
    /** @type {Record<string, Uint8Array>} */
    const found = {};
    /** @type {[string, Entry][]} */
    const missing = [];
    for (const [part, entry] of /** @type {[string, Entry][]} */ (entries)) {
      const kept = await this.#keptContent(entry);
      if (kept) found[part] = kept;
      else missing.push([part, entry]);
    }
    const total = missing.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    let loaded = 0;
    if (total) onProgress({ loaded, total });
    const count = (/** @type {number} */ bytes) => {
      loaded += bytes;
      onProgress({ loaded, total });
    };
    /** @type {unknown[]} */
    const errors = [];
    const download = async () => {
      // One that fails does not take along those under way, which are kept for the next attempt.
      for (let next = missing.shift(); next && !errors.length; next = missing.shift()) {
        const [part, entry] = next;
        try {
          found[part] = await this.#download(entry, signal, count);
        } catch (error) {
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, download));
    if (errors.length) throw errors[0];
    return found;
  }

  /** Forget files of an earlier version of the site. @param {Manifest} manifest */
  async dropOld({ files }) {
    const names = new Set(["manifest.json", ...Object.values(files).map(({ name }) => name)]);
    const cache = await this.#open();
    for (const request of (await cache?.keys()) ?? [])
      if (!names.has(request.url.split("/").pop() ?? "")) await cache?.delete(request);
  }

  /**
   * A file that does not arrive as it should is asked for once more, past the browser's own cache.
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @param {(bytes: number) => void} count
   */
  async #download(entry, signal, count) {
    // What this page keeps itself need not be kept a second time by the browser.
    const content = await this.#receive(
      entry,
      signal,
      count,
      this.#caches ? "no-store" : "default",
    ).catch((error) => {
      if (signal.aborted) throw error;
      return this.#receive(entry, signal, count, "reload");
    });
    await this.#keep(entry.name, content);
    return content;
  }

  /**
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @param {(bytes: number) => void} count
   * @param {RequestCache} cache
   */
  async #receive({ name, bytes, sha256 }, signal, count, cache) {
    const { body } = await this.#request(name, { signal, cache, ...integrity(sha256) });
    const content = new Uint8Array(bytes);
    let at = 0;
    try {
      for (const reader = body?.getReader(); reader; ) {
        const { done, value } = await reader.read();
        if (done) break;
        if (at + value.length <= bytes) content.set(value, at);
        at += value.length;
        count(value.length);
      }
      if (at !== bytes) throw new DownloadError(`${name} has ${at} bytes instead of ${bytes}`);
      if (!(await hasHash(content, sha256))) throw new DownloadError(`${name} arrived damaged`);
    } catch (error) {
      count(-at);
      if (signal.aborted || error instanceof DownloadError) throw error;
      throw new DownloadError(`the connection broke off after ${at} of ${bytes} bytes of ${name}`);
    }
    return content;
  }

  /** @param {string} name @param {RequestInit} options */
  async #request(name, options) {
    let response;
    try {
      response = await this.#fetch(this.#url(name), options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const isJudged = Boolean(options.integrity); // then a damaged file is no answer either
      throw new DownloadError(isJudged ? `${name} did not arrive whole` : UNREACHED);
    }
    if (!response.ok) throw new DownloadError(`the site answers ${response.status} for ${name}`);
    return response;
  }

  /** @param {string} name */
  #url(name) {
    return new URL(name, this.#folder).href;
  }

  /** The page's own storage of files; a browser may forbid it, or have none on this address. */
  async #open() {
    try {
      return await this.#caches?.open(this.#cache);
    } catch {
      return undefined;
    }
  }

  /** @param {string} name */
  async #kept(name) {
    try {
      return await (await this.#open())?.match(this.#url(name));
    } catch {
      return undefined;
    }
  }

  /** @param {Entry} entry */
  async #keptContent({ name, sha256 }) {
    try {
      const content = await (await this.#kept(name))?.arrayBuffer();
      if (content && (await hasHash(content, sha256))) return new Uint8Array(content);
    } catch {
      // as if it had not been kept
    }
    return undefined;
  }

  /** @param {string} name @param {BodyInit} content */
  async #keep(name, content) {
    try {
      const cache = await this.#open();
      if (!cache) throw new Error("there is no storage");
      await cache.put(this.#url(name), new Response(content));
    } catch (error) {
      this.unkept = /quota/i.test(String(error)) ? "full" : "forbidden";
    }
  }
}

/** @param {Manifest} manifest @param {string} part */
function entryOf({ files }, part) {
  const entry = files[part];
  if (!entry) throw new DownloadError(`the site has no ${part}`);
  return entry;
}
