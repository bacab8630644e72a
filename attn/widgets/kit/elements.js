// Elements of a page, made in one expression, and the few shapes of text that figures share.

const SVG = "http://www.w3.org/2000/svg";

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

function setStyle(node, rules) {
  for (const [name, value] of Object.entries(rules)) node.style.setProperty(name, value);
}

export const html = (tag, props = {}, ...children) =>
  dress(document.createElement(tag), props, children);

export const svg = (tag, props = {}, ...children) =>
  dress(document.createElementNS(SVG, tag), props, children);

// An element appended to `parent`, and given back.
export function add(parent, node) {
  parent.append(node);
  return node;
}

let serial = 0;
export const uniqueId = (stem) => `attn-${stem}-${++serial}`;

// A part of a figure under a title of its own.
export const titled = (title, ...parts) =>
  html("div", { class: "attn-titled" }, html("p", { text: title }), ...parts);

// A formula with its numbers: parts are strings or ["role", "text"].
export function formula(parts) {
  const span = ([role, text]) => html("span", { class: `attn-${role}`, text });
  return html(
    "p",
    { class: "attn-formula" },
    ...parts.map((part) => (typeof part === "string" ? part : span(part))),
  );
}

// A box that may scroll sideways inside a narrow page, and can be reached to do so by keyboard.
export const scrollBox = (parent, label) =>
  add(
    parent,
    html("div", { class: "attn-scroll", tabindex: "0", role: "group", "aria-label": label }),
  );
