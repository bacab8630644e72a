/** One exercise of a page: its answer, its editor, its runs, and what the reader is told of them. */

import { showBusy } from "../editing/busy.mjs";
import { CodeBox } from "../editing/code-box.mjs";
import { hideProgress, say, showPhase } from "../page_python/run-status.mjs";
import { entryOf, tryResult } from "../progress/record.mjs";
import { loadRecord } from "../progress/storage.mjs";
import { addElements, showHint } from "./cell-elements.mjs";
import { solutionMessages } from "./messages.mjs";
import { appendOutput, showOutcome, showStart } from "./run-view.mjs";
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
  #elements;
  #box;
  #solution;
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
    this.#box = new CodeBox({
      id: this.id,
      original: { text: data.starter, version: data.version },
      code: /** @type {HTMLElement} */ (root.querySelector(".attn-exercise-starter")),
      label: `Your answer: ${data.title}`,
      what: "exercise",
      outdated: "This exercise has changed since you wrote this answer.",
      help: { class: "attn-exercise-help", id: `attn-help-${this.id}` },
      drafts,
      storage,
      onChange: () => this.#markStale(),
      onRun: () => this.run(),
    });
    this.#elements = addElements(root, { ...data, runs: this.runs }, this.#box);
    this.#solution = new Solution(document.getElementById(data.solution));
    this.#listen();
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
    return this.#box.draft;
  }

  get solution() {
    return this.#solution;
  }

  #listen() {
    const { run, stop, hint, solution, tab } = this.#elements;
    run.onclick = () => this.run();
    stop.onclick = () => this.#job && this.#python.stop(this.#job);
    hint.onclick = () => showHint(this.#elements, this.#data.hints);
    solution.onclick = () => this.#toggleSolution();
    solution.hidden = !this.#solution.exists;
    tab.checked = this.#box.tabIndents;
    tab.onchange = () => {
      this.#box.tabIndents = tab.checked;
    };
  }

  /** Put the editor in the place of the highlighted starter. */
  async mountEditor() {
    if (this.runs) await this.#box.open();
  }

  /** A verdict belongs to the text that was run; once that is edited, the card says so. */
  #markStale() {
    const stale = this.#lastRun !== null && this.#lastRun !== this.#box.text;
    this.#root.toggleAttribute("data-stale", stale);
  }

  async run() {
    if (this.#job || !this.runs) return;
    this.draft.save();
    const job = this.#createJob();
    this.#job = job;
    this.#lastRun = this.#box.text;
    this.#markStale();
    this.#root.dataset.state = "running";
    this.#showBusy(true);
    showStart(this.#elements);
    const outcome = await this.#python.run(job);
    this.#job = null;
    this.#showBusy(false);
    hideProgress(this.#elements);
    this.#showOutcome(outcome, job.limit);
  }

  /** @param {boolean} isBusy */
  #showBusy(isBusy) {
    const { run, stop } = this.#elements;
    showBusy({ root: this.#root, runs: [run], stop }, isBusy);
  }

  /** @returns {import("../page_python/python.mjs").Job} */
  #createJob() {
    const { timeLimit, grace } = this.#root.dataset;
    return {
      task: "exercise",
      input: { code: this.#box.text, exercise: this.id },
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
