/** Sentences in a page's address: "#own-sentence?first=…&second=…". */

export const ANCHOR = "own-sentence";
const LONGEST = 2000; // characters, as in the fields

/** @param {string[]} texts */
export function addressOf([first, second]) {
  const parameters = new URLSearchParams({ first });
  if (second) parameters.set("second", second);
  return `#${ANCHOR}?${parameters}`;
}

/**
 * The sentences that an address carries; null if it is another address.
 * @param {string} hash
 */
export function textsOf(hash) {
  const [anchor, query] = hash.split("?", 2);
  if (anchor !== `#${ANCHOR}` || !query) return null;
  const parameters = new URLSearchParams(hash.slice(anchor.length + 1));
  const texts = [parameters.get("first"), parameters.get("second")];
  const found = texts.flatMap((text) => text?.trim().slice(0, LONGEST) || []);
  return found.length ? found : null;
}
