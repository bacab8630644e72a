// A wide figure, or the frame around one, reaches into the margin, where the page's contents list stays while a reader scrolls: the list goes
// while the two would meet.

const WIDE = '.attn-widget[data-wide], .attn-model[data-state="ready"]';

/**
 * Whether two boxes of the page share a place.
 * @type {(a: DOMRect, b: DOMRect) => boolean}
 */
const meets = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Look at the page as it is now. @type {(() => void) | null} */
let look = null;

/** Let the contents list make room for the wide figures of the page; again when there are new ones. */
export function clearMargin() {
  const list = document.querySelector(".bd-sidebar-secondary");
  if (!list || !document.querySelector(WIDE)) return;
  if (!look) {
    look = () => {
      const box = list.getBoundingClientRect();
      const wide = [...document.querySelectorAll(WIDE)];
      const covered = wide.some((figure) => meets(figure.getBoundingClientRect(), box));
      list.toggleAttribute("data-covered", covered);
    };
    follow(look);
  }
  look();
}

/** Call `look` when the page may have moved, once a frame. @param {() => void} look */
function follow(look) {
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
}
