// What is looked at in the page of a figure.

/** The name of each control, as a screen reader has it. */
export function controlNames(controls) {
  const labels = (node) => [...(node.labels ?? [])].map((label) => label.innerText).join(" ");
  return controls.map(
    (node) => node.ariaLabel || labels(node).trim() || node.innerText?.trim() || "",
  );
}

/** What a finger may hit: a label round a control counts. */
export function targetSizes(controls) {
  return controls.map((node) => {
    const { width, height } = (node.closest("label") ?? node).getBoundingClientRect();
    return [node.outerHTML, width, height];
  });
}

/** What a reader sees of a figure's state: its words, its controls, its pictures and tables. */
export function visibleState(root) {
  const value = (node) => [
    ...[node.value, node.checked, node.disabled],
    ...[node.ariaSelected, node.ariaValueText],
  ];
  const lasting = (svg) =>
    svg.innerHTML
      .replace(/ style=""| data-lm-suppress-shortcuts="true"|attn-[a-z]+-\d+/g, "")
      .replace(/-?\d+\.\d+/g, (x) => Number(x).toFixed(3));
  return {
    words: root.querySelector("output").innerText,
    controls: [...root.querySelectorAll("input, select, button, [role=slider]")].map(value),
    stage: root.querySelector(".attn-stage").innerText,
    pictures: [...root.querySelectorAll("svg")].map(lasting),
  };
}

/** Each drawing writes the state in words once: the writings are counted as they happen. */
export function countDrawings(root) {
  root.drawings = 0;
  const count = (records) => {
    root.drawings += records.length;
  };
  new MutationObserver(count).observe(root.querySelector("output"), { childList: true });
}

export function drawingsSoFar(root) {
  return new Promise((resolve) => requestAnimationFrame(() => resolve(root.drawings)));
}

/** How often a figure draws for its Reset; in one go, since one that plays goes on drawing. */
export async function drawingsOfReset(root) {
  const before = await drawingsSoFar(root);
  const buttons = [...root.querySelectorAll("button")];
  buttons.find((button) => button.textContent.trim() === "Reset").click();
  return (await drawingsSoFar(root)) - before;
}

export function themeColours(root) {
  const { color, backgroundColor, colorScheme } = getComputedStyle(root);
  return [color, backgroundColor, colorScheme];
}

/** The page's width, and by how much the figure is wider than its box. */
export function widths(root) {
  return [document.documentElement.scrollWidth, root.scrollWidth - root.clientWidth];
}

/** Mount a figure from its text alone, with a model of a notebook's kind, and remove it again. */
export async function mountFromText([text, values]) {
  const listeners = {};
  const model = {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
    },
    on: (event, listener) => {
      listeners[event] ??= [];
      listeners[event].push(listener);
    },
    off: (event, listener) => {
      listeners[event] = listeners[event].filter((other) => other !== listener);
    },
    save_changes: () => {},
  };
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const stop = (await import(url)).default.render({ model, el: document.body });
  const words = document.querySelector("output").innerText;
  const events = Object.keys(listeners).length;
  stop();
  const left = Object.values(listeners).flat().length;
  return [words, events, left, document.body.childElementCount];
}
