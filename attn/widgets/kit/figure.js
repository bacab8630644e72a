// What all figures repeat, once: the card with its title, controls bound to traits, Reset, the
// state in words, and one drawing for each change. A figure adds its arithmetic, its drawing and
// its sentence; ranges, choices and names come from Python in the trait `_spec`.

import * as controls from "./controls.js";
import { dataFiles } from "./data_files.js";
import { add, html, uniqueId } from "./elements.js";
import { player } from "./player.js";

/**
 * A state holds every trait of the figure by its name, and `spec`, which Python makes; with a data
 * file, `data` has its bytes, null while they are not here, and `failed` says that they will not come.
 * @typedef {{ traits: string[], controls: Record<string, any>, [constant: string]: any }} Spec
 * @typedef {{ spec: Spec, [trait: string]: any }} State
 * @typedef {Record<string, any>} Changes
 */

/**
 * The part of a widget model that a figure uses.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {() => void} save_changes
 * @property {(name: string) => Promise<Uint8Array>} [file] on the site: a file of the figure's folder
 */

/**
 * @typedef {object} Definition
 * @property {string} name its Python class
 * @property {string | ((authored: State) => string)} title
 * @property {string | ((authored: State) => string)} [lead]
 * @property {(state: State) => any} compute its arithmetic
 * @property {(page: Page, state: State) => (state: State, result: any) => void} build makes the
 *   drawing and the controls; gives back what draws
 * @property {(state: State, result: any) => string | Node} words the state in words and numbers
 * @property {(state: State) => any} [rebuildKey] what the drawing is built for; when it changes, it
 *   is built anew
 * @property {(state: State) => string} [data] the file of its folder that the state needs
 * @property {boolean} [tall] if the stage is taller than a phone; there the controls stand over it
 * @property {boolean} [wide] if it gains from the page's empty right margin, where there is one
 */

/**
 * The default export of a figure's module.
 * @param {Definition} definition
 */
export function figure(definition) {
  const { name, title, lead, compute, build, words, rebuildKey = () => null } = definition;
  const { tall, wide, data } = definition;
  /** @type {(mount: { model: Model, el: Element }) => () => void} */
  const render = ({ model, el }) => {
    const authored = read(model);
    const text = (/** @type {Definition["title"]} */ part) =>
      typeof part === "function" ? part(authored) : part;
    const card = frame(el, { name, title: text(title), lead: lead && text(lead), tall, wide });
    card.reset.addEventListener("click", () => update(model, traitsOf(authored)));
    /** @type {string | undefined} */
    let builtFor;
    /** @type {Page} */
    let page;
    /** @type {ReturnType<Definition["build"]>} */
    let draw;
    /** @type {string | undefined} */
    let lastFile;
    let stopped = false;
    const files = dataFiles(model, card.root, () => stopped || drawAll());
    const withData = (/** @type {State} */ state) => {
      if (!data) return state;
      const file = data(state);
      if (file !== lastFile) files.retry();
      lastFile = file;
      return { ...state, data: files.get(file), failed: files.failed(file) };
    };
    const drawAll = () => {
      const state = withData(read(model));
      const result = compute(state);
      const key = JSON.stringify(rebuildKey(state));
      if (key !== builtFor) {
        builtFor = key;
        page = boundPage(model, clear(card), drawAll);
        draw = build(page, state);
      }
      page.show(state);
      draw(state, result);
      card.output.replaceChildren(words(state, result));
    };
    const stop = watch(model, authored.spec.traits, drawAll);
    drawAll();
    return () => {
      stopped = true;
      stop();
      card.root.remove();
    };
  };
  return { render };
}

// Every trait of the figure by its name, and what Python says of them.
/** @type {(model: Model) => State} */
export function read(model) {
  /** @type {Spec} */
  const spec = model.get("_spec");
  return { ...Object.fromEntries(spec.traits.map((name) => [name, model.get(name)])), spec };
}

/** @type {(state: State) => Changes} */
const traitsOf = ({ spec: _, ...traits }) => traits;

