// What all figures repeat, once: the card with its title, controls bound to traits, Reset, the
// state in words, and one drawing for each change. A figure adds its arithmetic, its drawing and
// its sentence; ranges, choices and names come from Python in the trait `_facts`.

import * as controls from "./controls.js";
import { add, html, uniqueId } from "./elements.js";

const same = (x) => x;

/**
 * The default export of a figure's module.
 * - name: its Python class; title and lead: strings, or functions of the author's state
 * - compute(state): its arithmetic
 * - build(page, state): makes the drawing and the controls; returns draw(state, made)
 * - words(state, made): the state in words and numbers
 * - standing(state): what the drawing is built for; when it changes, it is built anew
 * A state holds every trait of the figure by its name, and `facts`.
 */
export function figure({ name, title, lead, compute, build, words, standing = () => null }) {
  const render = ({ model, el }) => {
    const authored = read(model);
    const text = (part) => (typeof part === "function" ? part(authored) : part);
    const card = frame(el, { name, title: text(title), lead: text(lead) });
    card.again.addEventListener("click", () => update(model, traitsOf(authored)));
    let [built, page, draw] = [];
    const all = () => {
      const state = read(model);
      const made = compute(state);
      const now = JSON.stringify(standing(state));
      if (now !== built) {
        [built, page] = [now, bound(model, emptied(card))];
        draw = build(page, state);
      }
      page.show(state);
      draw(state, made);
      card.output.replaceChildren(words(state, made));
    };
    const stop = watch(model, authored.facts.traits, all);
    all();
    return () => {
      stop();
      card.root.remove();
    };
  };
  return { render };
}

// Every trait of the figure by its name, and what Python tells of them.
export function read(model) {
  const facts = model.get("_facts");
  return { ...Object.fromEntries(facts.traits.map((name) => [name, model.get(name)])), facts };
}

const traitsOf = ({ facts: _, ...traits }) => traits;

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

function frame(el, { name, title, lead }) {
  const id = uniqueId("title");
  const attributes = { "data-widget": name, role: "group", "aria-labelledby": id };
  const root = add(el, html("div", { class: "attn-widget", ...attributes }));
  const head = add(root, html("div", { class: "attn-head" }));
  add(head, html("p", { class: "attn-title", id, text: title }));
  const again = controls.button(head, { label: "Reset", kind: "attn-reset" });
  if (lead) add(root, html("p", { class: "attn-lead", text: lead }));
  const stage = add(root, html("div", { class: "attn-stage" }));
  const panel = add(root, html("div", { class: "attn-controls" }));
  const output = add(root, html("output", { class: "attn-words" }));
  // JupyterLab otherwise takes the arrow keys from a focused slider to move among cells.
  root.addEventListener("focusin", ({ target }) =>
    target.setAttribute("data-lm-suppress-shortcuts", "true"),
  );
  return { root, again, stage, panel, output };
}

function emptied(card) {
  card.stage.className = "attn-stage";
  for (const node of [card.stage, card.panel]) node.replaceChildren();
  return card;
}

// The page as a figure sees it: places to draw in, and controls that read and write their trait.
function bound(model, { root, stage, panel }) {
  const told = model.get("_facts").controls;
  const shown = [];
  const change = (changes) => update(model, changes);
  const set = (name) => (value) => change({ [name]: value });
  const bind = (name, show, seen = same) => shown.push((state) => show(seen(state[name])));
  return {
    ...{ root, stage, panel, change, set },
    state: () => read(model),
    get: (name) => model.get(name),
    show: (state) => shown.forEach((show) => show(state)),
    // seen and meant: from the trait to the slider and back, where the two differ.
    slider(name, { parent = panel, seen = same, meant = same, ...options }) {
      const { min, max, step } = told[name];
      const range = { min: seen(min), max: seen(max), step, ...options };
      const show = controls.slider(parent, { ...range, input: (x) => set(name)(meant(x)) });
      bind(name, show, seen);
      return show.node;
    },
    select: (name, { parent = panel, options = told[name], meant = same, ...rest }) =>
      bind(name, controls.select(parent, { options, change: (x) => set(name)(meant(x)), ...rest })),
    checkbox: (name, options) =>
      bind(name, controls.checkbox(panel, { ...options, change: set(name) })),
    stepper: (name, { parent, label }) =>
      bind(name, controls.stepper(parent, { label, names: told[name], change: set(name) })),
    tabs(name, { parent, label }) {
      const { panels, show } = controls.tabs(parent, {
        label,
        names: told[name],
        change: set(name),
      });
      bind(name, show);
      return panels;
    },
    button: (label, click, parent = panel) => controls.button(parent, { label, click }),
  };
}
