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

/** From the top of the title to the bottom of the first figure. */
export function firstFigure() {
  const figure = document.querySelector(".attn-widget").getBoundingClientRect();
  return figure.bottom - document.querySelector(".bd-article h1").getBoundingClientRect().top;
}

const CODE = ".bd-article pre";
const FORMULAS = ".bd-article .equation";
const OPTIONAL = "details, .exercise, .solution, .attn-exercise, .cell_output";

/** The box that scrolls what is in it: itself, or one inside. */
const scrolls = (box) =>
  [box, ...box.querySelectorAll("*")].find(
    (node) =>
      node.scrollWidth > node.clientWidth + 1 &&
      node.clientWidth > 0 &&
      /auto|scroll/.test(getComputedStyle(node).overflowX),
  );

/** Code and display equations of the core path that are wider than their boxes, by their beginnings. */
export function cutOff() {
  return [...document.querySelectorAll(`${CODE}, ${FORMULAS}`)]
    .filter((box) => !box.closest(OPTIONAL) && scrolls(box))
    .map((box) => box.textContent.trim().slice(0, 60));
}

/** Boxes that scroll sideways without showing it, by their beginnings. */
export function withoutCue() {
  return [...document.querySelectorAll(`${CODE}, ${FORMULAS}`)]
    .map(scrolls)
    .filter((box) => box && !getComputedStyle(box).backgroundImage.includes("gradient"))
    .map((box) => box.textContent.trim().slice(0, 60));
}
