import assert from "node:assert/strict";
import { test } from "node:test";
import { countingFetch, wasDownloaded } from "../../web/downloads/counting-fetch.mjs";
import { storageMessage } from "../../web/editing/notice.mjs";
import { canShareMemory, Python } from "../../web/page_python/python.mjs";
import { onRunIntent, savesData } from "../../web/page_python/run-intent.mjs";
import { outcomeMessage, phaseMessage } from "../../web/page_python/run-messages.mjs";

/** Workers that do what the test says; `created` lists them in the order of their creation. */
function workers({ starts = true } = {}) {
  const created = [];
  const create = () => {
    const worker = {
      inbox: [],
      alive: true,
      say: (data) => worker.onmessage({ data }),
      terminate: () => (worker.alive = false),
      postMessage(message) {
        worker.inbox.push(message);
        if (message.type === "start" && starts) queueMicrotask(() => worker.say({ type: "ready" }));
      },
    };
    created.push(worker);
    return worker;
  };
  return { created, create };
}

const job = (more = {}) => ({
  task: "exercise",
  input: { code: "1" },
  limit: 60,
  grace: 60,
  onPhase() {},
  onOutput() {},
  ...more,
});

const settled = () => new Promise((resume) => setTimeout(resume, 5));
const done = (state = "passed", heap = 0) => ({ type: "done", outcome: { state }, heap });

test("nothing starts before the first run, and one worker serves the next", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  assert.equal(created.length, 0);
  for (const state of ["failed", "passed"]) {
    const outcome = python.run(job());
    await settled();
    created[0].say(done(state));
    assert.equal((await outcome).state, state);
  }
  assert.equal(created.length, 1);
});

test("a start beforehand serves the run that follows, which hears how far it is", async () => {
  const { created, create } = workers({ starts: false });
  const python = new Python(create);
  python.warmUp();
  python.warmUp();
  created[0].say({ type: "download", loaded: 1, total: 2 });
  const phases = [];
  const outcome = python.run(job({ onPhase: (phase) => phases.push(phase.name) }));
  await settled();
  created[0].say({ type: "starting" });
  created[0].say({ type: "ready" });
  await settled();
  created[0].say(done());
  assert.equal((await outcome).state, "passed");
  assert.deepEqual(phases, ["download", "starting", "running"]);
  assert.equal(created.length, 1);
});

test("a start beforehand that fails is silent, and the run tries again", async () => {
  const { created, create } = workers({ starts: false });
  const python = new Python(create);
  python.warmUp();
  created[0].say({ type: "broken", message: "offline", suspects: [] });
  await settled();
  const outcome = python.run(job());
  await settled();
  assert.deepEqual(
    created.map((w) => w.alive),
    [false, true],
  );
  created[1].say({ type: "ready" });
  await settled();
  created[1].say(done());
  assert.equal((await outcome).state, "passed");
});

test("a start hears which files the one before found damaged", async () => {
  const { created, create } = workers({ starts: false });
  const python = new Python(create);
  for (const { suspects, next } of [
    { suspects: [], next: { type: "broken", message: "damaged", suspects: ["x.wasm"] } },
    { suspects: ["x.wasm"], next: { type: "ready" } },
    { suspects: [], next: { type: "ready" } },
  ]) {
    python.warmUp();
    const worker = created.at(-1);
    assert.deepEqual(worker.inbox[0].suspects, suspects);
    worker.say(next);
    await settled();
    if (next.type === "ready") worker.onerror({ message: "died" });
    await settled();
  }
});

test("stop ends a download and keeps the worker, and what its runs left behind", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  python.onLost(() => assert.fail("the worker is lost"));
  const one = job();
  const outcome = python.run(one);
  await settled();
  created[0].say({ type: "loading", what: "matplotlib" });
  python.stop(one);
  assert.deepEqual(created[0].inbox.at(-1), { type: "abort" });
  const missing = { state: "error", broken: "download", summary: "matplotlib did not arrive" };
  created[0].say({ type: "done", outcome: missing, heap: 0 });
  assert.deepEqual(await outcome, { state: "stopped", stopped: "reader" });
  assert.equal(created[0].alive, true);
});