// Write several traits at once, then sync.
/** @type {(model: Model, changes: Changes) => void} */
export function update(model, changes) {
  for (const [name, value] of Object.entries(changes)) model.set(name, value);
  model.save_changes();
}

// Call draw once for all changes of one moment, when the last is made; the result stops it.
/** @type {(model: Model, names: string[], draw: () => void) => () => void} */
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

/** @typedef {{ name: string, title: string, lead?: string, tall?: boolean, wide?: boolean }} Frame */

/** @param {Element} el @param {Frame} options */
function frame(el, { name, title, lead, tall, wide }) {
  const id = uniqueId("title");
  const attributes = { "data-widget": name, role: "group", "aria-labelledby": id };
  const shape = { "data-tall": tall, "data-wide": wide };
  const root = add(el, html("div", { class: "attn-widget", ...shape, ...attributes }));
  const head = add(root, html("div", { class: "attn-head" }));
  add(head, html("p", { class: "attn-title", id, text: title }));
  const reset = controls.button(head, { label: "Reset", kind: "attn-reset" });
  if (lead) add(root, html("p", { class: "attn-lead", text: lead }));
  const stage = add(root, html("div", { class: "attn-stage" }));
  const panel = add(root, html("div", { class: "attn-controls" }));
  const output = add(root, html("output", { class: "attn-words" }));
  // JupyterLab otherwise takes the arrow keys from a focused slider to move among cells.
  root.addEventListener("focusin", ({ target }) =>
    /** @type {Element} */ (target).setAttribute("data-lm-suppress-shortcuts", "true"),
  );
  return { root, reset, stage, panel, output };
}

/** @param {ReturnType<typeof frame>} card */
function clear(card) {
  card.stage.className = "attn-stage";
  for (const node of [card.stage, card.panel]) node.replaceChildren();
  return card;
}

// One entry of nested lists, and the lists with another value in its place.
/** @typedef {number[]} Indices */
/** @type {(lists: any, at: Indices) => any} */
export const entry = (lists, [i, ...rest]) => (i === undefined ? lists : entry(lists[i], rest));
/** @type {(lists: any, at: Indices, value: any) => any} */
export const withEntry = (lists, [i, ...rest], value) =>
  i === undefined
    ? value
    : lists.map((/** @type {any} */ old, /** @type {number} */ k) =>
        k === i ? withEntry(old, rest, value) : old,
      );

// How a slider counts: by the trait's own numbers, or, where those are powers, by exponents.
/** @type {(base?: number) => ((x: number) => number)[]} */
export const counting = (base) =>
  base === undefined
    ? [(x) => x, (x) => x]
    : [(x) => Math.round(Math.log(x) / Math.log(base)), (x) => base ** x];

/**
 * What a control reads and writes: its trait or, with `at`, one entry of it. Where a change is
 * another than that, `value` is what the control shows and `changes` what it changes.
 * @typedef {object} Binding
 * @property {Element} [parent]
 * @property {Indices | ((state: State) => Indices)} [at]
 * @property {(state: State) => any} [value]
 * @property {(value: any, state: State) => Changes} [changes]
 */

/**
 * make(write) puts a control on the page and gives back what shows a value in it.
 * @typedef {(value: any) => void} Show
 * @typedef {<S extends Show>(name: string, binding: Binding, make: (write: Show) => S) => S} Bind
 * @type {(model: Model) => { bind: Bind, show: (state: State) => void }}
 */
function binder(model) {
  /** @type {((state: State) => void)[]} */
  const shown = [];
  return {
    bind(name, { at = [], ...own }, make) {
      const { traits } = model.get("_spec");
      if (!traits.includes(name))
        throw new RangeError(`no trait is called ${name}; there are ${traits.join(", ")}`);
      const where = typeof at === "function" ? at : () => at;
      /** @type {NonNullable<Binding["value"]>} */
      const value = own.value ?? ((state) => entry(state[name], where(state)));
      /** @type {NonNullable<Binding["changes"]>} */
      const changes =
        own.changes ?? ((x, state) => ({ [name]: withEntry(state[name], where(state), x) }));
      const show = make((x) => update(model, changes(x, read(model))));
      shown.push((state) => show(value(state)));
      return show;
    },
    show: (state) => shown.forEach((show) => show(state)),
  };
}

