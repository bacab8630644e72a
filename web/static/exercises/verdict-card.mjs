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

const HEADINGS = { passed: "✓ Passed", failed: "✗ Not yet", unanswered: "… Not answered" };

/**
 * @param {string} state
 * @param {{title?: string, message: string, table?: [string, string, string][]|null}} verdict
 */
export function verdictCard(state, { title, message, table }) {
  const heading = title ? `${HEADINGS[state]}: ${title}` : HEADINGS[state];
  const card = element("div", { className: "attn-verdict", data: { state } }, [
    element("p", { className: "attn-verdict-title" }, [element("strong", {}, [heading])]),
    ...paragraphs(message),
  ]);
  if (table?.length) card.append(comparison(table));
  return card;
}

function paragraphs(text) {
  return String(text)
    .split(/\n{2,}/)
    .filter((part) => part.trim())
    .map((part) => element("p", { className: "attn-verdict-message" }, [part]));
}

function comparison(rows) {
  const properties = { th: { scope: "col" }, td: {} };
  const cells = (tag, row) => row.map((text) => element(tag, properties[tag], [String(text)]));
  const line = ([label, ...rest]) =>
    element("tr", {}, [element("th", { scope: "row" }, [String(label)]), ...cells("td", rest)]);
  const table = element("table", {}, [
    element("thead", {}, [element("tr", {}, cells("th", ["compared", "yours", "expected"]))]),
    element("tbody", {}, rows.map(line)),
  ]);
  const aria = { label: "Your result and the expected one" };
  // A wide table scrolls in a box of its own; the box takes the focus so that keys can scroll it.
  return element("div", { className: "attn-verdict-table", tabIndex: 0, role: "region", aria }, [
    table,
  ]);
}