test("a worker that does not end its download is replaced after a while", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const one = job({ grace: 0.001 });
  const outcome = python.run(one);
  await settled();
  created[0].say({ type: "loading", what: "matplotlib" });
  python.stop(one);
  assert.equal((await outcome).state, "stopped");
  assert.equal(created[0].alive, false);
});

test("once what it needs is loaded, a run without shared memory is stopped with its worker", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const one = job();
  const outcome = python.run(one);
  await settled();
  created[0].say({ type: "loading", what: "matplotlib" });
  created[0].say({ type: "running" });
  python.stop(one);
  assert.equal((await outcome).state, "stopped");
  assert.equal(created[0].alive, false);
});

test("memory is shared only where the page is isolated and there is such memory", () => {
  assert.equal(canShareMemory({ crossOriginIsolated: true, SharedArrayBuffer }), true);
  assert.equal(canShareMemory({ crossOriginIsolated: false, SharedArrayBuffer }), false);
  assert.equal(canShareMemory({ crossOriginIsolated: true }), false); // as in WebKit
});

/** An exercise that listens; `tell` plays an event on one of its elements. */
function exercise() {
  const root = new EventTarget();
  const tell = (type, place, more = {}) => {
    const target = { closest: (places) => (places.includes(place) ? target : null) };
    const event = Object.assign(new Event(type), more);
    Object.defineProperty(event, "target", { value: target });
    root.dispatchEvent(event);
  };
  return { root, tell };
}

test("the focus in an editor or on Run is a sign, on another button it is none", () => {
  const { root, tell } = exercise();
  let signs = 0;
  onRunIntent(root, () => signs++);
  tell("focusin", ".attn-button-hint");
  assert.equal(signs, 0);
  tell("focusin", ".attn-editor");
  tell("focusin", ".attn-button-main");
  assert.equal(signs, 2);
});

test("a mouse that rests is a sign, one that passes by or a finger that scrolls is none", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { root, tell } = exercise();
  let signs = 0;
  onRunIntent(root, () => signs++);
  tell("pointerover", ".attn-editor", { pointerType: "touch" });
  t.mock.timers.tick(1000);
  tell("pointerover", ".attn-editor", { pointerType: "mouse" });
  t.mock.timers.tick(100);
  tell("pointerleave", ".attn-editor", { pointerType: "mouse" });
  t.mock.timers.tick(1000);
  assert.equal(signs, 0);
  tell("pointerover", ".attn-exercise-starter", { pointerType: "mouse" });
  t.mock.timers.tick(200);
  assert.equal(signs, 1);
});

test("who saves data is not sent Python on a sign", () => {
  const scope = (connection, reduced = false) => ({
    navigator: { connection },
    matchMedia: () => ({ matches: reduced }),
  });
  assert.equal(savesData(scope({ saveData: true })), true);
  assert.equal(savesData(scope({ type: "cellular" })), true);
  assert.equal(savesData(scope(undefined, true)), true);
  assert.equal(savesData(scope({ saveData: false, type: "wifi" })), false);
  assert.equal(savesData({ navigator: {} }), false);
});

test("two exercises take turns", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const phases = [];
  const first = python.run(job());
  await settled();
  const second = python.run(
    job({ input: { code: "2" }, onPhase: ({ name }) => phases.push(name) }),
  );
  await settled();
  assert.deepEqual(
    created[0].inbox.map((m) => m.input?.code),
    [undefined, "1"],
  );
  created[0].say(done());
  await first;
  await settled();
  created[0].say(done("failed"));
  assert.equal((await second).state, "failed");
  assert.deepEqual(phases, ["waiting", "running"]);
});

test("Stop terminates the worker and starts a new one at once", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const endless = job();
  const outcome = python.run(endless);
  await settled();
  python.stop(endless);
  assert.deepEqual(await outcome, { state: "stopped", stopped: "reader" });
  assert.deepEqual(
    created.map((w) => w.alive),
    [false, true],
  );
});

test("the time limit counts run time and stops like Stop", async () => {
  const { create } = workers();
  const outcome = await new Python(create).run(job({ limit: 0.01 }));
  assert.deepEqual(outcome, { state: "stopped", stopped: "limit" });
});

