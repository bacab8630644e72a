/** All cells of a page: one session of Python, in which a cell runs after those above it. */
import { browserStorage, DraftStorage } from "../editing/draft-storage.mjs";
import { python } from "../page_python/page-python.mjs";
import { say } from "../page_python/run-status.mjs";
import { CodeCell, LiveCell } from "./live-cell.mjs";
import { allMessage, LOST, refusalMessage, TIME_LIMIT } from "./messages.mjs";
import { Sequence } from "./sequence.mjs";

/** @typedef {import("../page_python/python.mjs").Outcome} Outcome */

const GRACE = 1.5; // seconds that an interrupted run has to end before Python is replaced
const ROOTS = ":is(.attn-cell, .attn-cell-unseen):not([data-needs])";

/**
 * What the reader asked for: one cell, or with null all of them.
 * @typedef {object} Request
 * @property {LiveCell|null} asked
 * @property {LiveCell|null} running  that cell, or one above it
 * @property {import("../page_python/python.mjs").Job|null} job
 * @property {boolean} isStopped
 * @property {boolean} isLost  a run of it took the session with it
 */

export class PageCells {
  #python;
  #controls;
  /** @type {LiveCell[]} */
  #cells;
  #sequence;
  #session = 1;
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** How many times the worker was lost. */
  #losses = 0;
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
    this.#sequence = new Sequence(() => this.#cells.map(({ code }) => code));
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

  /** Run a cell when it is its turn, after those above it that have not run. @param {LiveCell} cell */
  async #ask(cell) {
    if (cell.isBusy) return;
    for (const draft of this.drafts) draft.save();
    cell.begin();
    await this.#inTurn(cell, async (request) => {
      const missing = this.#sequence.missing(this.#cells.indexOf(cell));
      for (const above of missing.map((place) => this.#cells[place])) {
        cell.say(`Running ${above.name} first…`);
        const outcome = await this.#runOne(above, request, this.#differs(above));
        above.rest();
        if (outcome.state !== "ran") return cell.refuse(refusalMessage(above.name, outcome));
        if (request.isLost) return cell.refuse(LOST);
      }
      await this.#runOne(cell, request, true);
    });
    cell.rest();
  }

  /** Run all in one go, in a session of their own. */
  async #runAll() {
    if ([...this.#requests].some(({ asked }) => asked === null)) return;
    this.#showBusy(true);
    this.#newSession();
    await this.#inTurn(null, async (request) => {
      for (const cell of this.#cells) {
        cell.begin();
        this.#say(`Running ${cell.name}…`);
        const isShown = cell instanceof CodeCell || this.#differs(cell);
        const outcome = await this.#runOne(cell, request, isShown);
        cell.rest();
        if (outcome.state !== "ran") return this.#say(allMessage({ name: cell.name, outcome }, 0));
        if (request.isLost) return this.#say(LOST);
      }
      this.#say(allMessage(null, this.#codeCells.length));
    });
    this.#showBusy(false);
  }

  /**
   * @param {LiveCell|null} asked
   * @param {(request: Request) => Promise<void>} perform
   */
  async #inTurn(asked, perform) {
    /** @type {Request} */
    const request = { asked, running: null, job: null, isStopped: false, isLost: false };
    this.#requests.add(request);
    const turn = this.#queue.then(() => perform(request));
    this.#queue = turn;
    await turn;
    this.#requests.delete(request);
  }

  /** @param {(request: Request) => boolean} isMeant */
  #stop(isMeant) {
    for (const request of [...this.#requests].filter(isMeant)) {
      request.isStopped = true;
      if (request.job) this.#python.stop(request.job);
    }
  }

  /**
   * @param {LiveCell} cell
   * @param {Request} request
   * @param {boolean} isShown
   * @returns {Promise<Outcome>}
   */
  async #runOne(cell, request, isShown) {
    const place = this.#cells.indexOf(cell);
    const basis = this.#sequence.basis(place);
    /** @type {import("../page_python/python.mjs").Job} */
    const job = {
      task: "cell",
      input: { code: cell.code, cell: place, name: cell.name, session: this.#session },
      limit: Number(cell.root.dataset.timeLimit) || TIME_LIMIT,
      grace: Number(cell.root.dataset.grace) || GRACE,
      onPhase: (phase) => cell.showPhase(phase),
      onOutput: (kind, content) => {
        if (kind === "error" && !isShown) cell.start(true);
        if (isShown || kind === "error") cell.append(kind, content);
      },
    };
    cell.begin();
    cell.start(isShown);
    Object.assign(request, { job, running: cell });
    const losses = this.#losses;
    /** @type {Outcome} */
    const stopped = { state: "stopped", stopped: "reader" };
    const outcome = request.isStopped ? stopped : await this.#python.run(job);
    Object.assign(request, { job: null, running: null, isLost: losses !== this.#losses });
    if (outcome.state === "ran" && !request.isLost) this.#sequence.add(place, basis);
    else this.#sequence.drop(place);
    cell.finish(outcome, basis, isShown);
    document.dispatchEvent(new Event("attn:output"));
    this.#compare();
    return outcome;
  }

  /** Whether a run of this cell may show something else than the page does. @param {LiveCell} cell */
  #differs(cell) {
    const upTo = this.#cells.slice(0, this.#cells.indexOf(cell) + 1);
    return !cell.showsBuilt || upTo.some(({ edited }) => edited);
  }

  #compare() {
    this.#cells.forEach((cell, place) => cell.compare(this.#sequence.basis(place)));
    this.#offerReset();
  }

  #offerReset() {
    disable(this.#button("reset"), !this.#cells.some((cell) => cell.changed));
  }

  /** The worker is gone, and the session with it. */
  #forget() {
    this.#losses += 1;
    this.#sequence.clear();
    for (const cell of this.#cells) cell.forget();
  }

  #newSession() {
    this.#session += 1;
    this.#sequence.clear();
  }

  async #resetPage() {
    this.#stop(() => true);
    await this.#queue;
    this.#takenBack = this.#codeCells.filter(({ edited }) => edited);
    for (const cell of this.#cells) cell.reset();
    this.#newSession();
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
    const stopHadFocus = document.activeElement === stop;
    stop.hidden = !isBusy;
    disable(run, isBusy);
    if (isBusy) this.#controls.setAttribute("aria-busy", "true");
    else this.#controls.removeAttribute("aria-busy");
    if (stopHadFocus && !isBusy) run.focus();
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
 * Say that a button does nothing now; one that is disabled outright would lose the focus.
 * @param {HTMLElement} button
 * @param {boolean} isDisabled
 */
function disable(button, isDisabled) {
  if (isDisabled) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

export const pageCells = new PageCells(
  /** @type {HTMLElement} */ (document.querySelector(".attn-cells")),
  document.querySelectorAll(ROOTS),
  python,
);

const saveDrafts = () => pageCells.drafts.forEach((draft) => draft.save());
addEventListener("storage", ({ key }) =>
  pageCells.drafts.forEach((draft) => draft.onStorageEvent(key)),
);
addEventListener("pagehide", saveDrafts);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) saveDrafts();
});
addEventListener("beforeunload", (event) => {
  saveDrafts();
  if (pageCells.drafts.some((draft) => draft.unsaved)) event.preventDefault();
});
