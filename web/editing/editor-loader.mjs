/** Editors, loaded when a reader comes near: until then the page shows highlighted code. */
import { html } from "../attn/kit/elements.js";

/**
 * @typedef {object} EditorOptions
 * @property {HTMLElement} parent
 * @property {string} text
 * @property {string} label  what a screen reader says of it
 * @property {string} describedBy  id of the element with the keyboard help
 * @property {boolean} tabIndents
 * @property {(text: string) => void} onChange  called for the reader's edits only
 * @property {() => void} onRun
 */

/**
 * @typedef {object} Editor
 * @property {(indents: boolean) => void} setTabIndents
 * @property {(text: string) => void} setText  replaces the text without reporting it as an edit
 */

/** @typedef {{mount: (options: EditorOptions) => Editor}} EditorModule */

const BUNDLE = new URL("../editor/editor.mjs", import.meta.url).href;
const TAB_KEY = "attn:tab-indents";
/** @type {Promise<EditorModule>|undefined} */
let editorModule;

/** The editor's code, once for the page; where it cannot be had, a plain text area does its work. */
export function loadEditor() {
  editorModule ??= import(BUNDLE).catch(() => ({ mount: mountTextArea }));
  return editorModule;
}

/**
 * Call `act` once, when the element is about to be seen or when the keyboard reaches it.
 * @param {Element} target
 * @param {() => void} act
 */
export function whenNear(target, act) {
  const observer = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && arrive(),
    { rootMargin: "400px" },
  );
  const arrive = () => {
    observer.disconnect();
    target.removeEventListener("focusin", arrive);
    act();
  };
  target.addEventListener("focusin", arrive);
  observer.observe(target);
}

/**
 * How the keys of an editor work; Tab is the reader's choice.
 * @param {boolean} tabIndents
 */
export const keyHelp = (tabIndents) =>
  tabIndents
    ? "Ctrl+Enter runs. Tab indents; press Esc, then Tab, to leave the editor."
    : "Ctrl+Enter runs. Tab leaves the editor; Ctrl+] indents.";

/** @param {Storage|null} storage */
export function readTabChoice(storage) {
  try {
    return storage?.getItem(TAB_KEY) === "yes";
  } catch {
    return false;
  }
}

/**
 * @param {Storage|null} storage
 * @param {boolean} indents
 */
export function storeTabChoice(storage, indents) {
  try {
    storage?.setItem(TAB_KEY, indents ? "yes" : "no");
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** @type {EditorModule["mount"]} */
function mountTextArea({ parent, text, label, describedBy, onChange, onRun }) {
  const area = html("textarea", {
    class: "attn-editor-plain",
    rows: text.split("\n").length + 1,
    spellcheck: "false",
    "aria-label": label,
    "aria-describedby": describedBy,
  });
  area.value = text;
  area.oninput = () => onChange(area.value);
  area.onkeydown = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    onRun();
  };
  parent.append(area);
  return {
    setTabIndents: () => {},
    setText: (next) => {
      area.value = next;
    },
  };
}
