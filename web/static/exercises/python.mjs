/** One Python for the page: starts it when it is needed, runs cells in turn, stops and replaces it. */

/**
 * @typedef {object} Outcome
 * @property {"passed"|"failed"|"unanswered"|"error"|"stopped"} state
 * @property {object} [verdict]  what `Verdict.as_dict()` gives
 * @property {string} [note]     why there is no verdict
 * @property {string} [summary]  the error in one line
 * @property {boolean} [memory]  the run asked for more memory than there is
 * @property {"reader"|"limit"} [stopped]  who stopped it
 * @property {"start"|"crash"} [broken]    Python did not start, or died
 */

/**
 * @typedef {object} Job
 * @property {string} code
 * @property {string} exercise
 * @property {number} limit  seconds of run time
 * @property {number} grace  seconds an interrupted run has to end before its worker is terminated
 * @property {(phase: {name: string, loaded?: number, total?: number}) => void} onPhase
 * @property {(kind: string, text: string) => void} onOutput
 */

const LARGE_HEAP = 512 * 2 ** 20; // wasm memory never shrinks: above this the worker is replaced

export class Python {
  #createWorker;
  #interrupt;
  #worker = null;
  #started = null; // promise of the start under way or done
  #phase = null; // what the start under way last said of itself
  #active = null; // the job that has its turn
  #turns = Promise.resolve();
  #timers = new Set();

  /**
   * @param {() => Worker} createWorker
   * @param {boolean} shares  whether the page can share memory with its worker
   */
  constructor(createWorker, shares = false) {
    this.#createWorker = createWorker;
    this.#interrupt = shares ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  }

  /** Start before the first run; why a start fails is told by a run that needs it. */
  warm() {
    if (!this.#started) this.#start().catch(() => this.#drop());
  }

  /** @param {Job} job @returns {Promise<Outcome>} */
  run(job) {
    if (this.#active) job.onPhase({ name: "waiting" });
    const outcome = this.#turns.then(() => this.#perform(job));
    this.#turns = outcome;
    return outcome;
  }

  /** Stop a job, whether it runs, waits for Python or waits for its turn. */
  stop(job, by = "reader") {
    job.stopped ??= by;
    if (job !== this.#active) return;
    if (this.#interrupt && job.running) {
      this.#interrupt[0] = 2; // SIGINT
      this.#after(job.grace * 1000, () => job === this.#active && this.#abandon(job));
    } else {
      this.#abandon(job);
    }
  }

  async #perform(job) {
    if (job.stopped) return { state: "stopped", stopped: job.stopped };
    this.#active = job;
    const outcome = await new Promise((settle) => {
      job.settle = settle;
      this.#begin(job);
    });
    this.#active = null;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    if (outcome.state !== "stopped") return outcome;
    return { ...outcome, stopped: job.stopped ?? "reader" };
  }

  async #begin(job) {
    if (this.#phase) job.onPhase(this.#phase);
    try {
      await this.#start();
    } catch (error) {
      this.#drop();
      job.settle({ state: "error", broken: "start", summary: error.message });
      return;
    }
    if (job !== this.#active || job.stopped) return;
    job.running = true;
    job.onPhase({ name: "running" });
    if (this.#interrupt) this.#interrupt[0] = 0;
    this.#worker.postMessage({ type: "run", code: job.code, exercise: job.exercise });
    this.#after(job.limit * 1000, () => this.stop(job, "limit"));
  }

  #start() {
    this.#started ??= new Promise((ready, broken) => {
      const worker = this.#createWorker();
      this.#worker = worker;
      const hear = (message) => worker === this.#worker && this.#hear(message, ready, broken);
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = (event) => {
        event.preventDefault?.();
        hear({ type: "broken", message: event.message || "its files did not arrive" });
      };
      worker.postMessage({ type: "start", interrupt: this.#interrupt });
    });
    return this.#started;
  }

  #hear(message, ready, broken) {
    const job = this.#active;
    if (message.type === "ready") {
      this.#phase = null;
      ready();
    } else if (message.type === "output") job?.onOutput(message.kind, message.text);
    else if (message.type === "download") this.#enter({ ...message, name: "download" });
    else if (message.type === "starting") this.#enter({ name: "starting" });
    else if (message.type === "done") this.#finish(job, message);
    else if (message.type === "broken") {
      this.#drop();
      broken(new Error(message.message));
      if (job?.running) job.settle({ state: "error", broken: "crash", summary: message.message });
    }
  }

  #enter(phase) {
    this.#phase = phase;
    this.#active?.onPhase(phase);
  }

  #finish(job, { outcome, heap }) {
    job?.settle(outcome);
    if (heap > LARGE_HEAP) this.#replace();
  }

  #abandon(job) {
    const wasRunning = job.running;
    job.settle({ state: "stopped" });
    if (wasRunning) this.#replace();
    else this.#drop();
  }

  /** A terminated worker is started again at once, so that the next run need not wait for all of it. */
  #replace() {
    this.#drop();
    this.warm();
  }

  #drop() {
    this.#worker?.terminate();
    this.#worker = this.#started = this.#phase = null;
  }

  #after(milliseconds, act) {
    this.#timers.add(setTimeout(act, milliseconds));
  }
}

/** WebKit may call a page isolated and yet have no memory to share: both are asked for. */
export function canShareMemory(scope) {
  return scope.crossOriginIsolated === true && typeof scope.SharedArrayBuffer === "function";
}
