/** Two tokens side by side: their cosine at each level, and the words nearest to each. */
import { html, uniqueId } from "../attn/kit/elements.js";

/** @typedef {import("./sentence-reader.mjs").Encoded} Encoded */

const ORDINALS = ["first", "second"];
const MARK = /^\W|^\[|^##/; // no word: punctuation, [CLS], [SEP], a piece

/**
 * The tokens to begin with: the longest word that both sentences have or, of one sentence, its first
 * two words. Numbers count through all tokens.
 * @param {string[][]} sentences
 * @returns {[number, number]}
 */
export function firstPair(sentences) {
  const [first, second] = sentences;
  const words = first.filter((token) => !MARK.test(token));
  if (!second) {
    const places = words.slice(0, 2).map((word) => first.indexOf(word));
    return [places[0] ?? 0, places[1] ?? places[0] ?? 0];
  }
  const shared = words.filter((word) => second.includes(word));
  const longest = shared.reduce((best, word) => (word.length > best.length ? word : best), "");
  if (!longest) return [1, first.length + 1];
  return [first.indexOf(longest), first.length + second.indexOf(longest)];
}

/** @param {number} cosine */
const shown = (cosine) => cosine.toFixed(2).replace("-", "−").replace("−0.00", "0.00");

/**
 * @param {Encoded} encoded
 * @param {[number, number]} [pair]  of tokens, if others than the first are meant
 */
export function comparison(encoded, pair) {
  const { sentences, cosines, nearest } = encoded;
  const all = sentences.flatMap(({ tokens }) => tokens);
  let [a, b] = pair ?? firstPair(sentences.map(({ tokens }) => tokens));
  const words = html("p", { class: "attn-model-words", role: "status" });
  const levels = html("table", { class: "attn-model-levels" });
  const lists = html("div", { class: "attn-model-nearest" });
  const draw = () => {
    const row = cosines.map((level) => level[a][b]);
    levels.replaceChildren(...levelTable(row));
    lists.replaceChildren(neighbours(all[a], nearest[a]), neighbours(all[b], nearest[b]));
    words.textContent =
      `Cosine of “${all[a]}” and “${all[b]}”: ${shown(row[0])} before the first layer, ` +
      `${shown(row[row.length - 1])} after the last.`;
  };
  const choose = (
    /** @type {string} */ label,
    /** @type {number} */ at,
    /** @type {(k: number) => void} */ change,
  ) => {
    const id = uniqueId("token");
    const select = html(
      "select",
      { id, onchange: () => change(Number(select.value)) },
      ...groups(sentences),
    );
    select.value = String(at);
    return html(
      "div",
      { class: "attn-model-token" },
      html("label", { for: id, text: label }),
      select,
    );
  };
  draw();
  return html(
    "section",
    { class: "attn-model-comparison", "aria-label": "Two tokens compared" },
    html("p", { class: "attn-model-heading", text: "Two tokens compared" }),
    html(
      "div",
      { class: "attn-model-tokens" },
      choose("one token", a, (k) => {
        a = k;
        draw();
      }),
      choose("another token", b, (k) => {
        b = k;
        draw();
      }),
    ),
    words,
    levels,
    lists,
    html("p", {
      class: "attn-model-note",
      text: "Numbers come from rounded weights: read no more than two decimals. Nearest words are among the 5,000 most common, each read alone.",
    }),
  );
}

/** @param {Encoded["sentences"]} sentences */
function groups(sentences) {
  let next = 0;
  const place = (/** @type {number} */ i, /** @type {number} */ sentence) =>
    `token ${i + 1}${sentences.length > 1 ? ` of the ${ORDINALS[sentence]}` : ""}`;
  return sentences.map(({ text, tokens }, sentence) =>
    html(
      "optgroup",
      { label: text },
      ...tokens.map((token, i) =>
        html("option", { value: String(next++), text: `${token} (${place(i, sentence)})` }),
      ),
    ),
  );
}

/** A bar for each level, with its number. @param {number[]} row */
function levelTable(row) {
  const caption = html("caption", { text: "cosine at each level" });
  const line = (/** @type {number} */ cosine, /** @type {number} */ level) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", text: `level ${level}` }),
      html(
        "td",
        {},
        html("span", {
          class: "attn-model-level",
          style: { "--share": String(Math.max(0, cosine)) },
        }),
      ),
      html("td", { text: shown(cosine) }),
    );
  return [caption, html("tbody", {}, ...row.map(line))];
}

/** @param {string} token @param {[string, number][]} found */
function neighbours(token, found) {
  const items = found.map(([word, cosine]) =>
    html("li", {}, html("span", { text: word }), ` ${shown(cosine)}`),
  );
  const title = html("p", { text: `nearest to “${token}” here` });
  return html("div", {}, title, html("ol", {}, ...items));
}
