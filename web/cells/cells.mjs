/** Give the cells of a chapter their buttons. What those do is loaded when a reader comes to one. */
import { html } from "../attn/kit/elements.js";
import { onRunIntent, savesData } from "../page_python/run-intent.mjs";

/** @type {import("./page-cells.mjs").PageCells|undefined} */
let loaded;

async function load() {
  loaded ??= (await import("./page-cells.mjs")).pageCells;
  return loaded;
}

/**
 * @param {string} text
 * @param {() => void} onclick
 */
const button = (text, onclick) =>
  html("button", { type: "button", class: "attn-button", text, onclick });

/** Run a cell; it is busy from the click on. @param {HTMLElement} root */
async function run(root) {
  if (loaded) return loaded.run(root);
  root.dataset.state = "running";
  root.setAttribute("aria-busy", "true");
  try {
    (await load()).run(root);
  } catch (error) {
    delete root.dataset.state;
    root.removeAttribute("aria-busy");
    throw error;
  }
}

/** @type {NodeListOf<HTMLElement>} */
const roots = document.querySelectorAll(".attn-cell:not([data-needs])");
for (const root of roots) {
  const bar = { class: "attn-cell-bar", role: "group", "aria-label": `Cell ${root.dataset.cell}` };
  const edit = async () => (await load()).edit(root);
  root.prepend(
    html(
      "div",
      bar,
      button("Run", () => run(root)),
      button("Edit", edit),
    ),
  );
}

/** @type {HTMLElement|null} */
const controls = document.querySelector(".attn-cells");
controls?.addEventListener("click", async ({ target }) => {
  const { does } = /** @type {HTMLElement} */ (target).dataset;
  if (does === "run") controls.setAttribute("aria-busy", "true");
  if (does) (await load()).act(does);
});
controls?.setAttribute("data-ready", "");

// What does not arrive is told by a run that needs it.
const warmUp = () =>
  load().then(
    (cells) => cells.warmUp(),
    () => {},
  );
if (controls && !savesData(globalThis))
  [controls, ...roots].forEach((root) => onRunIntent(root, warmUp));

/** Whether the reader has edited this page before; where nothing may be stored, nothing was. */
function hasEdits() {
  try {
    const mark = `attn:cell:${controls?.dataset.page}/`;
    return Object.keys(localStorage).some((key) => key.startsWith(mark));
  } catch {
    return false;
  }
}
if (hasEdits()) load();
