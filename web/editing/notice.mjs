/** A line above an editor that asks the reader, or tells them that nothing is kept. */
import { html } from "../attn/kit/elements.js";

/**
 * @param {string} text
 * @param {object} [attributes]
 */
export const button = (text, attributes = {}) =>
  html("button", { type: "button", class: "attn-button", text, ...attributes });

/**
 * Show a line above the editor, with buttons if the reader has to decide.
 * @param {HTMLElement} notice
 * @param {string} text
 * @param {[string, () => void][]} choices
 */
export function showNotice(notice, text, choices = []) {
  const same = notice.firstChild?.textContent === text && !notice.hidden;
  notice.hidden = text === "";
  if (same || text === "") return;
  const buttons = choices.map(([label, onclick]) => button(label, { onclick }));
  notice.replaceChildren(html("span", { text }), ...buttons);
}

/**
 * Why the reader's work is not kept.
 * @param {import("./draft-storage.mjs").StorageProblem} problem
 */
export function storageMessage(problem) {
  const reason = problem === "full" ? "its storage is full" : "this page may not store anything";
  return `Your browser is not keeping what you write: ${reason}. Copy it before you leave.`;
}
