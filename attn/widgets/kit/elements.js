// Elements of a page, made in one expression, and the few shapes of text that figures share.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Attributes by name; `text` is its text, `style` its style by property, `on…` a listener.
 * @typedef {Record<string, any>} Attributes
 * @typedef {string | Node} Child
 */

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} node
 * @param {Attributes} props
 * @param {Child[]} children
 */
function dress(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "style") setStyle(node, value);
    else if (value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** @type {(node: HTMLElement | SVGElement, rules: Record<string, string>) => void} */
function setStyle(node, rules) {
  for (const [name, value] of Object.entries(rules)) node.style.setProperty(name, value);
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} props
 * @param {Child[]} children
 */
export const html = (tag, props = {}, ...children) =>
  dress(document.createElement(tag), props, children);

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} props
 * @param {Child[]} children
 */
export const svg = (tag, props = {}, ...children) =>
  dress(document.createElementNS(SVG, tag), props, children);

// An element appended to `parent`, and given back.
/** @type {<N extends Node>(parent: Element, node: N) => N} */
export function add(parent, node) {
  parent.append(node);
  return node;
}

let serial = 0;
/** @type {(stem: string) => string} */
export const uniqueId = (stem) => `attn-${stem}-${++serial}`;

// A part of a figure under a title of its own.
/** @type {(title: string, ...parts: Child[]) => HTMLDivElement} */
export const titled = (title, ...parts) =>
  html("div", { class: "attn-titled" }, html("p", { text: title }), ...parts);

// A formula with its numbers: parts are strings or ["role", "text"].
/** @type {(parts: (string | [string, string])[]) => HTMLParagraphElement} */
export function formula(parts) {
  /** @type {(part: [string, string]) => HTMLSpanElement} */
  const span = ([role, text]) => html("span", { class: `attn-${role}`, text });
  return html(
    "p",
    { class: "attn-formula" },
    ...parts.map((part) => (typeof part === "string" ? part : span(part))),
  );
}

// A box that may scroll sideways inside a narrow page, and can be reached to do so by keyboard.
/** @type {(parent: Element, label: string) => HTMLDivElement} */
export const scrollBox = (parent, label) =>
  add(
    parent,
    html("div", { class: "attn-scroll", tabindex: "0", role: "group", "aria-label": label }),
  );
