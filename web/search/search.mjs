// Gives Sphinx's search results excerpts that are read as text, and says in plain words how many there are.
import { excerpt } from "./excerpt.mjs";

// @ts-expect-error: Sphinx's own script, loaded before, declares it.
Search.makeSearchSummary = (
  /** @type {string} */ html,
  /** @type {Set<string>} */ words,
  /** @type {string} */ anchor,
) => {
  const summary = document.createElement("p");
  summary.className = "context";
  summary.textContent = excerpt(html, words, anchor);
  return summary;
};

// Sphinx looks words up in objects, where it finds "constructor" and "__proto__" on any page.
const nothing = Object.create(null, { hasOwnProperty: { value: Object.prototype.hasOwnProperty } });
// @ts-expect-error: as above.
const { terms, titleterms } = Search._index;
for (const index of [terms, titleterms]) Object.setPrototypeOf(index, nothing);

// Sphinx keeps the words that it marks, and finds nothing where the browser keeps nothing.
try {
  localStorage.setItem("sphinx_highlight_terms", location.search);
} catch {
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  Object.defineProperty(window, "localStorage", { value: storage });
}

/** What Sphinx says when it has searched, and what a reader is told instead. @type {[RegExp, (count: string) => string][]} */
const SAID = [
  [/found (\d+) page/, (count) => (count === "1" ? "One page found." : `${count} pages found.`)],
  [/did not match/, () => "Nothing found. Try another word, or only the start of one."],
];

/** @param {string} text */
function inPlainWords(text) {
  for (const [pattern, words] of SAID) {
    const found = text.match(pattern);
    if (found) return words(found[1]);
  }
  return text;
}

// Sphinx writes the sentence where it shows its progress; it is put into plain words as it comes.
const results = document.querySelector("#search-results");
if (results) {
  const reword = () => {
    const line = results.querySelector(".search-summary");
    const text = line?.textContent ?? "";
    if (line && inPlainWords(text) !== text) line.textContent = inPlainWords(text);
  };
  new MutationObserver(reword).observe(results, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  reword();
}
