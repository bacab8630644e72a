// What the links that set a figure do to a page, and how they look.

/** Note what the figure says, and whether it is on its way, in window.heard. */
export function listen() {
  const words = document.querySelector('.attn-widget[data-widget="SoftLookup"] output');
  window.heard = [];
  const note = () => window.heard.push([words.textContent, words.ariaBusy]);
  new MutationObserver(note).observe(words, { childList: true });
}

/** The type of a button and of the text around it, and what marks it as a button. */
export function styleOf(button) {
  const type = (node) => {
    const { color, fontSize, fontWeight, lineHeight } = getComputedStyle(node);
    return { color, fontSize, fontWeight, lineHeight };
  };
  const { textDecorationLine, backgroundColor, borderTopWidth } = getComputedStyle(button);
  const marks = [textDecorationLine, backgroundColor, borderTopWidth];
  return { own: type(button), around: type(button.parentElement), marks };
}

export function isInView(figure) {
  const { top, bottom } = figure.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** The changes that a link asks of a figure, by the page's own script. */
export async function changesAsked([script, state, asked]) {
  const { changesOf } = await import(script);
  return changesOf({ get: (name) => state[name] }, asked);
}

/** Let the end of a scroll be heard that was under way before the click. */
export function endAnEarlierScroll() {
  addEventListener("click", () => dispatchEvent(new Event("scrollend")), { once: true });
}

/** The words of links whose comma or full stop stands on the next line. */
export function partedFromSign(links) {
  return links
    .filter((link) => {
      const next = link.nextSibling;
      if (next?.nodeType !== Node.TEXT_NODE || !/^[,.;:!?)]/.test(next.data)) return false;
      const range = document.createRange();
      range.setStart(next, 0);
      range.setEnd(next, 1);
      const last = [...link.getClientRects()].at(-1);
      return range.getBoundingClientRect().top >= last.bottom;
    })
    .map((link) => link.textContent);
}

/** Follow a fragment on the open page, and give a figure the frames in which it would draw. */
export async function writeAddress(fragment) {
  location.hash = `#${fragment}`;
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
}
