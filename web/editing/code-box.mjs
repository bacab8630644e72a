/** Code of the page that a reader can change: its draft, its editor, and what the reader decides. */
import { html } from "../attn/kit/elements.js";
import { Draft } from "./draft.mjs";
import { keyHelp, loadEditor, readTabChoice, storeTabChoice } from "./editor-loader.mjs";
import { button, showNotice, storageMessage } from "./notice.mjs";

/**
 * @typedef {object} CodeBoxOptions
 * @property {string} id  of the draft
 * @property {{text: string, version: string}} original  as the page has it
 * @property {HTMLElement} code  the highlighted original; the editor comes in its place
 * @property {string} label  what a screen reader says of the editor
 * @property {string} what  the code is of, in "This cell was edited in another tab."
 * @property {string} outdated  said where the original has changed since the reader edited it
 * @property {Record<string, any>} help  attributes of the line about the editor's keys
 * @property {import("./draft-storage.mjs").DraftStorage} drafts
 * @property {Storage|null} storage
 * @property {() => void} onChange  the text is another one
 * @property {() => void} onRun  the reader asks for a run by key
 */

export class CodeBox {
  editor = html("div", { class: "attn-editor" });
  notice = html("div", { class: "attn-notice", hidden: true, role: "alert" });
  reset = button("Reset");
  undo = button("Undo", { hidden: true, title: "Bring back the text that was replaced" });
  help;
  draft;
  #options;
  #pre;
  #highlighted; // the code's nodes, as the page came with them
  /** @type {import("./editor-loader.mjs").Editor|null} */
  #editor = null;

  /** @param {CodeBoxOptions} options */
  constructor(options) {
    const { id, original, code, drafts, help } = options;
    this.#options = options;
    this.#pre = /** @type {HTMLElement} */ (code.querySelector("pre"));
    this.#highlighted = [...this.#pre.childNodes];
    this.help = html("p", { ...help, text: keyHelp(this.tabIndents) });
    this.draft = new Draft({
      id,
      original,
      storage: drafts,
      onChange: () => {
        this.#show();
        options.onChange();
      },
    });
    this.reset.onclick = () => this.draft.reset();
    this.undo.onclick = () => this.draft.undoReset();
    this.#show();
  }

  get text() {
    return this.draft.text;
  }

  /** Whether Tab indents in editors: the reader's choice, for all of them. */
  get tabIndents() {
    return readTabChoice(this.#options.storage);
  }

  set tabIndents(indents) {
    storeTabChoice(this.#options.storage, indents);
    this.#editor?.setTabIndents(indents);
    this.help.textContent = keyHelp(indents);
  }

  /** Put an editor in the place of the code. */
  async open() {
    const { code, label, onChange, onRun } = this.#options;
    const { mount } = await loadEditor();
    this.help.textContent = keyHelp(this.tabIndents);
    this.#editor ??= mount({
      parent: this.editor,
      text: this.text,
      label,
      describedBy: this.help.id,
      tabIndents: this.tabIndents,
      onChange: (text) => {
        this.draft.edit(text);
        onChange();
      },
      onRun,
    });
    code.hidden = true;
    this.editor.hidden = this.help.hidden = false;
  }

  focus() {
    /** @type {HTMLElement|null} */
    const field = this.editor.querySelector(".cm-content, textarea");
    field?.focus();
  }

  close() {
    this.#options.code.hidden = false;
    this.editor.hidden = this.help.hidden = true;
  }

  #show() {
    const { conflict, problem, undo, text, edited } = this.draft;
    this.#editor?.setText(text);
    this.#pre.replaceChildren(...(edited ? [text] : this.#highlighted));
    this.undo.hidden = undo === null;
    if (!conflict) return showNotice(this.notice, problem ? storageMessage(problem) : "");
    const { what, outdated } = this.#options;
    const [words, keep, take] =
      conflict.kind === "original"
        ? [outdated, "Keep mine", "Take the new one"]
        : [`This ${what} was edited in another tab.`, "Keep this one", "Take the other one"];
    showNotice(this.notice, words, [
      [keep, () => this.draft.decide(true)],
      [take, () => this.draft.decide(false)],
    ]);
  }
}

/**
 * Store drafts when the reader leaves the page, ask before something is lost, and follow other tabs.
 * @param {() => Draft[]} drafts  all of the page
 */
export function keepDrafts(drafts) {
  const save = () => drafts().forEach((draft) => draft.save());
  addEventListener("storage", ({ key }) => drafts().forEach((draft) => draft.onStorageEvent(key)));
  addEventListener("pagehide", save);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) save();
  });
  addEventListener("beforeunload", (event) => {
    save();
    if (drafts().some((draft) => draft.unsaved)) event.preventDefault();
  });
}
