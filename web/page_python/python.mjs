/** One Python for the page: starts it when it is needed, runs tasks in turn, stops and replaces it. */

/** @typedef {import("./python-worker.mjs").WorkerMessage} WorkerMessage */

/**
 * @typedef {object} Outcome
 * @property {"passed"|"failed"|"unanswered"|"ran"|"error"|"stopped"} state
 * @property {import("../exercises/verdict-card.mjs").Verdict} [verdict]
 * @property {string} [note]     why there is no verdict
 * @property {string} [summary]  the error in one line
 * @property {boolean} [memory]  the run asked for more memory than there is
 * @property {StoppedBy} [stopped]
 * @property {"start"|"download"|"crash"} [broken]  Python did not start, lacks a package, or died
 *
 * @typedef {"reader"|"limit"} StoppedBy
 *
 * @typedef {{name: "waiting"|"starting"|"running"}
 *   | {name: "loading", what: string}
 *   | {name: "download", what: string, loaded: number, total: number}} Phase
 */

/**
 * @typedef {object} Job
 * @property {string} task  a module of page_tasks
 * @property {object} input  what it works on
 * @property {number} limit  seconds of run time
 * @property {number} grace  seconds an interrupted run has to end before its worker is terminated
 * @property {(phase: Phase) => void} onPhase
 * @property {(kind: string, content: any) => void} onOutput
 * @property {StoppedBy} [stopped]  set when it is stopped
 */

/**
 * The job that has its turn.
 * @typedef {object} Turn
 * @property {Job} job
 * @property {boolean} running  its code was sent to the worker
 * @property {boolean} loading  the worker waits for packages that the code needs
 * @property {(outcome: Outcome) => void} settle
 */

const LARGE_HEAP = 512 * 2 ** 20; // wasm memory never shrinks: above this the worker is replaced
const AGAIN = 2; // seconds until a run that goes on is interrupted once more

export class Python {
  #createWorker;
  #interrupt;
  /** @type {Worker|null} */
  #worker = null;
  /** The start under way or done. @type {Promise<void>|null} */
  #started = null;
  /** Files that failed starts found damaged; the next one asks for them anew. @type {string[]} */
  #suspects = [];
  /** What the start under way last said of itself. @type {Phase|null} */
  #phase = null;
  /** @type {Turn|null} */
  #turn = null;
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** @type {Set<ReturnType<typeof setTimeout>>} */
  #timers = new Set();
  /** The timer of a run's limit. @type {ReturnType<typeof setTimeout>|undefined} */
  #limiting;
  /** Whoever counts on what earlier runs left behind. @type {(() => void)[]} */
  #onLost = [];

