// A wide figure reaches into the margin, where the page's contents list stays while a reader scrolls: the list goes
// while the two would meet.

/**
 * Whether two boxes of the page share a place.
 * @type {(a: DOMRect, b: DOMRect) => boolean}
 */
const meets = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Let the contents list make room for the wide figures of the page. */
export function clearMargin() {
  const list = document.querySelector(".bd-sidebar-secondary");
  const wide = [...document.querySelectorAll(".attn-widget[data-wide]")];
  if (!list || !wide.length) return;
  const look = () => {
    const box = list.getBoundingClientRect();
    const covered = wide.some((figure) => meets(figure.getBoundingClientRect(), box));
    list.toggleAttribute("data-covered", covered);
  };
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      look();
    });
  };
  for (const event of ["scroll", "resize", "toggle"])
    addEventListener(event, later, { capture: true, passive: true });
  look();
}
