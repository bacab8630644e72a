// Where each head looks, and what is answered: tokens in cells that are shaded by their weight.

import { range } from "../kit/arithmetic.js";
import { add, html } from "../kit/elements.js";

const ANSWERS = { reverse: ["answer"], whom: ["who", "whom"] };
const CAPTIONS = {
  reverse: "where each place of the answer looks",
  whom: "where the question mark looks",
};
const QUERIES = { reverse: (i) => `${i + 1}`, whom: () => "?" };

/** Appends one table per head and the answers; show(rows) fills them. */
export function attentionMaps(parent, { task, heads, rows }) {
  const box = add(
    parent,
    html("div", { class: "attn-maps", "data-heads": heads, "data-task": task }),
  );
  const maps = range(heads).map((k) => {
    const cells = rows.map(({ tokens }) =>
      tokens.map((text) => html("td", { class: "attn-heat-cell" }, html("span", { text }))),
    );
    const lines = cells.map((line, i) =>
      html("tr", {}, html("th", { scope: "row", text: QUERIES[task](i) }), ...line),
    );
    const caption = heads === 1 ? CAPTIONS[task] : `head ${k + 1}`;
    box.append(
      html(
        "table",
        { class: "attn-heat" },
        html("caption", { text: caption }),
        html("tbody", {}, ...lines),
      ),
    );
    return cells;
  });
  const answers = ANSWERS[task].map(() => rows.map(() => html("td")));
  const wanted = (text) => html("td", { text });
  const line = (name, cells) => html("tr", {}, html("th", { scope: "row", text: name }), ...cells);
  add(
    parent,
    html(
      "table",
      { class: "attn-answers" },
      html(
        "tbody",
        {},
        ...(task === "reverse"
          ? [
              line(
                "wanted",
                rows.map(({ answers: [one] }) => wanted(one.wanted)),
              ),
            ]
          : []),
        ...ANSWERS[task].map((name, g) => line(name, answers[g])),
      ),
    ),
  );
  return (now) =>
    now.forEach((row, i) => {
      row.heads.forEach((weights, k) => {
        weights.forEach((w, j) => {
          maps[k][i][j].style.setProperty("--w", w.toFixed(3));
        });
      });
      row.answers.forEach(({ text, right }, g) => {
        const cell = answers[g][i];
        cell.replaceChildren(html("span", { text }), right ? " ✓" : " ✗");
        cell.toggleAttribute("data-wrong", !right);
      });
    });
}
