/** How many numbers of the table are wider than their cells. */
export function tooWide(root) {
  const wide = (node) => node.getBoundingClientRect().width;
  const cells = [...root.querySelectorAll(".attn-tokens .attn-heat-cell")];
  return cells.filter((cell) => wide(cell.firstChild) > wide(cell)).length;
}
