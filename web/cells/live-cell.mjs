/** One cell of a page: its code, its editor, its output, and what the reader is told of its runs. */
import { html } from "../attn/kit/elements.js";
import { Draft } from "../editing/draft.mjs";
import { keyHelp, loadEditor, readTabChoice } from "../editing/editor-loader.mjs";
import { button, showNotice, storageMessage } from "../editing/notice.mjs";
import { createRunStatus, hideProgress, say, showPhase } from "../page_python/run-status.mjs";
import { CellOutput } from "./cell-output.mjs";
import { conflictMessages, statusMessage } from "./messages.mjs";

/**
 * @typedef {import("../page_python/python.mjs").Outcome} Outcome
 * @typedef {import("../page_python/python.mjs").Phase} Phase
 */

/**
 * What the cells of a page share.
 * @typedef {object} CellServices
 * @property {string} page  its name
 * @property {import("../editing/draft-storage.mjs").DraftStorage} drafts
 * @property {Storage|null} storage
 * @property {(cell: LiveCell) => void} onRun  the reader asks for a run
 * @property {(cell: LiveCell) => void} onStop
 * @property {() => void} onChange  the code of a cell changed
 */

export class LiveCell {
  #services;
  #output;
  #status = createRunStatus();
  /** What an earlier run made of which codes; null before one. @type {string|null} */
  #basis = null;
  /** How that run ended. @type {Outcome|null} */
  #outcome = null;
  /** Why the run that was asked for did not come about. @type {string} */
  #refusal = "";
  #isStale = false;
  #isBusy = false;

