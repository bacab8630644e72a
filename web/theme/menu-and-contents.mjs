// The two things of Bootstrap's script that pages use, in place of its 23 KiB: a menu under a button, and the mark in
// the page's contents at the section that is being read.

/** @param {HTMLElement} button */
function addMenu(button) {
  const menu = /** @type {HTMLElement} */ (button.nextElementSibling);
  const entries = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("a, button")]);
  const show = (/** @type {boolean} */ open) => {
    menu.classList.toggle("show", open);
    button.setAttribute("aria-expanded", String(open));
  };
  const isOpen = () => menu.classList.contains("show");
  button.addEventListener("click", () => show(!isOpen()));
  addEventListener("click", (event) => {
    if (!button.parentElement?.contains(/** @type {Node} */ (event.target))) show(false);
  });
  button.parentElement?.addEventListener("focusout", (event) => {
    const to = /** @type {Node | null} */ (event.relatedTarget);
    if (to && !button.parentElement?.contains(to)) show(false);
  });
  button.parentElement?.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) {
      show(false);
      button.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(true);
    const at = entries.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    entries[at < 0 ? 0 : (at + step + entries.length) % entries.length].focus();
  });
}

/**
 * Mark the last section that begins above the middle of the screen.
 * @param {HTMLAnchorElement[]} links
 */
function followReading(links) {
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    const begun = sections.filter(
      (section) => section && section.getBoundingClientRect().top < innerHeight * 0.4,
    );
    const current = links[sections.indexOf(begun.at(-1) ?? null)];
    for (const link of links) {
      link.classList.toggle("active", link === current);
      if (link === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  let waiting = false;
  const markSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener("scroll", markSoon, { passive: true });
  addEventListener("resize", markSoon);
  mark();
}

for (const button of document.querySelectorAll('[data-bs-toggle="dropdown"]')) {
  addMenu(/** @type {HTMLElement} */ (button));
}
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll(".bd-toc-nav a[href^='#']");
if (links.length) followReading([...links]);
