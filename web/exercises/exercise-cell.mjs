/** One exercise of a page: its answer, its editor, its runs, and what the reader is told of them. */

import { Draft } from "../editing/draft.mjs";
import { keyHelp, loadEditor, readTabChoice, storeTabChoice } from "../editing/editor-loader.mjs";
import { showNotice, storageMessage } from "../editing/notice.mjs";
import { say, showPhase } from "../page_python/run-status.mjs";
import { entryOf, tryResult } from "../progress/record.mjs";
import { loadRecord } from "../progress/storage.mjs";
import { addElements, showHint } from "./cell-elements.mjs";
import { conflictMessages, solutionMessages } from "./messages.mjs";
import { appendOutput, showEnd, showOutcome, showStart } from "./run-view.mjs";
import { Solution } from "./solution.mjs";

/**
 * What the page's HTML says of an exercise.
 * @typedef {object} ExerciseData
 * @property {string} title
 * @property {string} starter
 * @property {string} version  of the starter
 * @property {string[]} hints
 * @property {string[]} needs  what a page lacks, such as torch
 * @property {string} solution  id of the solution's element
 * @property {import("./run-view.mjs").SectionLink|null} section  that explains it
 */

/**
 * What the exercises of a page share.
 * @typedef {object} PageServices
 * @property {import("../page_python/python.mjs").Python} python
 * @property {import("../editing/draft-storage.mjs").DraftStorage} drafts
 * @property {Storage|null} storage
 */

// In seconds; data-time-limit and data-grace on the exercise override them.
const TIME_LIMIT = 20; // of run time
const GRACE = 1.5; // an interrupted run has to end before Python is replaced

export class ExerciseCell {
  #root;
  #data;
  #python;
  #storage;
  #elements;
  #draft;
  #solution;
  /** @type {HTMLElement} */
  #starter;
  #highlighted; // the starter's nodes, as the page came with them
  /** @type {import("../editing/editor-loader.mjs").Editor|null} */
  #editor = null;
  /** @type {import("../page_python/python.mjs").Job|null} */
  #job = null;
  /** The text that was run last. @type {string|null} */
  #lastRun = null;

  /**
   * @param {HTMLElement} root
   * @param {ExerciseData} data
   * @param {PageServices} services
   */
  constructor(root, data, { python, drafts, storage }) {
    this.#root = root;
    this.#data = data;
    this.#python = python;
    this.#storage = storage;
    this.#starter = findIn(root, ".attn-exercise-starter");
    this.#highlighted = [...findIn(this.#starter, "pre").childNodes];
    this.#draft = new Draft({
      id: this.id,
      original: { text: data.starter, version: data.version },
      storage: drafts,
      onChange: () => this.#showDraft(),
    });
    this.#elements = addElements(root, { ...data, runs: this.runs });
    this.#solution = new Solution(document.getElementById(data.solution));
    this.#listen();
    this.#showDraft();
    root.querySelector(".attn-waiting")?.remove();
  }

  get id() {
    return this.#root.dataset.exercise ?? "";
  }

  /** Whether a page can run it. */
  get runs() {
    return this.#data.needs.length === 0;
  }

  get draft() {
    return this.#draft;
  }

  get solution() {
    return this.#solution;
  }

  #listen() {
    const { run, stop, hint, solution, reset, undo, tab, help } = this.#elements;
    run.onclick = () => this.run();
    stop.onclick = () => this.#job && this.#python.stop(this.#job);
    hint.onclick = () => showHint(this.#elements, this.#data.hints);
    solution.onclick = () => this.#toggleSolution();
    solution.hidden = !this.#solution.exists;
    reset.onclick = () => this.#draft.reset();
    undo.onclick = () => this.#draft.undoReset();
    tab.checked = readTabChoice(this.#storage);
    tab.onchange = () => {
      storeTabChoice(this.#storage, tab.checked);
      this.#editor?.setTabIndents(tab.checked);
      help.textContent = keyHelp(tab.checked);
    };
    help.textContent = keyHelp(tab.checked);
  }

  /** Put the editor in the place of the highlighted starter. */
  async mountEditor() {
    if (this.#editor || !this.runs) return;
    const { mount } = await loadEditor();
    if (this.#editor) return;
    this.#editor = mount({
      parent: this.#elements.editor,
      text: this.#draft.text,
      label: `Your answer: ${this.#data.title}`,
      describedBy: this.#elements.help.id,
      tabIndents: this.#elements.tab.checked,
      onChange: (text) => {
        this.#draft.edit(text);
        this.#markStale();
      },
      onRun: () => this.run(),
    });
    this.#starter.hidden = true;
  }

  #showDraft() {
    const { conflict, problem, undo } = this.#draft;
    this.#showText();
    this.#elements.undo.hidden = undo === null;
    this.#markStale();
    if (!conflict) {
      showNotice(this.#elements.notice, problem ? storageMessage(problem) : "");
      return;
    }
    const { text, keep, take } = conflictMessages[conflict.kind];
    showNotice(this.#elements.notice, text, [
      [keep, () => this.#draft.decide(true)],
      [take, () => this.#draft.decide(false)],
    ]);
  }

  /** Before the editor is there, a kept answer takes the place of the starter as plain text. */
  #showText() {
    const { text } = this.#draft;
    if (this.#editor) return this.#editor.setText(text);
    const content = text === this.#data.starter ? this.#highlighted : [text];
    findIn(this.#starter, "pre").replaceChildren(...content);
  }

  /** A verdict belongs to the text that was run; once that is edited, the card says so. */
  #markStale() {
    const stale = this.#lastRun !== null && this.#lastRun !== this.#draft.text;
    this.#root.toggleAttribute("data-stale", stale);
  }

  async run() {
    if (this.#job || !this.runs) return;
    this.#draft.save();
    const job = this.#createJob();
    this.#job = job;
    this.#lastRun = this.#draft.text;
    this.#markStale();
    this.#root.dataset.state = "running";
    this.#root.setAttribute("aria-busy", "true");
    showStart(this.#elements);
    const outcome = await this.#python.run(job);
    this.#job = null;
    this.#root.removeAttribute("aria-busy");
    showEnd(this.#elements);
    this.#showOutcome(outcome, job.limit);
  }

  /** @returns {import("../page_python/python.mjs").Job} */
  #createJob() {
    const { timeLimit, grace } = this.#root.dataset;
    return {
      task: "exercise",
      input: { code: this.#draft.text, exercise: this.id },
      limit: Number(timeLimit) || TIME_LIMIT,
      grace: Number(grace) || GRACE,
      onPhase: (phase) => showPhase(this.#elements, phase),
      onOutput: (kind, text) => appendOutput(this.#elements.output, kind, text),
    };
  }

  /**
   * @param {import("../page_python/python.mjs").Outcome} outcome
   * @param {number} limit
   */
  #showOutcome(outcome, limit) {
    this.#root.dataset.state = outcome.state;
    const { section, version } = this.#data;
    showOutcome(this.#elements, outcome, { limit, section, runAgain: () => this.run() });
    /** @type {import("../progress/record.mjs").Run} */
    const detail = { id: this.id, passed: tryResult(outcome), starter: version };
    document.dispatchEvent(new CustomEvent("attn:progress", { detail }));
  }

  #toggleSolution() {
    const answer = this.#solution.click(entryOf(loadRecord(), this.id));
    this.#elements.solution.setAttribute("aria-expanded", String(answer === "shown"));
    say(this.#elements, solutionMessages[answer]);
  }
}

/**
 * @param {HTMLElement} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
function findIn(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`an exercise has no ${selector}`);
  return found;
}
