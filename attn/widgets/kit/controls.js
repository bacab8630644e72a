// Native controls with their labels. Each appends to its parent and returns a function that shows
// a value, with its element as `node`; colours and sizes are in style.css.

import { add, html, uniqueId } from "./elements.js";

/** @import { Child } from "./elements.js" */

// The filled part of a track in per cent: from zero, where the slider has one, to the value.
/** @type {(value: number, min: number, max: number) => [number, number]} */
export function span(value, min, max) {
  /** @type {(x: number) => number} */
  const at = (x) => (max > min ? (100 * (x - min)) / (max - min) : 0);
  const zero = at(Math.min(max, Math.max(min, 0)));
  return [Math.min(zero, at(value)), Math.max(zero, at(value))];
}

// role: which role's colour the control wears ("query", "weight", ...); label: a text, or nodes.
/**
 * @typedef {object} SliderOptions
 * @property {Child | Child[]} label
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {string} [role]
 * @property {(value: number) => string} [format]
 * @property {(value: number) => void} input
 * @param {Element} parent
 * @param {SliderOptions} options
 */
export function slider(parent, { label, min, max, step, role, format = String, input }) {
  const id = uniqueId("slider");
  const shown = html("span", { class: "attn-reading", "aria-hidden": "true" });
  const oninput = () => input(range.valueAsNumber);
  const range = html("input", { type: "range", id, min, max, step, oninput });
  const name = html("label", { for: id }, ...[label].flat());
  const node = html("div", { class: "attn-control", "data-role": role }, name, shown, range);
  parent.append(node);
  const show = (/** @type {number} */ value) => {
    range.value = String(value);
    range.setAttribute("aria-valuetext", format(value));
    const [from, to] = span(value, min, max);
    range.style.setProperty("--from", `${from}%`);
    range.style.setProperty("--to", `${to}%`);
    shown.textContent = format(value);
  };
  return Object.assign(show, { node });
}

// options: [[value, words], ...].
/**
 * @typedef {{ label: string, options: [any, string][], change: (value: string) => void }} SelectOptions
 * @param {Element} parent
 * @param {SelectOptions} options
 */
export function select(parent, { label, options, change }) {
  const id = uniqueId("select");
  const choices = options.map(([value, text]) => html("option", { value, text }));
  /** @type {HTMLSelectElement} */
  const box = html("select", { id, onchange: () => change(box.value) }, ...choices);
  const name = html("label", { for: id, text: label });
  const node = add(parent, html("div", { class: "attn-control" }, name, box));
  const show = (/** @type {string} */ value) => {
    box.value = value;
  };
  return Object.assign(show, { node });
}

/**
 * @param {Element} parent
 * @param {{ label: string, change: (value: boolean) => void }} options
 */
export function checkbox(parent, { label, change }) {
  /** @type {HTMLInputElement} */
  const box = html("input", { type: "checkbox", onchange: () => change(box.checked) });
  const text = html("span", { text: label });
  const node = add(parent, html("label", { class: "attn-control attn-check" }, box, text));
  const show = (/** @type {boolean} */ value) => {
    box.checked = value;
  };
  return Object.assign(show, { node });
}

/**
 * @typedef {{ label: string, click?: () => void, kind?: string }} ButtonOptions
 * @type {(parent: Element, options: ButtonOptions) => HTMLButtonElement}
 */
export const button = (parent, { label, click, kind = "" }) =>
  add(
    parent,
    html("button", { type: "button", class: `attn-button ${kind}`, text: label, onclick: click }),
  );

// A row of panels, one shown. Arrow keys move between the tabs, as the ARIA pattern asks.
/**
 * @typedef {{ label: string, names: string[], change: (index: number) => void }} StepOptions
 * @param {Element} parent
 * @param {StepOptions} options
 */
export function tabs(parent, { label, names, change }) {
  const buttons = names.map((name, i) => tab(name, () => change(i)));
  const panels = buttons.map(({ id }) =>
    html("div", { role: "tabpanel", class: "attn-panel", "aria-labelledby": id }),
  );
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (!way) return;
    event.preventDefault();
    const tabbed = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const next = (tabbed + way + names.length) % names.length;
    change(next);
    buttons[next].focus();
  };
  const row = { role: "tablist", class: "attn-tabs", "aria-label": label, onkeydown };
  parent.append(html("div", row, ...buttons), ...panels);
  const show = (/** @type {number} */ index) =>
    buttons.forEach((node, i) => {
      node.setAttribute("aria-selected", String(i === index));
      node.tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
  return Object.assign(show, { panels });
}

/** @type {(text: string, onclick: () => void) => HTMLButtonElement} */
const tab = (text, onclick) =>
  html("button", {
    type: "button",
    role: "tab",
    class: "attn-tab",
    id: uniqueId("tab"),
    text,
    onclick,
  });

// Back and next through named steps.
/** @type {(parent: Element, options: StepOptions) => (index: number) => void} */
export function stepper(parent, { label, names, change }) {
  let at = 0;
  const row = add(
    parent,
    html("div", { class: "attn-stepper", role: "group", "aria-label": label }),
  );
  const back = button(row, { label: "Back", click: () => change(at - 1) });
  const where = add(row, html("span", { class: "attn-step" }));
  const next = button(row, { label: "Next", click: () => change(at + 1) });
  return (index) => {
    at = index;
    back.disabled = index === 0;
    next.disabled = index === names.length - 1;
    where.textContent = `Step ${index + 1} of ${names.length}: ${names[index]}`;
  };
}
