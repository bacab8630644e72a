/** A `fetch` that judges what arrives, and asks anew for what once arrived damaged. */

/** @typedef {typeof globalThis.fetch} Fetch */

/** Only an address that is https, or this machine, has the means to compute a hash. */
const { subtle } = globalThis.crypto;

/** @param {string} sha256  in hexadecimal digits */
const bytesOf = (sha256) => (sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

/**
 * What a request needs so that its answer can be trusted: nothing where `hasHash` can tell;
 * elsewhere the browser compares the hash itself, and shows nothing of the file before its end.
 *
 * @param {string} sha256
 * @returns {RequestInit}
 */
export const integrity = (sha256) =>
  subtle ? {} : { integrity: `sha256-${btoa(String.fromCharCode(...bytesOf(sha256)))}` };

/**
 * @param {BufferSource} content
 * @param {string} sha256
 */
export async function hasHash(content, sha256) {
  if (!subtle) return true;
  const digest = new Uint8Array(await subtle.digest("SHA-256", content));
  return bytesOf(sha256).every((byte, i) => byte === digest[i]);
}

/** For an answer that streams: when it is known whether it is right. @type {WeakMap<Response, Promise<void>>} */
export const verdicts = new WeakMap();

/**
 * The files of `hashes` are judged before they are handed on, but for WebAssembly, which compiles
 * while it arrives; `refuse` hears of one that did not arrive as it should.
 *
 * @param {Fetch} fetch
 * @param {object} options
 * @param {Map<string, string>} options.hashes  SHA-256 by address
 * @param {Set<string>} options.suspects  addresses that the browser's cache may have damaged
 * @param {(message: string) => void} options.refuse
 * @returns {Fetch}
 */
export function judgedFetch(fetch, { hashes, suspects, refuse }) {
  return async (resource, options) => {
    const url = resource instanceof Request ? resource.url : String(resource);
    const sha256 = hashes.get(url);
    /** @param {string} fault */
    const blame = (fault) => {
      suspects.add(url);
      if (sha256) refuse(`${url.split("/").pop()} ${fault}`);
    };
    /** @param {Response} copy @param {string} right */
    const judge = async (copy, right) => {
      const content = await copy.arrayBuffer().catch(() => null);
      if (!content) blame("did not arrive whole");
      else if (!(await hasHash(content, right))) blame("arrived damaged");
    };
    try {
      const response = await fetch(resource, {
        ...(suspects.has(url) ? { cache: "reload" } : {}),
        ...(sha256 ? integrity(sha256) : {}),
        ...options,
      });
      if (!response.ok) blame(`is missing: the site answers ${response.status}`);
      else if (sha256) verdicts.set(response, judge(response.clone(), sha256));
      if (!url.endsWith(".wasm")) await verdicts.get(response);
      return response;
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") blame("did not arrive whole");
      throw error;
    }
  };
}
