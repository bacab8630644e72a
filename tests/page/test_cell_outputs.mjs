/** Show an output of a run at the end of the page's text, and mark it. */
export async function showSvg([root, output]) {
  const { svgElement } = await import(`${root}_static/cells/svg-output.mjs`);
  const shown = document.createElement("div");
  shown.id = "shown";
  shown.append(svgElement(output));
  document.getElementById("shown")?.remove();
  document.querySelector("article").append(shown);
}

/** The built plot of the page, as its text. */
export function builtSvg(figure) {
  const text = (kind) => figure.querySelector(`svg${kind}`)?.outerHTML;
  const two = figure.classList.contains("attn-two");
  return {
    svg: text(two ? ".attn-for-desk" : ""),
    narrow: two ? text(".attn-for-phone") : undefined,
    alt: figure.querySelector("svg").getAttribute("aria-label"),
  };
}

/** How each drawn element of a plot looks: its shape, its paint, its words. */
export function looks(figure) {
  const names = ["fill", "stroke", "strokeWidth", "strokeDasharray", "strokeLinejoin", "opacity"];
  names.push("fontSize", "fontFamily", "fontStyle", "textAnchor", "maxWidth");
  const drawn = [...figure.querySelectorAll("svg, path, use, text, tspan, rect, image")];
  return drawn.map((element) => {
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return [
      element.tagName,
      element.getAttribute("d")?.replace(/\s+/g, " ").trim(),
      element.children.length ? "" : element.textContent,
      getComputedStyle(element).clipPath !== "none",
      Math.round(width),
      Math.round(height),
      ...names.map((name) => style[name]),
    ];
  });
}

/** Of a plot: ids that something else of the page has too, and references that lead nowhere. */
export function brokenReferences(figure) {
  const ids = [...figure.querySelectorAll("[id]")].map(({ id }) => id);
  const twice = ids.filter((id) => document.querySelectorAll(`[id="${id}"]`).length > 1);
  const named = [...figure.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].flatMap(({ value }) =>
      [...value.matchAll(/(?:url\("?|^)#([\w.:-]+)/g)].map(([, id]) => id),
    ),
  );
  const lost = named.filter((id) => !figure.querySelector(`[id="${id}"]`));
  return { twice, lost, count: named.length };
}

/** Every element and attribute of what is shown, in one list. */
export function inventory(shown) {
  const elements = [...shown.querySelectorAll("svg, svg *")];
  return elements.flatMap(({ tagName, attributes }) => [
    tagName,
    ...[...attributes].map(({ name, value }) => `${name}=${value}`),
  ]);
}

/** Mount a figure in the output of the page's first cell that shows one of its kind. */
export async function mount([root, output]) {
  const { mountFigure } = await import(`${root}_static/cells/figure-output.mjs`);
  const shown = document.createElement("div");
  shown.id = "shown";
  const name = output.state._anywidget_id.split(".").pop();
  const built = document.querySelector(`.attn-widget[data-widget="${name}"]`);
  (built?.closest(".cell_output") ?? document.querySelector("article")).append(shown);
  window.takeAway = await mountFigure(shown, output);
}

/** Put a built plot of the page through the same way as a run's; who asks need not wait. */
export function showAgain(selector) {
  const root = new URL("../", location.href).href;
  showSvg([root, builtSvg(document.querySelector(selector))]);
}

/** How the elements of a plot look. */
export function looksOf(selector) {
  return looks(document.querySelector(selector));
}
