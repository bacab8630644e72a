// A box that scrolls sideways must be reachable by keyboard, and show that there is more: a wide equation, table or
// piece of code on a phone.

const BOXES = ".equation, pre, .pst-scrollable-table-container, .cell_output";

function makeFocusable() {
  /** @type {NodeListOf<HTMLElement>} */
  const boxes = document.querySelectorAll(`.bd-article :is(${BOXES})`);
  for (const box of boxes) {
    const scrolls =
      box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible";
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    box.toggleAttribute("data-scrolls", scrolls);
  }
}

addEventListener("load", () => {
  makeFocusable();
  addEventListener("resize", makeFocusable);
  document.addEventListener("attn:output", makeFocusable); // a cell ran
  // What was folded had no width; a toggle does not bubble, so it is caught on its way down.
  addEventListener("toggle", makeFocusable, true);
});
