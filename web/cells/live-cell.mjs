/** One cell of a page: its code, its editor, its output, and what the reader is told of its runs. */
import { html } from "../attn/kit/elements.js";
import { mark, showBusy } from "../editing/busy.mjs";
import { CodeBox } from "../editing/code-box.mjs";
import { button } from "../editing/notice.mjs";
import { createRunStatus, hideProgress, say, showPhase } from "../page_python/run-status.mjs";
import { CellOutput } from "./cell-output.mjs";
import { statusMessage } from "./messages.mjs";

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
    mark(root, "aria-busy", this.#isBusy);
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
  #box;
  #run;
  #stop;

  /**
   * @param {HTMLElement} root
   * @param {CellServices} services
   */
  constructor(root, services) {
    super(root, services);
    const { drafts, storage, onChange, onRun, onStop } = services;
    const code = /** @type {HTMLElement} */ (root.querySelector(".cell_input > div"));
    const text = code.querySelector("pre")?.textContent ?? "";
    const box = new CodeBox({
      id: `${services.page}/${root.dataset.cell}`,
      original: { text: text.trimEnd(), version: root.dataset.version ?? "" },
      code,
      label: `Code of ${this.name}`,
      what: "cell",
      outdated: "This cell has changed since you edited it. Your code is shown.",
      help: { class: "attn-cell-help", id: `attn-cell-help-${root.dataset.cell}`, hidden: true },
      drafts,
      storage,
      onChange,
      onRun: () => onRun(this),
    });
    this.#box = box;
    this.#run = /** @type {HTMLElement} */ (root.querySelector(".attn-cell-bar button"));
    this.#stop = button("Stop", { hidden: true, onclick: () => onStop(this) });
    box.reset.hidden = true;
    box.reset.onclick = () => this.reset();
    // On the far side: Run and Edit stay where a finger has just found them.
    root.querySelector(".attn-cell-bar")?.prepend(box.undo, box.reset, this.#stop);
    code.after(box.editor, box.help, box.notice);
  }

  get code() {
    return this.#box.text;
  }

  get edited() {
    return this.draft.edited;
  }

  get name() {
    return `cell ${this.root.dataset.cell}`;
  }

  get draft() {
    return this.#box.draft;
  }

  /** Put an editor in the place of the code, and the cursor into it. */
  async edit() {
    const fold = this.root.querySelector("details");
    if (fold?.querySelector(".cell_input pre")) fold.open = true; // the reader asks for the code
    await this.#box.open();
    this.#box.focus();
  }

  reset() {
    const hadFocus = this.root.contains(document.activeElement);
    this.draft.reset();
    this.#box.close();
    super.reset();
    this.services.onChange();
    if (hadFocus) this.#run.focus(); // what had it may be gone
  }

  undoReset() {
    this.draft.undoReset();
  }

  refresh() {
    super.refresh();
    const { reset, undo } = this.#box;
    reset.hidden = !this.changed || this.isBusy;
    undo.hidden = this.draft.undo === null || this.edited;
    showBusy({ root: this.root, runs: [this.#run], stop: this.#stop }, this.isBusy);
  }
}
