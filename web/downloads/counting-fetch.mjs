/** A `fetch` that tells how many bytes its answers together have brought so far, and one that can be ended. */

/** @typedef {typeof globalThis.fetch} Fetch */

/**
 * Bytes are counted on a clone: the browser keeps the compiled form of a wasm file, but only for the
 * very response that it fetched itself.
 *
 * @param {Fetch} fetch
 * @param {(loaded: number) => void} report
 * @returns {Fetch}
 */
export function countingFetch(fetch, report) {
  let loaded = 0;
  /** @param {Response} response */
  const count = async (response) => {
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) return;
      loaded += value.byteLength;
      report(loaded);
    }
  };
  return async (...request) => {
    const response = await fetch(...request);
    // A download that breaks off is reported by whoever reads the response itself.
    if (response.ok) count(response.clone()).catch(() => {});
    return response;
  };
}

/**
 * A `fetch` whose requests end, also while their answers arrive, when the signal of their time says so.
 *
 * @param {Fetch} fetch
 * @param {() => AbortSignal} now
 * @returns {Fetch}
 */
export function abortableFetch(fetch, now) {
  return (resource, options) => fetch(resource, { signal: now(), ...options });
}

/**
 * Whether a finished answer came over the network; an empty one, or one that the browser does not
 * tell about, counts as downloaded. A cached answer that was only asked for again brings headers.
 *
 * @param {string} url
 * @param {Performance} performance
 */
export function wasDownloaded(url, performance) {
  const entries = performance.getEntriesByName(url, "resource");
  const entry = /** @type {PerformanceResourceTiming|undefined} */ (entries.at(-1));
  return !entry?.encodedBodySize || entry.transferSize >= entry.encodedBodySize;
}
