/**
 * Plots that a run drew, as elements of the page. Their text comes from code that anyone may have
 * written: it is read apart from the page and built anew from what is listed here.
 */
import { html } from "../attn/kit/elements.js";

/**
 * A plot, perhaps with another drawing for a phone; or several, each below its name.
 * @typedef {{svg: string, alt: string, narrow?: string}} Drawing
 * @typedef {{side_by_side: (Drawing & {name: string})[]}} SideBySide
 */

const SVG = "http://www.w3.org/2000/svg";
const LARGEST = 5e6; // characters: more of them would hold up the page
const MOST_WORK = 1e7; // the same, but a part counts each time it is drawn, and its element for EACH
const EACH = 100;
const DEEPEST = 100; // parts in parts: browsers draw by recursion
const TEXTS = ["text", "tspan", "title", "desc"];
const ELEMENTS = new Set([
  ..."svg g defs symbol use path line polyline polygon rect circle ellipse image".split(" "),
  ..."clipPath pattern linearGradient radialGradient stop".split(" "),
  ...TEXTS,
]);
const PAINT = [
  ..."fill fill-opacity fill-rule opacity stroke stroke-dasharray stroke-dashoffset".split(" "),
  ..."stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width".split(" "),
  ..."clip-path clip-rule stop-color stop-opacity mix-blend-mode image-rendering".split(" "),
  ..."font-size font-style font-weight font-variant font-stretch text-anchor".split(" "),
];
const PLACE = [
  ..."id d x y dx dy x1 x2 y1 y2 cx cy r rx ry points width height offset".split(" "),
  ..."transform viewBox preserveAspectRatio clipPathUnits rotate".split(" "),
  ..."patternUnits patternContentUnits patternTransform gradientUnits gradientTransform".split(" "),
];
const ATTRIBUTES = new Set([...PAINT, ...PLACE]);
const PROPERTIES = new Set([...PAINT, "width", "max-width", "height"]);
// What a value may call: anything else might ask another host for something.
const FUNCTIONS = new Set(
  "var color-mix rgb rgba hsl hsla calc matrix translate scale rotate skewX skewY".split(" "),
);
const NAME = /^#([\w.:-]+)$/;
const REFERENCE = /(?:^|url\(["']?)#([\w.:-]+)/g;
const LOCAL = /^url\(\s*["']?#([\w.:-]+)["']?\s*\)$/;
const PIXELS = /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/;
// As attn/plot/picture.py has it: of two drawings, the one for its box is there.
export const EITHER =
  ".attn-two { container-type: inline-size; } " +
  "@container (width < 480px) { .attn-for-desk { display: none !important; } } " +
  "@container (width >= 480px) { .attn-for-phone { display: none !important; } }";

let serial = 0;

/**
 * The plot as the book shows plots; a sentence instead, if it cannot be shown.
 * @param {Drawing|SideBySide} output
 * @returns {HTMLElement}
 */
export function svgElement(output) {
  try {
    return "side_by_side" in output ? sideBySide(output) : figure(output);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    return html("p", { role: "alert", text: `This plot cannot be shown: ${reason}.` });
  }
}

/** @param {SideBySide} output */
function sideBySide({ side_by_side }) {
  const style = { display: "flex", "flex-wrap": "wrap", gap: "0 1.5rem" };
  const column = { flex: "1 1 17rem", "min-width": "0" };
  const columns = side_by_side.map(({ name, ...drawing }) =>
    html("div", { style: column }, html("p", {}, html("strong", { text: name })), figure(drawing)),
  );
  return html("div", { class: "attn-side-by-side", style }, ...columns);
}

/** @param {Drawing} drawing */
function figure({ svg, alt, narrow }) {
  if (narrow === undefined) return html("figure", { class: "attn-figure" }, drawn(svg, alt));
  const [desk, phone] = [drawn(svg, alt), drawn(narrow, alt)];
  desk.classList.add("attn-for-desk");
  phone.classList.add("attn-for-phone");
  const rules = html("style", { text: EITHER });
  return html("figure", { class: "attn-figure attn-two" }, rules, desk, phone);
}

/**
 * @param {string} text
 * @param {string} alt
 */
function drawn(text, alt) {
  if (text.length > LARGEST)
    throw new Error(`it has ${(text.length / 1e6).toFixed(1)} MB, and a page takes 5`);
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  if (documentElement.localName !== "svg" || documentElement.querySelector("parsererror"))
    throw new Error("it is not SVG");
  const root = /** @type {SVGElement} */ (rebuilt(documentElement, `attn-plot-${++serial}-`));
  requireDrawable(root);
  // What matplotlib says of all elements in a style sheet, which would be one for the whole page.
  root.style.setProperty("stroke-linejoin", "round");
  root.style.setProperty("stroke-linecap", "butt");
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", alt);
  return root;
}

/**
 * A few lines can ask for billions of shapes, by parts that show parts that show parts.
 * @param {SVGElement} root  whose references are all to its own parts
 */
function requireDrawable(root) {
  const named = [...root.querySelectorAll("[id]")].reverse(); // of two, the first is meant
  const parts = new Map(named.map((part) => [part.id, part]));
  /** What is known of a part; a part within itself is not drawn. @type {Map<Element, {work: number, depth: number}>} */
  const known = new Map();
  /** @type {(element: Element, level: number) => {work: number, depth: number}} */
  const measure = (element, level) => {
    const before = known.get(element);
    if (level + (before?.depth ?? 0) > DEEPEST) throw new Error("its parts are nested too deeply");
    if (before) return before;
    const size = { work: EACH, depth: 0 };
    known.set(element, { work: 0, depth: 0 });
    const shown = [...element.children];
    for (const { value } of element.attributes) {
      size.work += value.length;
      for (const [, name] of value.matchAll(REFERENCE))
        shown.push(...[parts.get(name) ?? []].flat());
    }
    for (const part of shown) {
      const { work, depth } = measure(part, level + 1);
      size.work += work;
      size.depth = Math.max(size.depth, depth + 1);
    }
    if (size.work > MOST_WORK) throw new Error("it draws more than a page can");
    known.set(element, size);
    return size;
  };
  measure(root, 0);
}

/**
 * The same element with what is listed, its ids and references to them prefixed; null if it is none
 * of those listed.
 * @param {Element} from
 * @param {string} prefix
 * @returns {SVGElement|null}
 */
function rebuilt(from, prefix) {
  const tag = from.localName === "a" ? "g" : from.localName; // a link's drawing without the link
  if (from.namespaceURI !== SVG || !ELEMENTS.has(tag)) return null;
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const { localName, value } of from.attributes) {
    if (localName === "style") copyStyle(/** @type {SVGElement} */ (from), element, prefix);
    else if (localName === "href") setReference(element, value, prefix);
    else if (localName === "id") element.id = prefix + value;
    else if (ATTRIBUTES.has(localName)) {
      const safe = safeValue(value, prefix);
      if (safe !== null) element.setAttribute(localName, safe);
    }
  }
  for (const child of from.childNodes) {
    if (child instanceof Element) {
      const copy = rebuilt(child, prefix);
      if (copy) element.append(copy);
    } else if (child instanceof Text && TEXTS.includes(tag)) element.append(child.data);
  }
  return element;
}

/**
 * @param {SVGElement} from
 * @param {SVGElement} to
 * @param {string} prefix
 */
function copyStyle(from, to, prefix) {
  for (const name of from.style) {
    const value = PROPERTIES.has(name)
      ? safeValue(from.style.getPropertyValue(name), prefix)
      : null;
    if (value !== null) to.style.setProperty(name, value);
  }
}

/**
 * A drawing may show its own parts again, and pictures that it holds itself.
 * @param {SVGElement} element
 * @param {string} target
 * @param {string} prefix
 */
function setReference(element, target, prefix) {
  const name = target.match(NAME)?.[1];
  if (name) element.setAttribute("href", `#${prefix}${name}`);
  else if (element.localName === "image" && PIXELS.test(target))
    element.setAttribute("href", target);
}

/**
 * A value that asks nobody for anything, or null. What it names is part of the same drawing.
 * @param {string} value
 * @param {string} prefix
 */
function safeValue(value, prefix) {
  const local = value.trim().match(LOCAL);
  if (local) return `url("#${prefix}${local[1]}")`;
  const called = [...value.matchAll(/([\w-]*)\s*\(/g)].map(([, name]) => name);
  return value.includes("\\") || !called.every((name) => FUNCTIONS.has(name)) ? null : value;
}
