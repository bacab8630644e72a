// What all figures repeat, once: the card with its title, controls bound to traits, Reset, the
// state in words, and one drawing for each change. A figure adds its arithmetic, its drawing and
// its sentence; ranges, choices and names come from Python in the trait `_spec`.

import * as controls from "./controls.js";
import { add, html, uniqueId } from "./elements.js";

/**
 * The default export of a figure's module.
 * - name: its Python class; title and lead: strings, or functions of the author's state
 * - compute(state): its arithmetic
 * - build(page, state): makes the drawing and the controls; returns draw(state, result)
 * - words(state, result): the state in words and numbers
 * - rebuildKey(state): what the drawing is built for; when it changes, it is built anew
 * - tall: true if the stage is taller than a phone; there the controls stand over it
 * A state holds every trait of the figure by its name, and `spec`.
 */
export function figure(definition) {
  const { name, title, lead, compute, build, words, rebuildKey = () => null, tall } = definition;
  const render = ({ model, el }) => {
    const authored = read(model);
    const text = (part) => (typeof part === "function" ? part(authored) : part);
    const card = frame(el, { name, title: text(title), lead: text(lead), tall });
    card.reset.addEventListener("click", () => update(model, traitsOf(authored)));
    let [builtFor, page, draw] = [];
    const drawAll = () => {
      const state = read(model);
      const result = compute(state);
      const key = JSON.stringify(rebuildKey(state));
      if (key !== builtFor) {
        [builtFor, page] = [key, boundPage(model, cleared(card))];
        draw = build(page, state);
      }
      page.show(state);
      draw(state, result);
      card.output.replaceChildren(words(state, result));
    };
    const stop = watch(model, authored.spec.traits, drawAll);
    drawAll();
    return () => {
      stop();
      card.root.remove();
    };
  };
  return { render };
}

// Every trait of the figure by its name, and what Python says of them.
export function read(model) {
  const spec = model.get("_spec");
  return { ...Object.fromEntries(spec.traits.map((name) => [name, model.get(name)])), spec };
}

const traitsOf = ({ spec: _, ...traits }) => traits;

// Write several traits at once, then sync.
export function update(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}

// Call draw once for all changes of one moment, when the last is made; the result stops it.
export function watch(model, names, draw) {
  let waiting = false;
  let stopped = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      if (!stopped) draw();
    });
  };
  for (const name of names) model.on(`change:${name}`, later);
  return () => {
    stopped = true;
    for (const name of names) model.off(`change:${name}`, later);
  };
}

function frame(el, { name, title, lead, tall }) {
  const id = uniqueId("title");
  const attributes = { "data-widget": name, role: "group", "aria-labelledby": id };
  const root = add(el, html("div", { class: "attn-widget", "data-tall": tall, ...attributes }));
  const head = add(root, html("div", { class: "attn-head" }));
  add(head, html("p", { class: "attn-title", id, text: title }));
  const reset = controls.button(head, { label: "Reset", kind: "attn-reset" });
  if (lead) add(root, html("p", { class: "attn-lead", text: lead }));
  const stage = add(root, html("div", { class: "attn-stage" }));
  const panel = add(root, html("div", { class: "attn-controls" }));
  const output = add(root, html("output", { class: "attn-words" }));
  // JupyterLab otherwise takes the arrow keys from a focused slider to move among cells.
  root.addEventListener("focusin", ({ target }) =>
    target.setAttribute("data-lm-suppress-shortcuts", "true"),
  );
  return { root, reset, stage, panel, output };
}

function cleared(card) {
  card.stage.className = "attn-stage";
  for (const node of [card.stage, card.panel]) node.replaceChildren();
  return card;
}

// One entry of nested lists, and the lists with another value in its place.
export const entry = (lists, [i, ...rest]) => (i === undefined ? lists : entry(lists[i], rest));
export const replaced = (lists, [i, ...rest], value) =>
  i === undefined ? value : lists.map((old, k) => (k === i ? replaced(old, rest, value) : old));

// How a slider counts: by the trait's own numbers, or, where those are powers, by exponents.
export const counting = (base) =>
  base === undefined
    ? [(x) => x, (x) => x]
    : [(x) => Math.round(Math.log(x) / Math.log(base)), (x) => base ** x];

// The page as a figure sees it: places to draw in, and controls that read and write their trait,
// or, with `at`, one entry of it: its indices, or a function of the state that gives them. Where a
// change is another than that, value(state) is what the control shows and changes(value, state)
// what it changes. Each control gives back its element.
function boundPage(model, { stage, panel }) {
  const ranges = model.get("_spec").controls;
  const shown = [];
  const change = (changes) => update(model, changes);
  // make(write) puts a control on the page and returns what shows a value in it.
  const bind = (name, { at = [], ...own }, make) => {
    const where = typeof at === "function" ? at : () => at;
    const value = own.value ?? ((state) => entry(state[name], where(state)));
    const changes =
      own.changes ?? ((x, state) => ({ [name]: replaced(state[name], where(state), x) }));
    const show = make((x) => change(changes(x, read(model))));
    shown.push((state) => show(value(state)));
    return show;
  };
  return {
    ...{ stage, panel, change },
    state: () => read(model),
    get: (name) => model.get(name),
    show: (state) => shown.forEach((show) => show(state)),
    slider: (name, { parent = panel, format = String, ...options }) =>
      bind(name, options, (write) => {
        const { base, ...range } = { ...ranges[name], ...options };
        const [seen, meant] = counting(base);
        const show = controls.slider(parent, {
          ...range,
          min: seen(range.min),
          max: seen(range.max),
          format: (x) => format(meant(x)),
          input: (x) => write(meant(x)),
        });
        return Object.assign((x) => show(seen(x)), { node: show.node });
      }).node,
    select: (name, { parent = panel, options = ranges[name], ...rest }) =>
      bind(name, rest, (write) => controls.select(parent, { options, ...rest, change: write }))
        .node,
    checkbox: (name, { parent = panel, ...rest }) =>
      bind(name, rest, (write) => controls.checkbox(parent, { ...rest, change: write })).node,
    stepper: (name, { parent, label }) =>
      bind(name, {}, (write) => {
        const names = ranges[name];
        return controls.stepper(parent, { label, names, change: write });
      }),
    tabs: (name, { parent, label }) =>
      bind(name, {}, (write) => {
        const names = ranges[name];
        return controls.tabs(parent, { label, names, change: write });
      }).panels,
    button: (label, click, parent = panel) => controls.button(parent, { label, click }),
  };
}
