// Matrices on cards: a small table of numbers, and a frame that says what a step does with it.

import { html, scrollBox } from "./elements.js";
import { fixed } from "./format.js";

// A matrix whose rows are named and whose columns are plain coordinates. Returns show(M).
export function rowTable(parent, { rows, label, role }) {
  const bodies = rows.map((name) => html("tr", {}, html("th", { scope: "row", text: name })));
  const box = scrollBox(parent, label);
  box.append(
    html(
      "table",
      { class: "attn-rows", "data-role": role },
      html("caption", { text: label }),
      html("tbody", {}, ...bodies),
    ),
  );
  return (M) =>
    M.forEach((row, i) =>
      bodies[i].replaceChildren(
        bodies[i].firstChild,
        ...row.map((x) => html("td", {}, html("span", { text: fixed(x) }))),
      ),
    );
}

const TAGS = { reads: "reads", writes: "writes", done: "\u00a0" };

// A card round one matrix. show(M, mark, row): mark is "reads", "writes", "done" or "later"; row is
// the one that is followed, or null. A matrix still to come keeps its place and hides its numbers.
export function card(parent, { name, title, later, build }) {
  const tag = html("p", { class: "attn-tag" });
  const node = html("div", { class: "attn-card", "data-card": name }, tag);
  parent.append(node);
  const fill = build(node, title);
  return (M, mark, row) => {
    node.dataset.mark = mark;
    tag.textContent = mark === "later" ? later : TAGS[mark];
    fill(M);
    node
      .querySelectorAll("tbody tr")
      .forEach((line, i) => line.toggleAttribute("data-on", i === row));
  };
}
