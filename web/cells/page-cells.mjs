/** All cells of a page: one session of Python, in which a cell runs after those above it. */
import { mark, showBusy } from "../editing/busy.mjs";
import { keepDrafts } from "../editing/code-box.mjs";
import { browserStorage, DraftStorage } from "../editing/draft-storage.mjs";
import { python } from "../page_python/page-python.mjs";
import { say } from "../page_python/run-status.mjs";
import { CodeCell, LiveCell } from "./live-cell.mjs";
import { allMessage, refusalMessage, TIME_LIMIT } from "./messages.mjs";

/** @typedef {import("../page_python/python.mjs").Outcome} Outcome */

const GRACE = 1.5; // seconds that an interrupted run has to end before Python is replaced
const ROOTS = ":is(.attn-cell, .attn-cell-unseen):not([data-needs])";

/**
 * What the reader asked for: one cell, or with null all of them.
 * @typedef {object} Request
 * @property {LiveCell|null} asked
 * @property {LiveCell|null} running  that cell, or one above it
 * @property {import("../page_python/python.mjs").Job|null} job
 */

export class PageCells {
  #python;
  #controls;
  /** @type {LiveCell[]} */
  #cells;
  /** Another one starts with nothing. */
  #session = 1;
  /** The last request. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** What is running or waiting for its turn. @type {Set<Request>} */
  #requests = new Set();
  /** The edits that the last reset of the page took back. @type {CodeCell[]} */
  #takenBack = [];

  /**
   * @param {HTMLElement} controls  the page's own buttons
   * @param {NodeListOf<HTMLElement>} roots
   * @param {import("../page_python/python.mjs").Python} python
   */
  constructor(controls, roots, python) {
    this.#controls = controls;
    this.#python = python;
    this.#cells = [];
    const storage = browserStorage();
    const services = {
      page: controls.dataset.page ?? "",
      drafts: new DraftStorage(storage, "cell"),
      storage,
      onRun: (/** @type {LiveCell} */ cell) => this.#ask(cell),
      onStop: (/** @type {LiveCell} */ cell) =>
        this.#stop(({ asked, running }) => cell === asked || cell === running),
      onChange: () => {
        for (const cell of this.#cells) cell.refuse("");
        this.#compare();
      },
    };
    this.#cells = [...roots].map((root) =>
      root.matches(".attn-cell") ? new CodeCell(root, services) : new LiveCell(root, services),
    );
    python.onLost(() => this.#forget());
    // Another cell may be why this is loaded, and busy by now.
    for (const cell of this.#cells) if (cell.edited) cell.refresh();
    this.#offerReset();
  }

  /** Those whose code is on the page. */
  get #codeCells() {
    return this.#cells.filter((cell) => cell instanceof CodeCell);
  }

  get drafts() {
    return this.#codeCells.map(({ draft }) => draft);
  }

  /** @param {HTMLElement} root */
  #cellOf(root) {
    const cell = this.#codeCells.find((one) => one.root === root);
    if (!cell) throw new Error("not a cell that runs in the page");
    return cell;
  }

  /** @param {HTMLElement} root */
  run(root) {
    return this.#ask(this.#cellOf(root));
  }

  /** @param {HTMLElement} root */
  edit(root) {
    return this.#cellOf(root).edit();
  }

  /** The reader is about to run something. */
  warmUp() {
    this.#python.warmUp();
  }

  /** One of the page's own buttons. @param {string} does */
  act(does) {
    if (does === "run") return this.#runAll();
    if (does === "stop") return this.#stop(({ asked }) => asked === null);
    return does === "reset" ? this.#resetPage() : this.#undoReset();
  }

