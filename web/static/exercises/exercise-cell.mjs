/** One exercise of a page: its answer, its editor, its runs, and what the reader is told of them. */

import { counted, entryOf } from "../progress/record.mjs";
import { load } from "../progress/storage.mjs";
import { buildParts, showHelp, showHint, showNotice } from "./cell-elements.mjs";
import { Draft } from "./draft.mjs";
import { keepTabChoice, loadEditor, readTabChoice } from "./editor-loader.mjs";
import { problemWords, questionWords, solutionWords } from "./messages.mjs";
import { appendOutput, say, showEnd, showOutcome, showPhase, showStart } from "./run-view.mjs";
import { Solution } from "./solution.mjs";

// In seconds; data-time-limit and data-grace on the exercise override them.
const TIME_LIMIT = 20; // of run time
const GRACE = 1.5; // an interrupted run has to end before Python is replaced

export class ExerciseCell {
  #root;
  #about;
  #python;
  #storage;
  #parts;
  #draft;
  #solution;
  #editor = null;
  #job = null;
  #ran = null;
  #highlighted = null; // the starter's elements, as the page came with them

  /**
   * @param {HTMLElement} root
   * @param {{title: string, starter: string, version: string, hints: string[], needs: string[],
   *          solution: string, section: {href: string, title: string}|null}} about
   * @param {{python: import("./python.mjs").Python, store: import("./draft-storage.mjs").Store,
   *          storage: Storage|null}} page
   */
  constructor(root, about, { python, store, storage }) {
    this.#root = root;
    this.#about = about;
    this.#python = python;
    this.#storage = storage;
    const starter = { text: about.starter, version: about.version };
    this.#draft = new Draft({ exercise: this.id, starter, store }, () => this.#showDraft());
    this.#parts = buildParts(root, { ...about, runs: about.needs.length === 0 });
    this.#solution = new Solution(document.getElementById(about.solution));
    this.#wire();
    this.#showDraft();
    root.querySelector(".attn-waiting")?.remove();
  }

  get id() {
    return this.#root.dataset.exercise;
  }

  get draft() {
    return this.#draft;
  }

  get solution() {
    return this.#solution;
  }

  #wire() {
    const { run, stop, hint, solution, reset, undo, tab, help } = this.#parts;
    run.onclick = () => this.run();
    stop.onclick = () => this.#python.stop(this.#job);
    hint.onclick = () => showHint(this.#parts, this.#about.hints);
    solution.onclick = () => this.#toggleSolution();
    solution.hidden = !this.#solution.exists;
    reset.onclick = () => this.#draft.reset();
    undo.onclick = () => this.#draft.undoReset();
    tab.checked = readTabChoice(this.#storage);
    tab.onchange = () => {
      keepTabChoice(this.#storage, tab.checked);
      this.#editor?.setTabIndents(tab.checked);
      showHelp(help, tab.checked);
    };
    showHelp(help, tab.checked);
  }

  /** Put the editor in the place of the highlighted starter. */
  async mountEditor() {
    if (this.#editor || this.#about.needs.length) return;
    const { mount } = await loadEditor();
    if (this.#editor) return;
    this.#editor = mount({
      parent: this.#parts.editor,
      text: this.#draft.text,
      label: `Your answer: ${this.#about.title}`,
      describedBy: this.#parts.help.id,
      tabIndents: this.#parts.tab.checked,
      onChange: (text) => {
        this.#draft.edit(text);
        this.#markStale();
      },
      onRun: () => this.run(),
    });
    this.#static.hidden = true;
  }

  get #static() {
    return this.#root.querySelector(".attn-exercise-starter");
  }

  /** Before the editor is there, a kept answer takes the place of the starter as plain text. */
  #showStatic(text) {
    const shown = this.#static.querySelector("pre");
    this.#highlighted ??= [...shown.childNodes];
    shown.replaceChildren(...(text === this.#about.starter ? this.#highlighted : [text]));
  }

  #showDraft() {
    const { question, problem, undo, text } = this.#draft;
    if (this.#editor) this.#editor.setText(text);
    else this.#showStatic(text);
    this.#parts.undo.hidden = undo === null;
    this.#markStale();
    if (question) {
      const { text: words, keep, take } = questionWords(question.kind);
      const decide = (mine) => () => this.#draft.decide(mine);
      showNotice(this.#parts.notice, words, [
        [keep, decide(true)],
        [take, decide(false)],
      ]);
    } else {
      showNotice(this.#parts.notice, problem ? problemWords(problem) : "");
    }
  }

  /** A verdict belongs to the text that was run; once that is edited, the card says so. */
  #markStale() {
    this.#root.toggleAttribute("data-stale", this.#ran !== null && this.#ran !== this.#draft.text);
  }

  async run() {
    if (this.#job || this.#about.needs.length) return;
    this.#draft.save();
    const limit = Number(this.#root.dataset.timeLimit) || TIME_LIMIT;
    this.#job = {
      code: this.#draft.text,
      exercise: this.id,
      limit,
      grace: Number(this.#root.dataset.grace) || GRACE,
      onPhase: (phase) => showPhase(this.#parts, phase),
      onOutput: (kind, text) => appendOutput(this.#parts.output, kind, text),
    };
    this.#ran = this.#draft.text;
    this.#markStale();
    this.#root.dataset.state = "running";
    this.#root.setAttribute("aria-busy", "true");
    showStart(this.#parts);
    const outcome = await this.#python.run(this.#job);
    this.#job = null;
    this.#root.removeAttribute("aria-busy");
    showEnd(this.#parts);
    this.#showOutcome(outcome, limit);
  }

  #showOutcome(outcome, limit) {
    this.#root.dataset.state = outcome.state;
    showOutcome(this.#parts, outcome, {
      limit,
      section: this.#about.section,
      again: () => this.run(),
    });
    const detail = { id: this.id, passed: counted(outcome), starter: this.#about.version };
    document.dispatchEvent(new CustomEvent("attn:progress", { detail }));
  }

  #toggleSolution() {
    const { solution } = this.#parts;
    const answer = this.#solution.click(entryOf(load(), this.id));
    solution.setAttribute("aria-expanded", String(answer === "shown"));
    say(this.#parts, solutionWords[answer]);
  }
}