test("what a run loads first is told, and takes none of its time", async () => {
  const { created, create } = workers();
  const phases = [];
  const python = new Python(create);
  const outcome = python.run(job({ limit: 0.05, onPhase: (phase) => phases.push(phase) }));
  await settled();
  created[0].say({ type: "loading", what: "plots" });
  created[0].say({ type: "download", what: "plots", loaded: 1, total: 2 });
  await new Promise((resume) => setTimeout(resume, 100));
  created[0].say({ type: "running" });
  await settled();
  created[0].say(done("passed"));
  assert.equal((await outcome).state, "passed");
  assert.deepEqual(
    phases.map(({ name, what }) => [name, what]),
    [
      ["running", undefined],
      ["loading", "plots"],
      ["download", "plots"],
      ["running", undefined],
    ],
  );
  const next = [];
  const again = python.run(job({ onPhase: ({ name }) => next.push(name) }));
  await settled();
  created[0].say(done("passed"));
  await again;
  assert.deepEqual(next, ["running"]); // nothing is left of the download
  const endless = python.run(job({ limit: 0.01 }));
  await settled();
  created[0].say({ type: "loading", what: "plots" });
  created[0].say({ type: "running" });
  assert.equal((await endless).stopped, "limit");
});

test("with shared memory Stop interrupts and the worker stays", async () => {
  const { created, create } = workers();
  const python = new Python(create, true);
  const endless = job();
  const outcome = python.run(endless);
  await settled();
  python.stop(endless);
  assert.equal(created[0].inbox[0].interrupt[0], 2);
  created[0].say(done("stopped"));
  assert.equal((await outcome).stopped, "reader");
  assert.deepEqual(
    created.map((w) => w.alive),
    [true],
  );
});

test("Stop while packages are loaded is no failed download", async () => {
  const { created, create } = workers();
  const python = new Python(create, true);
  const waiting = job();
  const outcome = python.run(waiting);
  await settled();
  created[0].say({ type: "loading", what: "plots" });
  python.stop(waiting);
  const missing = { state: "error", broken: "download", summary: "six did not arrive" };
  created[0].say({ type: "done", outcome: missing, heap: 0 });
  assert.deepEqual(await outcome, { state: "stopped", stopped: "reader" });
});

test("an interrupted run that does not end within its grace loses its worker", async () => {
  const { created, create } = workers();
  const python = new Python(create, true);
  const deaf = job({ grace: 0.01 });
  const outcome = python.run(deaf);
  await settled();
  python.stop(deaf);
  assert.equal((await outcome).state, "stopped");
  assert.deepEqual(
    created.map((w) => w.alive),
    [false, true],
  );
});

test("what a terminated worker still says does not reach the next run", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const endless = job();
  python.run(endless);
  await settled();
  python.stop(endless);
  await settled();
  const next = python.run(job());
  await settled();
  created[0].say(done("failed"));
  created[1].say(done("passed"));
  assert.equal((await next).state, "passed");
});

test("Stop during the download gives up without starting again", async () => {
  const { created, create } = workers({ starts: false });
  const python = new Python(create);
  const waiting = job();
  const outcome = python.run(waiting);
  await settled();
  python.stop(waiting);
  assert.equal((await outcome).state, "stopped");
  assert.deepEqual(
    created.map((w) => w.alive),
    [false],
  );
});

test("Stop while waiting for a turn never runs the cell", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const first = python.run(job());
  await settled();
  const second = job({ input: { code: "2" } });
  const outcome = python.run(second);
  python.stop(second);
  created[0].say(done());
  await first;
  assert.equal((await outcome).state, "stopped");
  assert.equal(created[0].inbox.length, 2);
});

test("a start that fails is an error, and the next run tries again", async () => {
  const { created, create } = workers({ starts: false });
  const python = new Python(create);
  const outcome = python.run(job());
  await settled();
  created[0].say({ type: "broken", message: "Failed to fetch", suspects: [] });
  assert.deepEqual(await outcome, { state: "error", broken: "start", summary: "Failed to fetch" });
  const again = python.run(job());
  await settled();
  created[1].say({ type: "ready" });
  await settled();
  created[1].say(done());
  assert.equal((await again).state, "passed");
});

test("an outcome that is none is a crash, and the next run has a new worker", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  for (const forged of [undefined, null, {}, 3]) {
    const outcome = python.run(job());
    await settled();
    created.at(-1).say({ type: "done", outcome: forged, heap: 0 });
    assert.equal((await outcome).broken, "crash");
  }
  assert.equal(created.length, 4);
});

