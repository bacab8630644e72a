/** A verdict as elements. Every string is set as text: nothing of a run is ever read as HTML. */

/** @param {string} tag @param {object} [properties] @param {(Node|string)[]} [children] */
export function element(tag, properties = {}, children = []) {
  const { data = {}, aria = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(tag), rest);
  Object.assign(made.dataset, data);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(`aria-${name}`, value);
  made.append(...children);
  return made;
}

/**
 * The card of a verdict, with the words that come with it.
 * @param {{state: string, heading: string, message: string, columns: string[],
 *          table?: string[][]|null}} verdict  what `Verdict.as_dict()` gives
 */
export function verdictCard({ state, heading, message, columns, table }) {
  const card = element("div", { className: "attn-verdict", data: { state } }, [
    element("p", { className: "attn-verdict-title" }, [element("strong", {}, [heading])]),
    ...paragraphs(message),
  ]);
  if (table?.length) card.append(comparison(columns, table));
  return card;
}

function paragraphs(text) {
  return String(text)
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => element("p", {}, [part]));
}

/** On a phone the columns stand below each other, so each cell knows the name of its own. */
function comparison(columns, rows) {
  const head = columns.map((name) => element("th", { scope: "col" }, [name]));
  const cell = (text, i) => element("td", { data: { column: columns[i + 1] } }, [String(text)]);
  const line = ([label, ...rest]) =>
    element("tr", {}, [element("th", { scope: "row" }, [String(label)]), ...rest.map(cell)]);
  const table = element("table", {}, [
    element("thead", {}, [element("tr", {}, head)]),
    element("tbody", {}, rows.map(line)),
  ]);
  const aria = { label: "Your result and the expected one" };
  // A wide table scrolls in a box of its own; the box takes the focus so that keys can scroll it.
  return element("div", { className: "attn-verdict-table", tabIndex: 0, role: "region", aria }, [
    table,
  ]);
}
