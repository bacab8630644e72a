/** Figures that fill the page's column and are higher than a screen. */
export function tallFigures(roots, mostPixels) {
  return roots
    .map((root) => [root.dataset.widget, root.offsetWidth, root.offsetHeight])
    .filter(([, width, height]) => width > 600 && height > mostPixels);
}

/** Figures that scroll sideways. */
export function wideFigures(roots) {
  return roots
    .filter((root) => root.scrollWidth > root.clientWidth)
    .map((root) => root.dataset.widget);
}
