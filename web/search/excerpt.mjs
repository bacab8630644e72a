// What a search result says of its page: the paragraph with the word, as a reader would read it. Sphinx takes 240
// letters from the page's HTML instead, TeX, menus and code among them.

const NOT_READ =
  ".headerlink, script, style, .equation, nav, button, pre, svg, .attn-question, .attn-exercise";
const BLOCKS = "p, li, dd, td, figcaption";
const MOST = 260; // letters

/**
 * A formula on one line: d_k, x^2, a/b, √d_k.
 * @param {Element} math
 * @returns {string}
 */
export function plain(math) {
  const parts = [...math.children].map(plain);
  switch (math.localName) {
    case "annotation":
      return "";
    case "mspace":
      return " ";
    case "msub":
    case "munder":
      return parts.join("_");
    case "msup":
    case "mover":
      return parts.join("^");
    case "msubsup":
    case "munderover":
      return `${parts[0]}_${parts[1]}^${parts[2]}`;
    case "mfrac":
      return `${bracketed(parts[0])}/${bracketed(parts[1])}`;
    case "msqrt":
      return `√${bracketed(parts.join(""))}`;
    default:
      return parts.length ? parts.join("") : (math.textContent ?? "").trim();
  }
}

/** @param {string} text */
const bracketed = (text) => (/^[\p{L}\p{N}_√]*$/u.test(text) ? text : `(${text})`);

/**
 * The words of a page, block by block.
 * @param {string} html
 * @param {string} [anchor]
 */
function blocks(html, anchor) {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of page.querySelectorAll(NOT_READ)) part.remove();
  for (const math of page.querySelectorAll("math")) math.replaceWith(plain(math));
  const article = page.querySelector("article") ?? page.body;
  const within = (anchor && article.querySelector(anchor)) || article;
  return [...within.querySelectorAll(BLOCKS)]
    .filter((block) => !block.querySelector(BLOCKS))
    .map((block) => (block.textContent ?? "").replace(/\s+/g, " ").trim())
    .filter((text) => text.includes(" "));
}

/**
 * The first block with one of the words, or else the page's first; long ones are cut between words.
 * @param {string} html
 * @param {Iterable<string>} words
 * @param {string} [anchor]
 */
export function excerpt(html, words, anchor) {
  const texts = blocks(html, anchor);
  const asked = [...words].map((word) => word.toLowerCase());
  const at = (/** @type {string} */ text) =>
    Math.max(...asked.map((word) => text.toLowerCase().indexOf(word)));
  const text = texts.find((one) => at(one) >= 0) ?? texts[0] ?? "";
  return cut(text, Math.max(at(text), 0));
}

/**
 * @param {string} text
 * @param {number} at  where the word is
 */
function cut(text, at) {
  const start = at < MOST - 40 ? 0 : text.lastIndexOf(" ", at - 80) + 1;
  const end = start + MOST < text.length ? text.lastIndexOf(" ", start + MOST) : text.length;
  return `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}
