// The frame of a figure and its native controls. Each builder appends to its parent and returns
// what the caller needs to update it; colours and sizes are in kit.css.

const SVG = "http://www.w3.org/2000/svg";

function dress(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "style")
      for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else if (value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

export const html = (tag, props = {}, ...children) =>
  dress(document.createElement(tag), props, children);
export const svg = (tag, props = {}, ...children) =>
  dress(document.createElementNS(SVG, tag), props, children);

let serial = 0;
export const uniqueId = (stem) => `attn-${stem}-${++serial}`;

// The card of one figure: title, one line of instruction, stage, controls, the state in words.
export function frame(el, { name, title, lead, reset }) {
  const id = uniqueId("title");
  const stage = html("div", { class: "attn-stage" });
  const controls = html("div", { class: "attn-controls" });
  const output = html("output", { class: "attn-words" });
  const again = html("button", {
    type: "button",
    class: "attn-button attn-reset",
    text: "Reset",
    onclick: reset,
  });
  const root = html(
    "div",
    { class: "attn-widget", "data-widget": name, role: "group", "aria-labelledby": id },
    html("div", { class: "attn-head" }, html("p", { class: "attn-title", id, text: title }), again),
    ...(lead ? [html("p", { class: "attn-lead", text: lead })] : []),
    stage,
    controls,
    output,
  );
  // JupyterLab otherwise takes the arrow keys from a focused slider to move among cells.
  root.addEventListener("focusin", ({ target }) =>
    target.setAttribute("data-lm-suppress-shortcuts", "true"),
  );
  el.append(root);
  return { root, stage, controls, say: (...parts) => output.replaceChildren(...parts) };
}

// The filled part of a track in per cent: from zero, where the slider has one, to the value.
export function span(value, min, max) {
  const at = (x) => (100 * (x - min)) / (max - min);
  const zero = at(Math.min(max, Math.max(min, 0)));
  return [Math.min(zero, at(value)), Math.max(zero, at(value))];
}

// role: which role's colour the control wears ("query", "weight", ...).
export function slider(parent, { label, min, max, step, role, format = String, input }) {
  const id = uniqueId("slider");
  const shown = html("span", { class: "attn-reading", "aria-hidden": "true" });
  const range = html("input", {
    type: "range",
    id,
    min,
    max,
    step,
    oninput: () => input(range.valueAsNumber),
  });
  parent.append(
    html(
      "div",
      { class: "attn-control", "data-role": role },
      html("label", { for: id, text: label }),
      shown,
      range,
    ),
  );
  return (value) => {
    range.value = value;
    range.setAttribute("aria-valuetext", format(value));
    const [from, to] = span(value, min, max);
    range.style.setProperty("--from", `${from}%`);
    range.style.setProperty("--to", `${to}%`);
    shown.textContent = format(value);
  };
}

// options: [[value, words], ...].
export function select(parent, { label, options, change }) {
  const id = uniqueId("select");
  const box = html(
    "select",
    { id, onchange: () => change(box.value) },
    ...options.map(([value, words]) => html("option", { value, text: words })),
  );
  parent.append(
    html("div", { class: "attn-control" }, html("label", { for: id, text: label }), box),
  );
  return (value) => {
    box.value = value;
  };
}

export function checkbox(parent, { label, change }) {
  const box = html("input", { type: "checkbox", onchange: () => change(box.checked) });
  parent.append(
    html("label", { class: "attn-control attn-check" }, box, html("span", { text: label })),
  );
  return (value) => {
    box.checked = value;
  };
}

export function button(parent, { label, click }) {
  const node = html("button", {
    type: "button",
    class: "attn-button",
    text: label,
    onclick: click,
  });
  parent.append(node);
  return node;
}

// A row of panels, one shown. Arrow keys move between the tabs, as the ARIA pattern asks.
export function tabs(parent, { label, names, change }) {
  const buttons = names.map((name, i) =>
    html("button", {
      type: "button",
      role: "tab",
      class: "attn-tab",
      id: uniqueId("tab"),
      text: name,
      onclick: () => change(i),
    }),
  );
  const panels = buttons.map((b) =>
    html("div", { role: "tabpanel", class: "attn-panel", "aria-labelledby": b.id }),
  );
  const step = { ArrowRight: 1, ArrowLeft: -1 };
  const onkeydown = (event) => {
    if (!(event.key in step)) return;
    event.preventDefault();
    const next = (buttons.indexOf(event.target) + step[event.key] + names.length) % names.length;
    change(next);
    buttons[next].focus();
  };
  parent.append(
    html(
      "div",
      { role: "tablist", class: "attn-tabs", "aria-label": label, onkeydown },
      ...buttons,
    ),
    ...panels,
  );
  const show = (index) =>
    buttons.forEach((b, i) => {
      b.setAttribute("aria-selected", i === index);
      b.tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
  return { panels, show };
}

// Back and next through `count` named steps.
export function stepper(parent, { label, names, change }) {
  let at = 0;
  const back = html("button", {
    type: "button",
    class: "attn-button",
    text: "Back",
    onclick: () => change(at - 1),
  });
  const next = html("button", {
    type: "button",
    class: "attn-button",
    text: "Next",
    onclick: () => change(at + 1),
  });
  const where = html("span", { class: "attn-step" });
  parent.append(
    html("div", { class: "attn-stepper", role: "group", "aria-label": label }, back, where, next),
  );
  return (index) => {
    at = index;
    back.disabled = index === 0;
    next.disabled = index === names.length - 1;
    where.textContent = `Step ${index + 1} of ${names.length}: ${names[index]}`;
  };
}

// A formula with its numbers: parts are strings or ["role", "text"].
export function formula(parts) {
  return html(
    "p",
    { class: "attn-formula" },
    ...parts.map((part) =>
      typeof part === "string" ? part : html("span", { class: `attn-${part[0]}`, text: part[1] }),
    ),
  );
}

// A box that may scroll sideways inside a narrow page, and can be reached to do so by keyboard.
export function scrollBox(parent, label) {
  const box = html("div", {
    class: "attn-scroll",
    tabindex: "0",
    role: "group",
    "aria-label": label,
  });
  parent.append(box);
  return box;
}

// Write several traits at once, then sync.
export function update(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}

// Call draw when any of the named traits changes; the result stops it.
export function watch(model, names, draw) {
  names.forEach((name) => model.on(`change:${name}`, draw));
  return () => names.forEach((name) => model.off(`change:${name}`, draw));
}

export const read = (model, names) =>
  Object.fromEntries(names.map((name) => [name, model.get(name)]));
