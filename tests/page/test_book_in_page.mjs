/** What each cell that has code on the page shows: its text, and how many pictures and figures. */
export function shownByCells() {
  return [...document.querySelectorAll(".attn-cell:not([data-needs])")].map((root) => {
    const output = root.querySelector(".attn-cell-output");
    const texts = [...output.querySelectorAll(":scope > :is(.stream, .text_plain) pre")];
    return {
      cell: root.dataset.cell,
      text: texts.map(({ textContent }) => textContent).join(""),
      pictures: output.querySelectorAll(".attn-figure").length,
      figures: output.querySelectorAll(".attn-widget").length,
    };
  });
}

/** How the run of each cell ended, of those too whose code the page does not show. */
export function statesOfCells() {
  const roots = document.querySelectorAll(":is(.attn-cell, .attn-cell-unseen):not([data-needs])");
  return [...roots].map((root) => root.dataset.state ?? null);
}