  /**
   * @param {HTMLElement} root
   * @param {CellServices} services
   */
  constructor(root, services) {
    this.root = root;
    this.#services = services;
    const region = /** @type {HTMLElement} */ (root.querySelector(".attn-cell-output"));
    this.#output = new CellOutput(region);
    const status = html("div", { class: "attn-cell-status", role: "status" }, this.#status.line);
    region.before(this.#status.progress, status);
  }

  get services() {
    return this.#services;
  }

  /** The code as it stands. */
  get code() {
    return JSON.parse(this.root.querySelector(":scope > script")?.textContent ?? '""');
  }

  /** Whether the reader changed it. */
  get edited() {
    return false;
  }

  /** What tracebacks call it. */
  get name() {
    return "a cell without code on the page";
  }

  get isBusy() {
    return this.#isBusy;
  }

  get outcome() {
    return this.#outcome;
  }

  /** Whether the page shows what it was built with. */
  get showsBuilt() {
    return this.#output.isBuilt;
  }

  /** Whether there is anything that *Reset* would take back. */
  get changed() {
    return this.edited || !this.showsBuilt || this.#outcome !== null;
  }

  /** A run of this cell, or of those above that it needs, begins. */
  begin() {
    this.#isBusy = true;
    this.#refusal = "";
    this.refresh();
    say(this.#status, "Getting Python ready…");
  }

  /** Its own code is about to run. @param {boolean} isShown  whether its output is */
  start(isShown) {
    if (isShown) this.#output.begin();
  }

  /** @param {Phase} phase */
  showPhase(phase) {
    showPhase(this.#status, phase);
  }

  /** @param {string} text */
  say(text) {
    say(this.#status, text);
  }

  /**
   * @param {string} kind
   * @param {any} content
   */
  append(kind, content) {
    this.#output.append(kind, content);
  }

  /**
   * Its code ran.
   * @param {Outcome} outcome
   * @param {string} basis  what the run depended on
   * @param {boolean} isShown
   */
  finish(outcome, basis, isShown) {
    this.#outcome = outcome;
    this.#basis = basis;
    if (isShown && outcome.state === "ran") this.#output.end();
  }

  /** The run that was asked for did not come about. @param {string} [why] */
  refuse(why = "") {
    this.#refusal = why;
  }

  /** Nothing of this cell runs any more. */
  rest() {
    this.#isBusy = false;
    hideProgress(this.#status);
    this.refresh();
  }

  /** Its state is lost with the worker; what it shows stays. */
  forget() {
    if (this.#outcome?.state === "ran") this.#outcome = null;
    this.refresh();
  }

  /** Mark the output if a code that it was made from has changed. @param {string} basis  as it is now */
  compare(basis) {
    this.#isStale = this.#basis !== null && this.#basis !== basis;
    this.refresh();
  }

  /** Back to the code and the output that the page was built with. */
  reset() {
    this.#output.restore();
    this.#outcome = this.#basis = null;
    this.#refusal = "";
    this.#isStale = false;
    this.refresh();
  }

  /** Show the state, in words and for the style. */
  refresh() {
    const { root } = this;
    const state = this.#state;
    if (state) root.dataset.state = state;
    else delete root.dataset.state;
    if (this.#isBusy) root.setAttribute("aria-busy", "true");
    else root.removeAttribute("aria-busy");
    root.toggleAttribute("data-edited", this.edited);
    root.toggleAttribute("data-own", !this.showsBuilt);
    if (!this.#isBusy) this.#tell();
  }

  get #state() {
    if (this.#isBusy) return "running";
    if (this.#refusal) return "error";
    return this.#isStale ? "stale" : this.#outcome?.state;
  }

  #tell() {
    say(
      this.#status,
      statusMessage({
        outcome: this.#outcome,
        refusal: this.#refusal,
        isStale: this.#isStale,
        isEdited: this.edited,
        isShown: !this.showsBuilt,
      }),
    );
  }
}

/** A cell whose code is on the page: it can be run, edited and reset by itself. */
export class CodeCell extends LiveCell {
  #draft;
  #elements;
  #pre;
  /** The code's nodes, as the page came with them. */
  #highlighted;
  /** @type {import("../editing/editor-loader.mjs").Editor|null} */
  #editor = null;

  /**
   * @param {HTMLElement} root
   * @param {CellServices} services
   */
  constructor(root, services) {
    super(root, services);
    this.#pre = /** @type {HTMLElement} */ (root.querySelector(".cell_input pre"));
    this.#highlighted = [...this.#pre.childNodes];
    this.#draft = new Draft({
      id: `${services.page}/${root.dataset.cell}`,
      original: { text: this.#pre.textContent.trimEnd(), version: root.dataset.version ?? "" },
      storage: services.drafts,
      onChange: () => this.#showDraft(),
    });
    this.#elements = this.#addElements();
    this.#showDraft();
  }

  get code() {
    return this.#draft.text;
  }

  get edited() {
    return this.#draft.edited;
  }

  get name() {
    return `cell ${this.root.dataset.cell}`;
  }

  get draft() {
    return this.#draft;
  }

  #addElements() {
    const id = `attn-cell-help-${this.root.dataset.cell}`;
    const { services } = this;
    const elements = {
      run: /** @type {HTMLElement} */ (this.root.querySelector(".attn-cell-bar button")),
      stop: button("Stop", { hidden: true, onclick: () => services.onStop(this) }),
      reset: button("Reset", { hidden: true, onclick: () => this.reset() }),
      undo: button("Undo", { hidden: true, onclick: () => this.#draft.undoReset() }),
      notice: html("div", { class: "attn-notice", hidden: true, role: "alert" }),
      editor: html("div", { class: "attn-editor" }),
      help: html("p", { class: "attn-cell-help", id, hidden: true }),
    };
    const { stop, reset, undo, notice, editor, help } = elements;
    // On the far side: Run and Edit stay where a finger has just found them.
    this.root.querySelector(".attn-cell-bar")?.prepend(undo, reset, stop);
    this.#code.after(editor, help, notice);
    return elements;
  }

  /** The highlighted code. */
  get #code() {
    return /** @type {HTMLElement} */ (this.root.querySelector(".cell_input > div"));
  }

  /** Put an editor in the place of the code, and the cursor into it. */
  async edit() {
    const fold = this.root.querySelector("details");
    if (fold?.contains(this.#pre)) fold.open = true; // the reader asks for the code
    const { editor, help } = this.#elements;
    if (!this.#editor) {
      const { mount } = await loadEditor();
      const tabIndents = readTabChoice(this.services.storage);
      help.textContent = keyHelp(tabIndents);
      this.#editor ??= mount({
        parent: editor,
        text: this.code,
        label: `Code of ${this.name}`,
        describedBy: help.id,
        tabIndents,
        onChange: (text) => {
          this.#draft.edit(text);
          this.services.onChange();
        },
        onRun: () => this.services.onRun(this),
      });
    }
    this.#code.hidden = true;
    editor.hidden = help.hidden = false;
    /** @type {HTMLElement|null} */
    const field = editor.querySelector(".cm-content, textarea");
    field?.focus();
  }

  #closeEditor() {
    const { editor, help } = this.#elements;
    this.#code.hidden = false;
    editor.hidden = help.hidden = true;
  }

  reset() {
    const hadFocus = this.root.contains(document.activeElement);
    this.#draft.reset();
    this.#closeEditor();
    super.reset();
    this.services.onChange();
    if (hadFocus) this.#elements.run.focus(); // what had it may be gone
  }

  undoReset() {
    this.#draft.undoReset();
  }

  #showDraft() {
    const { conflict, problem, text } = this.#draft;
    if (this.#editor) this.#editor.setText(text);
    this.#pre.replaceChildren(...(this.edited ? [text] : this.#highlighted));
    if (!this.#elements) return;
    const { notice } = this.#elements;
    this.services.onChange();
    if (!conflict) return showNotice(notice, problem ? storageMessage(problem) : "");
    const words = conflictMessages[conflict.kind];
    showNotice(notice, words.text, [
      [words.keep, () => this.#draft.decide(true)],
      [words.take, () => this.#draft.decide(false)],
    ]);
  }

  refresh() {
    super.refresh();
    if (!this.#elements) return; // not yet there
    const { run, stop, reset, undo } = this.#elements;
    const stopHadFocus = document.activeElement === stop;
    stop.hidden = !this.isBusy;
    reset.hidden = !this.changed || this.isBusy;
    undo.hidden = this.#draft.undo === null || this.edited;
    if (this.isBusy) run.setAttribute("aria-disabled", "true");
    else run.removeAttribute("aria-disabled");
    if (stopHadFocus && stop.hidden) run.focus();
  }
}