test("a start is not interrupted by what ended the worker before", async () => {
  const { created, create } = workers();
  const python = new Python(create, true);
  const endless = job({ grace: 0.001 });
  const outcome = python.run(endless);
  await settled();
  const { interrupt } = created[0].inbox[0];
  python.stop(endless);
  assert.equal(interrupt[0], 2);
  await outcome;
  assert.equal(created.length, 2);
  assert.equal(interrupt[0], 0);
});

test("a worker that dies in a run is an error and is replaced on the next run", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const outcome = python.run(job());
  await settled();
  created[0].onerror({ message: "out of memory" });
  assert.deepEqual(await outcome, { state: "error", broken: "crash", summary: "out of memory" });
  assert.equal(created[0].alive, false);
});

test("a worker whose memory has grown large is replaced after the run", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  const outcome = python.run(job());
  await settled();
  created[0].say(done("error", 2 ** 30));
  assert.equal((await outcome).state, "error");
  assert.deepEqual(
    created.map((w) => w.alive),
    [false, true],
  );
});

test("bytes are counted over all answers, and their content is untouched", async () => {
  const counts = [];
  const answers = { a: new Response("12345"), b: new Response("678") };
  const fetch = countingFetch(
    async (name) => answers[name],
    (n) => counts.push(n),
  );
  const first = await fetch("a");
  assert.equal(first, answers.a); // a copy would cost the browser its compiled wasm
  assert.equal(await first.text(), "12345");
  assert.equal(await (await fetch("b")).text(), "678");
  await settled();
  assert.equal(counts.at(-1), 8);
});

test("a download that breaks off fails for its reader, and nobody else", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const fetch = countingFetch(
    async () => new Response(broken),
    () => {},
  );
  await assert.rejects((await fetch("a")).text(), /gone/);
});

test("an answer from the cache, asked for again or not, is not a download", () => {
  const timed = (entry) => ({ getEntriesByName: () => (entry ? [entry] : []) });
  assert.equal(wasDownloaded("x", timed({ encodedBodySize: 833, transferSize: 1133 })), true);
  assert.equal(wasDownloaded("x", timed({ encodedBodySize: 833, transferSize: 300 })), false);
  assert.equal(wasDownloaded("x", timed({ encodedBodySize: 833, transferSize: 0 })), false);
  assert.equal(wasDownloaded("x", timed(null)), true);
});

test("an answer that is an error is passed on as it is", async () => {
  const missing = new Response("no", { status: 404 });
  const fetch = countingFetch(
    async () => missing,
    () => assert.fail("counted"),
  );
  assert.equal(await fetch("x"), missing);
});

test("each outcome has its words", () => {
  assert.match(
    phaseMessage({ name: "download", what: "Python", loaded: 2.5e6, total: 15e6 }),
    /2\.5 of 15\.0 MB/,
  );
  assert.match(outcomeMessage({ state: "stopped", stopped: "limit" }, 20), /after 20 seconds/);
  assert.match(outcomeMessage({ state: "error", memory: true, summary: "x" }), /Out of memory/);
  assert.match(
    outcomeMessage({ state: "error", broken: "start", summary: "Failed" }),
    /could not be started/,
  );
  assert.equal(phaseMessage({ name: "loading", what: "matplotlib" }), "Loading matplotlib…");
  assert.match(
    outcomeMessage({ state: "error", broken: "download", summary: "six did not arrive" }),
    /six did not arrive. Are you online/,
  );
  assert.equal(
    outcomeMessage({ state: "error", summary: "NameError: x (line 2)" }),
    "NameError: x (line 2)",
  );
  assert.notEqual(storageMessage("full"), storageMessage("forbidden"));
});

test("whoever counts on earlier runs hears when the worker is given up, and only then", async () => {
  const { created, create } = workers();
  const python = new Python(create);
  let losses = 0;
  python.onLost(() => (losses += 1));
  const first = python.run(job());
  await settled();
  created[0].say(done());
  await first;
  assert.equal(losses, 0);
  const endless = job();
  const second = python.run(endless);
  await settled();
  python.stop(endless); // without shared memory the worker goes
  await second;
  assert.equal(losses, 1);
  await settled();
  const third = python.run(job());
  await settled();
  created[1].say(done("passed", 2 ** 31));
  await third;
  assert.equal(losses, 2);
});
