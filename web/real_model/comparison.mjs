/** Two tokens side by side: their cosine layer by layer, and the words nearest to each. */
import { html, uniqueId } from "../attn/kit/elements.js";

/** @typedef {import("./sentence-reader.mjs").Encoded} Encoded */

const ORDINALS = ["first", "second"];
const MARK = /^\W|^\[|^##/; // no word: punctuation, [CLS], [SEP], a piece

/**
 * The tokens to begin with: of the words that both sentences have, one that the title names, else the
 * longest; of one sentence, its first two words. Numbers count through all tokens.
 * @param {string[][]} sentences
 * @param {string} [title]
 * @returns {[number, number]}
 */
export function firstPair(sentences, title = "") {
  const [first, second] = sentences;
  const words = first.filter((token) => !MARK.test(token));
  if (!second) {
    const places = words.slice(0, 2).map((word) => first.indexOf(word));
    return [places[0] ?? 0, places[1] ?? places[0] ?? 0];
  }
  const shared = words.filter((word) => second.includes(word));
  const named = title.split(" ").find((word) => shared.includes(word));
  const longest = shared.reduce((best, word) => (word.length > best.length ? word : best), "");
  const word = named ?? longest;
  if (!word) return [1, first.length + 1];
  return [first.indexOf(word), first.length + second.indexOf(word)];
}

/** @param {number} cosine */
const shown = (cosine) => cosine.toFixed(2).replace("-", "−").replace("−0.00", "0.00");

/**
 * @param {Encoded} encoded
 * @param {string} [title]  of the sentences, if they have one
 */
export function comparison(encoded, title) {
  const { sentences, cosines, nearest } = encoded;
  const all = sentences.flatMap(({ tokens }) => tokens);
  let [a, b] = firstPair(
    sentences.map(({ tokens }) => tokens),
    title,
  );
  const words = html("p", { class: "attn-model-words", role: "status" });
  const layers = html("table", { class: "attn-model-layers" });
  const lists = html("div", { class: "attn-model-nearest" });
  const draw = () => {
    const row = cosines.map((level) => level[a][b]);
    layers.replaceChildren(...layerTable(row));
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
    layers,
    lists,
    html("p", {
      class: "attn-model-note",
      text: "Numbers come from quantised weights: read no more than two decimals. Nearest words are among 5,000 common ones of three letters or more, each read alone.",
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

/** A bar for each layer and one for what enters the first, with their numbers. @param {number[]} row */
function layerTable(row) {
  const caption = html("caption", { text: "cosine, layer by layer" });
  const line = (/** @type {number} */ cosine, /** @type {number} */ layer) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", text: layer ? `after layer ${layer}` : "before layer 1" }),
      html(
        "td",
        {},
        html("span", {
          class: "attn-model-bar",
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
