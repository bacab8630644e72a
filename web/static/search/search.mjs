// Gives Sphinx's search results excerpts that are read as text.
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