  /**
   * @param {() => Worker} createWorker
   * @param {boolean} sharesMemory  whether the page can share memory with its worker
   */
  constructor(createWorker, sharesMemory = false) {
    this.#createWorker = createWorker;
    this.#interrupt = sharesMemory ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  }

  /** Start before the first run; why a start fails is told by a run that needs it. */
  warmUp() {
    if (!this.#started) this.#start().catch(() => this.#terminate());
  }

  /** Call `act` whenever a worker is given up, and with it all that its runs left behind. @param {() => void} act */
  onLost(act) {
    this.#onLost.push(act);
  }

  /** @param {Job} job @returns {Promise<Outcome>} */
  run(job) {
    if (this.#turn) job.onPhase({ name: "waiting" });
    const outcome = this.#queue.then(() => this.#perform(job));
    this.#queue = outcome;
    return outcome;
  }

  /**
   * Stop a job, whether it runs, waits for Python or waits for its turn.
   * @param {Job} job
   * @param {StoppedBy} by
   */
  stop(job, by = "reader") {
    job.stopped ??= by;
    const turn = this.#turn;
    if (job !== turn?.job) return;
    if (turn.loading) this.#worker?.postMessage({ type: "abort" });
    if (turn.loading || (this.#interrupt && turn.running)) {
      this.#signal(turn);
      this.#after(job.grace, () => turn === this.#turn && this.#abandon(turn));
    } else {
      this.#abandon(turn);
    }
  }

  /** Interrupt a run, and again while it goes on: Python can swallow one. @param {Turn} turn */
  #signal(turn) {
    if (!this.#interrupt || turn !== this.#turn) return;
    this.#interrupt[0] = 2; // SIGINT
    this.#after(AGAIN, () => this.#signal(turn));
  }

  /** @param {Job} job @returns {Promise<Outcome>} */
  async #perform(job) {
    if (job.stopped) return { state: "stopped", stopped: job.stopped };
    /** @type {Outcome} */
    const outcome = await new Promise((settle) => {
      this.#turn = { job, running: false, loading: false, settle };
      this.#begin(this.#turn);
    });
    this.#turn = null;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    // Stop may end a download as well as a run: then what is missing was not wanted any more.
    const isStopped = outcome.state === "stopped" || (job.stopped && outcome.broken === "download");
    return isStopped ? { state: "stopped", stopped: job.stopped ?? "reader" } : outcome;
  }

  /** @param {Turn} turn */
  async #begin(turn) {
    const { job, settle } = turn;
    if (this.#phase) job.onPhase(this.#phase);
    try {
      await this.#start();
    } catch (error) {
      this.#terminate();
      settle({ state: "error", broken: "start", summary: /** @type {Error} */ (error).message });
      return;
    }
    if (turn !== this.#turn || job.stopped) return;
    turn.running = true;
    job.onPhase({ name: "running" });
    if (this.#interrupt) this.#interrupt[0] = 0;
    this.#worker?.postMessage({ type: "run", task: job.task, input: job.input });
    this.#limit(job);
  }

  /** A job of several parts comes to the next: its limit holds for each. @param {Job} job */
  restartLimit(job) {
    if (job === this.#turn?.job && !job.stopped) this.#limit(job);
  }

  /** A run's time begins, or begins again once what it needs has been loaded. @param {Job} job */
  #limit(job) {
    clearTimeout(this.#limiting);
    this.#limiting = this.#after(job.limit, () => this.stop(job, "limit"));
  }

  #start() {
    this.#started ??= new Promise((resolve, reject) => {
      const worker = this.#createWorker();
      this.#worker = worker;
      if (this.#interrupt) this.#interrupt[0] = 0; // what ended the last one would end its start
      /** @param {WorkerMessage} message */
      const receive = (message) => {
        if (worker === this.#worker) this.#receive(message, resolve, reject);
      };
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = (event) => {
        event.preventDefault?.();
        const message = event.message || "its files did not arrive";
        receive({ type: "broken", message, suspects: [] });
      };
      const [interrupt, suspects] = [this.#interrupt, this.#suspects];
      worker.postMessage({ type: "start", interrupt, suspects });
    });
    return this.#started;
  }

  /**
   * @param {WorkerMessage} message
   * @param {() => void} resolve  the start
   * @param {(error: Error) => void} reject
   */
  #receive(message, resolve, reject) {
    const turn = this.#turn;
    if (message.type === "ready") {
      this.#phase = null;
      this.#suspects = [];
      resolve();
    } else if (message.type === "output") turn?.job.onOutput(message.kind, message.content);
    else if (message.type === "download") this.#enter({ ...message, name: "download" });
    else if (message.type === "starting") this.#enter({ name: "starting" });
    else if (message.type === "loading") {
      clearTimeout(this.#limiting);
      if (turn) turn.loading = true;
      turn?.job.onPhase({ name: "loading", what: message.what });
    } else if (message.type === "running") {
      if (turn) turn.loading = false;
      turn?.job.onPhase({ name: "running" });
      if (turn && !turn.job.stopped) this.#limit(turn.job);
    } else if (message.type === "done" && message.outcome?.state) {
      turn?.settle(message.outcome);
      if (message.heap > LARGE_HEAP) this.#replace();
    } else {
      // It is broken, or a reader's code speaks in its place.
      const { message: summary, suspects } =
        message.type === "broken" ? message : { message: "it does not answer", suspects: [] };
      this.#suspects = suspects;
      this.#terminate();
      reject(new Error(summary));
      if (turn?.running) turn.settle({ state: "error", broken: "crash", summary });
    }
  }

  /** @param {Phase} phase */
  #enter(phase) {
    if (!this.#turn?.running) this.#phase = phase;
    this.#turn?.job.onPhase(phase);
  }

  /** @param {Turn} turn */
  #abandon({ running, settle }) {
    settle({ state: "stopped" });
    if (running) this.#replace();
    else this.#terminate();
  }

  /** A terminated worker is started again at once, so that the next run need not wait for all of it. */
  #replace() {
    this.#terminate();
    this.warmUp();
  }

  #terminate() {
    if (!this.#worker) return;
    this.#worker.terminate();
    this.#worker = this.#started = this.#phase = null;
    for (const act of this.#onLost) act();
  }

  /**
   * @param {number} seconds
   * @param {() => void} act
   */
  #after(seconds, act) {
    const timer = setTimeout(act, 1000 * seconds);
    this.#timers.add(timer);
    return timer;
  }
}

/**
 * WebKit may call a page isolated and yet have no memory to share: both are asked for.
 * @param {{crossOriginIsolated?: boolean, SharedArrayBuffer?: unknown}} scope
 */
export function canShareMemory(scope) {
  return scope.crossOriginIsolated === true && typeof scope.SharedArrayBuffer === "function";
}