  /** Run a cell when it is its turn; Python runs those above it first that it has to. @param {LiveCell} cell */
  async #ask(cell) {
    if (cell.isBusy) return;
    for (const draft of this.drafts) draft.save();
    cell.begin();
    const { at, outcome } = await this.#inTurn(cell, cell, (one) => {
      if (one !== cell) cell.say(`Running ${one.name} first…`);
      return one === cell || this.#differs(one);
    });
    if (at !== cell) cell.refuse(refusalMessage(at.name, outcome));
    cell.rest();
  }

  /** Run all in one go, in a session of their own. */
  async #runAll() {
    if ([...this.#requests].some(({ asked }) => asked === null)) return;
    this.#showBusy(true);
    this.#session += 1;
    this.#cells[0].begin();
    const { at, outcome } = await this.#inTurn(null, this.#cells[0], (cell) => {
      this.#say(`Running ${cell.name}…`);
      return cell instanceof CodeCell || this.#differs(cell);
    });
    const stoppedAt = outcome.state === "ran" ? null : { name: at.name, outcome };
    this.#say(allMessage(stoppedAt, this.#codeCells.length));
    this.#showBusy(false);
  }

  /**
   * @param {LiveCell|null} asked
   * @param {LiveCell} first  that tells what goes on before any code runs
   * @param {(cell: LiveCell) => boolean} onBegin  whether the output of a cell that begins is shown
   */
  async #inTurn(asked, first, onBegin) {
    /** @type {Request} */
    const request = { asked, running: null, job: null };
    this.#requests.add(request);
    const ended = this.#perform(request, first, onBegin);
    this.#last = ended;
    const end = await ended;
    this.#requests.delete(request);
    return end;
  }

  /**
   * Send Python the cells down to the one that was asked for, and show what becomes of each that runs.
   * @param {Request} request
   * @param {LiveCell} first
   * @param {(cell: LiveCell) => boolean} onBegin
   * @returns {Promise<{at: LiveCell, outcome: Outcome}>} how the last cell that ran ended
   */
  async #perform(request, first, onBegin) {
    const cells = request.asked ? this.#downTo(request.asked) : this.#cells;
    const bases = cells.map((cell) => this.#basis(cell));
    let isShown = true;
    /** @param {LiveCell} cell */
    const begin = (cell) => {
      end({ state: "ran" });
      request.running = cell;
      isShown = onBegin(cell);
      cell.begin();
      cell.start(isShown);
      cell.showPhase({ name: "running" });
      this.#python.restartLimit(Object.assign(job, limits(cell)));
    };
    /** @param {Outcome} outcome */
    const end = (outcome) => {
      const cell = request.running;
      if (!cell) return;
      request.running = null;
      cell.finish(outcome, bases[cells.indexOf(cell)], isShown);
      if (cell !== request.asked) cell.rest();
      document.dispatchEvent(new Event("attn:output"));
      this.#compare();
    };
    /** @type {import("../page_python/python.mjs").Job} */
    const job = {
      task: "cell",
      input: { cells: cells.map(({ code, name }) => ({ code, name })), session: this.#session },
      ...limits(first),
      onPhase: (phase) => (request.running ?? first).showPhase(phase),
      onOutput: (kind, content) => {
        if (kind === "begin") return begin(cells[content]);
        if (kind === "error" && !isShown) {
          isShown = true;
          request.running?.start(true);
        }
        if (isShown) request.running?.append(kind, content);
      },
    };
    request.job = job;
    const outcome = await this.#python.run(job);
    const at = request.running ?? first;
    request.running = at;
    end(outcome);
    return { at, outcome };
  }

  /** @param {(request: Request) => boolean} isMeant */
  #stop(isMeant) {
    for (const { job } of [...this.#requests].filter(isMeant)) if (job) this.#python.stop(job);
  }

  /** A cell and all above it. @param {LiveCell} cell */
  #downTo(cell) {
    return this.#cells.slice(0, this.#cells.indexOf(cell) + 1);
  }

  /** All that the output of a cell depends on: equal as long as nothing changed. @param {LiveCell} cell */
  #basis(cell) {
    return JSON.stringify(this.#downTo(cell).map(({ code }) => code));
  }

  /** Whether a run of this cell may show something else than the page does. @param {LiveCell} cell */
  #differs(cell) {
    return !cell.showsBuilt || this.#downTo(cell).some(({ edited }) => edited);
  }

  #compare() {
    for (const cell of this.#cells) cell.compare(this.#basis(cell));
    this.#offerReset();
  }

  #offerReset() {
    mark(this.#button("reset"), "aria-disabled", !this.#cells.some((cell) => cell.changed));
  }

  /** The worker is gone, and the session with it. */
  #forget() {
    for (const cell of this.#cells) cell.forget();
  }

  async #resetPage() {
    this.#stop(() => true);
    await this.#last;
    this.#takenBack = this.#codeCells.filter(({ edited }) => edited);
    for (const cell of this.#cells) cell.reset();
    this.#session += 1;
    this.#button("undo").hidden = this.#takenBack.length === 0;
    this.#say("The page is as it was.");
  }

  #undoReset() {
    for (const cell of this.#takenBack) cell.undoReset();
    this.#takenBack = [];
    this.#button("run").focus();
    this.#button("undo").hidden = true;
    this.#say("Your changes are back.");
  }

  /** @param {boolean} isBusy */
  #showBusy(isBusy) {
    const [run, stop] = [this.#button("run"), this.#button("stop")];
    showBusy({ root: this.#controls, runs: [run], stop }, isBusy);
  }

  /** @param {string} does */
  #button(does) {
    return /** @type {HTMLElement} */ (this.#controls.querySelector(`[data-does="${does}"]`));
  }

  /** @param {string} text */
  #say(text) {
    const line = /** @type {HTMLElement} */ (this.#controls.querySelector("[role=status]"));
    say({ line }, text);
  }
}

/**
 * How long a cell may run, and how long it may take to end.
 * @param {LiveCell} cell
 */
function limits({ root: { dataset } }) {
  return { limit: Number(dataset.timeLimit) || TIME_LIMIT, grace: Number(dataset.grace) || GRACE };
}

export const pageCells = new PageCells(
  /** @type {HTMLElement} */ (document.querySelector(".attn-cells")),
  document.querySelectorAll(ROOTS),
  python,
);

keepDrafts(() => pageCells.drafts);
