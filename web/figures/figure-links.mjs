// Links that set a figure: buttons in the prose, and the page's address. Every button was tried on
// its figure when the book was built; an address is anyone's text, and what does not fit is left.

import { between, changesOf, permitted, readLink } from "./figure-state.mjs";

/** @typedef {import("./figure-state.mjs").Model} Model */
/** @typedef {import("./figure-state.mjs").Changes} Changes */
/** @typedef {{ name: string, el: HTMLElement, model: Model | null, cell?: Element | null }} Figure */
/** @typedef {Figure & { model: Model }} MountedFigure */

const DURATION = 300; // milliseconds
const LONGEST_SCROLL = 600;

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Move a model to its new values, in `duration` milliseconds or, with 0, at once.
 * @param {Model} model
 * @param {Changes} changes
 * @param {{ duration: number, done?: () => void }} options
 */
export function move(model, changes, { duration, done = () => {} }) {
  const { controls } = model.get("_spec");
  const entries = Object.entries(changes).map(([name, to]) => ({
    name,
    from: model.get(name),
    to,
  }));
  /** @type {number} */
  let start;
  /** @type {[string, any][]} */
  let written = [];
  const frame = (/** @type {number} */ now) => {
    start ??= now;
    // Someone else has moved the figure meanwhile: it is theirs.
    if (written.some(([name, value]) => model.get(name) !== value)) return done();
    const share = duration ? Math.min(1, (now - start) / duration) : 1;
    written = entries.map(({ name, from, to }) => [name, between(controls[name], from, to, share)]);
    for (const [name, value] of written) model.set(name, value);
    model.save_changes();
    if (share === 1) done();
    else requestAnimationFrame(frame);
  };
  frame(performance.now());
}

// The words of a figure are read out when they change: once, when it has arrived.
/** @type {(figure: MountedFigure, changes: Changes, duration: number) => void} */
function set({ model, el }, changes, duration) {
  const words = el.querySelector("output");
  words?.setAttribute("aria-busy", "true");
  move(model, changes, { duration, done: () => words?.removeAttribute("aria-busy") });
}

/** Of a figure that is taller than the screen: its first part below the title. @param {Element} el */
function firstPart(el) {
  const parts = [...el.querySelectorAll(".attn-stage, .attn-controls, .attn-words")];
  const top = (/** @type {Element} */ part) => part.getBoundingClientRect().top;
  return parts
    .filter((part) => part.getClientRects().length)
    .reduce((first, part) => (top(part) < top(first) ? part : first));
}

// Bring a figure, or its first part where it is taller than the screen, into view; the result waits,
// and says how many pixels away it was. Where the page has scrolled to is no measure of that: a slow
// page may not have arrived, or the end of an earlier scroll may be heard.
/** @type {(figure: Figure, block: ScrollLogicalPosition) => Promise<number>} */
async function show({ el }, block) {
  for (let fold = el.closest("details"); fold; ) {
    fold.open = true;
    fold = fold.parentElement?.closest("details") ?? null;
  }
  const header =
    Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const fits = el.offsetHeight <= innerHeight - header;
  const target = fits ? (el.firstElementChild ?? el) : firstPart(el);
  const { top, bottom } = target.getBoundingClientRect();
  if (top >= header && bottom <= innerHeight) return 0;
  if (bottom - top > innerHeight - header) block = "start";
  const isBelow = block === "nearest" && top >= header;
  const distance = isBelow ? bottom - innerHeight : Math.abs(top - header);
  const arrived = new Promise((resolve) => {
    addEventListener("scrollend", resolve, { once: true });
    setTimeout(resolve, isCalm() ? 0 : LONGEST_SCROLL);
  });
  target.scrollIntoView({ block, behavior: isCalm() ? "auto" : "smooth" });
  await arrived;
  return distance;
}

/** @type {(button: HTMLElement) => string} */
const targetOf = ({ dataset }) => `#${dataset.figure}?${dataset.state}`;

/**
 * Let the buttons of a page and its address set its figures, given in their order.
 * @param {Figure[]} figures
 */
export function connect(figures) {
  const find = (/** @type {string} */ target) => {
    const link = readLink(target);
    const found = figures.filter(({ name }) => name === link?.figure)[(link?.number ?? 0) - 1];
    // One that could not be shown cannot be set: its links stay text.
    return link && found?.model ? { ...link, figure: /** @type {MountedFigure} */ (found) } : null;
  };
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll(".attn-set");
  for (const button of buttons) {
    const link = find(targetOf(button));
    if (link) enable(button, link);
  }
  const targets = [...buttons].map(targetOf);
  const follow = () => {
    const link = find(location.hash);
    if (link) open(link, { isTried: targets.includes(location.hash) });
  };
  addEventListener("hashchange", follow);
  follow();
}

/** @typedef {{ figure: MountedFigure, state: string }} Link */

/** @type {(button: HTMLElement, link: Link) => void} */
function enable(button, { figure, state }) {
  button.role = "button";
  button.tabIndex = 0;
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault(); // a space would scroll
    if (!event.repeat) button.click();
  });
  button.addEventListener("click", async () => {
    history.replaceState(history.state, "", targetOf(button));
    const distance = await show(figure, "nearest");
    if (distance > innerHeight) {
      offerWayBack(figure, button);
      await show(figure, "nearest"); // it is a line longer now
    }
    set(figure, changesOf(figure.model, state), isCalm() ? 0 : DURATION);
  });
}

/**
 * A reader who was taken more than a screen away can return to the words that sent them.
 * @type {(figure: MountedFigure, from: HTMLElement) => void}
 */
function offerWayBack({ el }, from) {
  el.querySelector(".attn-back")?.remove();
  const back = document.createElement("button");
  Object.assign(back, { type: "button", className: "attn-back", textContent: "Back to the text" });
  back.addEventListener("click", () => {
    back.remove();
    from.scrollIntoView({ block: "center", behavior: isCalm() ? "auto" : "smooth" });
    from.focus({ preventScroll: true });
  });
  (el.querySelector(".attn-widget") ?? el).append(back);
}

/** @type {(link: Link, options: { isTried: boolean }) => void} */
function open({ figure, state }, { isTried }) {
  try {
    const changes = changesOf(figure.model, state);
    set(figure, isTried ? changes : permitted(figure.model, changes), 0);
    show(figure, "start");
  } catch (error) {
    console.info(`${location.hash} is not a state of this figure:`, error);
  }
}
