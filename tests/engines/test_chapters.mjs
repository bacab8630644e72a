// What a chapter shows, asked of its page. A figure is given by its number on the page, from 0.

const VIEWS = 'script[type="application/vnd.jupyter.widget-view+json"]';
const CONTROLS = "input, select, button, [role=slider]";

const figureAt = (figure) => document.querySelectorAll(".attn-widget")[figure];
const frame = () => new Promise((resume) => requestAnimationFrame(resume));

/** Whether figures and formulas are drawn. */
export function isReady() {
  // What is folded is read too.
  for (const fold of document.querySelectorAll(".bd-article details:not(form *)")) fold.open = true;
  const outputs = [...document.querySelectorAll(".attn-widget output")];
  return (
    document.readyState === "complete" &&
    document.documentElement.dataset.theme !== "auto" &&
    outputs.length === document.querySelectorAll(VIEWS).length &&
    outputs.every((output) => output.innerText.length > 20)
  );
}

/** Go to a figure, and say whether the numbers that it fetches when a reader is near are there. */
export function isNear(figure) {
  const node = figureAt(figure);
  node.scrollIntoView({ block: "nearest", behavior: "instant" });
  return !node.matches("[aria-busy]") && !node.querySelector("[aria-busy]");
}

/** The controls of a figure, as a reader finds them: what each is, and whether it can be used now. */
export function controlsOf(figure) {
  return [...figureAt(figure).querySelectorAll(CONTROLS)].map((node, at) => ({
    at,
    kind: node.matches("g") ? "handle" : node.type,
    reset: node.matches(".attn-reset"),
    usable: !node.disabled && node.getClientRects().length > 0 && node.tabIndex >= 0,
  }));
}

export function markControl(figure, at) {
  document.querySelector("[data-tried]")?.removeAttribute("data-tried");
  figureAt(figure).querySelectorAll(CONTROLS)[at].dataset.tried = "";
}

export function captionOf(figure) {
  return document.querySelectorAll(".attn-widget output")[figure].innerText;
}

export function hasCaption(figure, caption) {
  return captionOf(figure) === caption;
}

/**
 * Count this many frames from now. A page that went on counting would be drawn sixty times a second
 * for as long as it is open.
 */
export function countFrames(frames) {
  const counting = window.framesLeft > 0;
  window.framesLeft = frames;
  const next = () => {
    if (--window.framesLeft > 0) requestAnimationFrame(next);
  };
  if (!counting) requestAnimationFrame(next);
}

/** What became of the caption, once it changed or the counted frames are over. */
export function captionChange(figure, before) {
  if (captionOf(figure) !== before) return "another";
  return window.framesLeft === 0 && "the same";
}

export function resetFigure(figure) {
  document.querySelectorAll(".attn-widget .attn-reset")[figure].click();
}

export function rightAnswers() {
  return [...document.querySelectorAll("form.attn-question")].map((form) => ({
    id: form.dataset.question,
    choice: form.dataset.kind === "choice",
    right: form.querySelector("[data-feedback][data-right]").dataset.feedback,
  }));
}

export function formulaSizes() {
  const size = (node) => Number.parseFloat(getComputedStyle(node).fontSize);
  const formulas = [...document.querySelectorAll(".bd-article math")];
  const share = (formula) => size(formula) / size(formula.parentElement);
  return [...new Set(formulas.map((formula) => share(formula).toFixed(2)))];
}

/** The text node after a formula. */
function textAfter(formula) {
  const walker = document.createTreeWalker(formula.closest(".bd-article"), NodeFilter.SHOW_TEXT);
  walker.currentNode = formula;
  let next = walker.nextNode();
  while (next && formula.contains(next)) next = walker.nextNode();
  return next;
}

function boxOfFirstLetter(text) {
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, 1);
  return range.getBoundingClientRect();
}

/** In a column without width a line breaks wherever it may: signs that then part from their formula. */
export function partedSigns() {
  const signs = /^[,.;:!?)\]}”’…%–—-]/;
  const style = document.createElement("style");
  style.textContent = ".bd-article :is(p, li, td, dd, legend, label) { width: 1px !important; }";
  document.head.append(style);
  const parted = [];
  for (const formula of document.querySelectorAll(".bd-article math:not([display], .attn-set *)")) {
    const next = textAfter(formula);
    if (!next || !signs.test(next.data)) continue;
    const [sign, box] = [boxOfFirstLetter(next), formula.getBoundingClientRect()];
    const together = sign.top < box.bottom && sign.bottom > box.top;
    if (sign.width && !together) {
      parted.push(formula.parentElement.outerHTML + JSON.stringify([sign, box]));
    }
  }
  style.remove();
  return parted;
}

/** A slider of 0 to 1 beside a figure's own, that tells where it was pressed. */
export function addProbeSlider() {
  const range = document.querySelector(".attn-widget input[type=range]");
  const probe = range.cloneNode();
  Object.assign(probe, { id: "probe", min: 0, max: 1, step: "any", value: 1 });
  probe.addEventListener("pointerdown", (event) => {
    probe.dataset.x = event.clientX;
  });
  range.after(probe);
}

/** A press puts the thumb's middle there, and the thumb never leaves the slider: hence its width. */
export function thumbWidth() {
  const probe = document.querySelector("#probe");
  const { left, width } = probe.getBoundingClientRect();
  const [x, value] = [Number(probe.dataset.x) - left, probe.valueAsNumber];
  probe.remove();
  return (x - value * width) / (0.5 - value);
}

function describeCutBox(box) {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = box;
  const width = `${scrollWidth} of ${clientWidth} wide`;
  return `${box.className} is ${width}, ${scrollHeight} of ${clientHeight} high`;
}

/** Boxes of a figure that scroll, or cut what they hold. */
function cutBoxesNow(root) {
  return [...root.querySelectorAll("*")]
    .filter((box) => /auto|scroll|hidden/.test(getComputedStyle(box).overflow))
    .filter((box) => box.clientWidth > 1)
    .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    .map(describeCutBox);
}

/** All buttons; of those that come in dozens, as the 72 heads of a model do, twelve. */
function differentButtons(root, most = 12) {
  const kinds = {};
  for (const button of root.querySelectorAll("button")) {
    kinds[button.className] ??= [];
    kinds[button.className].push(button);
  }
  return Object.values(kinds).flatMap((alike) =>
    alike.filter((_, at) => at % Math.ceil(alike.length / most) === 0),
  );
}

/** As the figure opens, and after its buttons. */
export async function cutBoxes(figure) {
  const root = figureAt(figure);
  const found = cutBoxesNow(root).map((box) => `as it opens: ${box}`);
  for (const button of differentButtons(root)) {
    button.click();
    await frame();
    found.push(...cutBoxesNow(root).map((box) => `${button.textContent}: ${box}`));
  }
  return found;
}