/**
 * The page as a figure sees it: places to draw in, and controls that are bound to their trait.
 * Each control gives back its element, tabs their panels.
 * @import { SliderOptions } from "./controls.js"
 * @typedef {Binding & Partial<SliderOptions> & Pick<SliderOptions, "label">} Slider
 * @typedef {Binding & { label: string, options?: [any, string][] }} Select
 * @typedef {Binding & { each?: number, first?: number, last?: () => number }} Player
 * @typedef {object} Page
 * @property {HTMLElement} stage
 * @property {HTMLElement} panel
 * @property {(changes: Changes) => void} change
 * @property {() => void} redraw for a result that goes on while no trait changes
 * @property {() => State} state
 * @property {(name: string) => any} get
 * @property {(state: State) => void} show
 * @property {(name: string, options: Slider) => HTMLElement} slider
 * @property {(name: string, options: Select) => HTMLElement} select
 * @property {(name: string, options: Binding & { label: string }) => HTMLElement} checkbox
 * @property {(name: string, options: { parent: Element, label: string }) => void} stepper
 * @property {(name: string, options: { parent: Element, label: string }) => HTMLElement[]} tabs
 * @property {(name: string, options?: Player) => HTMLElement} player
 * @property {(name: string, options: Slider) => HTMLElement} playedSlider a slider with Play beside it
 * @property {(label: string, click: () => void, parent?: Element) => HTMLElement} button
 */

/** @type {(model: Model, card: { stage: HTMLElement, panel: HTMLElement }, redraw: () => void) => Page} */
function boundPage(model, { stage, panel }, redraw) {
  const ranges = model.get("_spec").controls;
  const { bind, show } = binder(model);
  /** @type {Page["slider"]} */
  const slider = (name, { parent = panel, ...options }) =>
    bind(name, options, (input) => {
      const range = { ...ranges[name], ...options, input };
      if (range.min === undefined) throw new RangeError(`the trait ${name} has no range`);
      return countingSlider(parent, range);
    }).node;
  /** @type {Page["player"]} */
  const play = (name, { parent = panel, each, first, last, ...binding } = {}) => {
    const steps = { first: first ?? ranges[name].min, last: last ?? (() => ranges[name].max) };
    return bind(name, binding, (go) => player(parent, { ...steps, each, go })).node;
  };
  return {
    ...{ stage, panel, show, redraw },
    change: (changes) => update(model, changes),
    state: () => read(model),
    get: (name) => model.get(name),
    slider,
    player: play,
    playedSlider: (name, { parent = panel, ...options }) => {
      const row = add(parent, html("div", { class: "attn-played" }));
      slider(name, { parent: row, ...options });
      play(name, { parent: row });
      return row;
    },
    select: (name, { parent = panel, options = ranges[name], ...rest }) =>
      bind(name, rest, (write) => controls.select(parent, { options, ...rest, change: write }))
        .node,
    checkbox: (name, { parent = panel, ...rest }) =>
      bind(name, rest, (write) => controls.checkbox(parent, { ...rest, change: write })).node,
    stepper: (name, { parent, label }) =>
      bind(name, {}, (write) =>
        controls.stepper(parent, { label, names: ranges[name], change: write }),
      ),
    tabs: (name, { parent, label }) =>
      bind(name, {}, (write) =>
        controls.tabs(parent, { label, names: ranges[name], change: write }),
      ).panels,
    button: (label, click, parent = panel) => controls.button(parent, { label, click }),
  };
}

// A slider over a trait's own numbers or, with a base, over the exponents of its powers.
/** @type {(parent: Element, options: SliderOptions & { base?: number }) => Show & { node: HTMLElement }} */
function countingSlider(parent, { base, format = String, input, ...options }) {
  const [seen, meant] = counting(base);
  const show = controls.slider(parent, {
    ...options,
    min: seen(options.min),
    max: seen(options.max),
    format: (x) => format(meant(x)),
    input: (x) => input(meant(x)),
  });
  return Object.assign((/** @type {number} */ x) => show(seen(x)), { node: show.node });
}
