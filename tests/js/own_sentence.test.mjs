// A reader's own sentence without a page: files, downloads, addresses, and the talk with Python.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { DownloadError } from "../../web/downloads/download-error.mjs";
import { Parts } from "../../web/downloads/parts.mjs";
import { addressOf, textsOf } from "../../web/real_model/address.mjs";
import { firstPair } from "../../web/real_model/comparison.mjs";
import * as messages from "../../web/real_model/messages.mjs";
import { SentenceReader } from "../../web/real_model/sentence-reader.mjs";

const FOLDER = new URL("https://example.org/site/_static/minilm/");
const content = { "layers-1.bin": [1, 2, 3, 4], "words-1.bin": [5, 6], "words-007-1.bin": [7] };
const sha256 = (bytes) => createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");
const entry = (name) => ({
  name,
  bytes: content[name].length,
  sha256: sha256(content[name]),
});
const manifest = {
  first: ["layers.bin", "words.txt"],
  files: {
    "layers.bin": entry("layers-1.bin"),
    "words.txt": entry("words-1.bin"),
    "words-007.bin": entry("words-007-1.bin"),
  },
};

/** A site with these files, and a record of what was asked for. */
function site({ broken = {} } = {}) {
  const asked = [];
  const fetch = async (url, { signal } = {}) => {
    signal?.throwIfAborted();
    const name = url.split("/").pop();
    asked.push(name);
    if (broken[name]) return broken[name]();
    if (name === "manifest.json") return new Response(JSON.stringify(manifest));
    return name in content
      ? new Response(new Uint8Array(content[name]))
      : new Response("", { status: 404 });
  };
  return { asked, fetch, broken };
}

/** What a browser keeps; `full` refuses to keep anything. */
function storage({ full = false } = {}) {
  const kept = new Map();
  const cache = {
    match: async (url) => kept.get(url)?.clone(),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    delete: async ({ url }) => kept.delete(url),
    put: async (url, response) => {
      if (full) throw new DOMException("quota", "QuotaExceededError");
      kept.set(url, response);
    },
  };
  return { open: async () => cache, kept };
}

const names = (caches) => [...caches.kept.keys()].map((url) => url.split("/").pop());
const calm = () => ({ signal: new AbortController().signal, onProgress() {} });

test("what was downloaded is kept, and is not downloaded again", async () => {
  const [{ asked, fetch }, caches] = [site(), storage()];
  const seen = [];
  const options = { ...calm(), onProgress: (progress) => seen.push(progress) };
  for (const visit of [1, 2]) {
    const files = new Parts(FOLDER, "model", { fetch, caches });
    assert.equal(await files.isKept("layers-1.bin"), visit === 2);
    const found = await files.get(manifest, manifest.first, options);
    assert.deepEqual([...found["layers.bin"]], content["layers-1.bin"]);
    assert.equal(files.unkept, null);
  }
  assert.deepEqual(asked.sort(), ["layers-1.bin", "words-1.bin"]);
  assert.deepEqual(seen.at(0), { loaded: 0, total: 6 });
  assert.deepEqual(seen.at(-1), { loaded: 6, total: 6 });
});

test("without storage, or with a full one, the model works and the page knows it was not kept", async () => {
  for (const caches of [undefined, storage({ full: true })]) {
    const files = new Parts(FOLDER, "model", { fetch: site().fetch, caches });
    const found = await files.get(manifest, ["words.txt"], calm());
    assert.deepEqual([...found["words.txt"]], [5, 6]);
    assert.equal(files.unkept, caches ? "full" : "forbidden");
    assert.equal(await files.isKept("words-1.bin"), false);
  }
});

const failures = {
  "the site cannot be reached": () => {
    throw new TypeError("Failed to fetch");
  },
  "the site answers 503 for layers-1.bin": () => new Response("", { status: 503 }),
  "layers-1.bin has 2 bytes instead of 4": () => new Response(new Uint8Array([1, 2])),
  "layers-1.bin arrived damaged": () => new Response(new Uint8Array([1, 2, 3, 0])),
};
for (const [says, answer] of Object.entries(failures)) {
  test(`a download that fails says why, and is not kept: ${says}`, async () => {
    const { fetch, broken } = site({ broken: { "layers-1.bin": answer } });
    const caches = storage();
    const files = new Parts(FOLDER, "model", { fetch, caches });
    await assert.rejects(files.get(manifest, manifest.first, calm()), (error) => {
      assert.ok(error instanceof DownloadError);
      assert.equal(error.message, says);
      return true;
    });
    assert.deepEqual(names(caches), ["words-1.bin"]);
    delete broken["layers-1.bin"];
    await files.get(manifest, manifest.first, calm());
    assert.deepEqual(names(caches).sort(), ["layers-1.bin", "words-1.bin"]);
  });
}

test("a file that arrives damaged is asked for once more", async () => {
  const [{ asked, fetch, broken }, caches] = [site(), storage()];
  broken["layers-1.bin"] = () => {
    delete broken["layers-1.bin"];
    return new Response(new Uint8Array([1, 2, 3, 0]));
  };
  const seen = [];
  const options = { ...calm(), onProgress: (progress) => seen.push(progress.loaded) };
  const found = await new Parts(FOLDER, "model", { fetch, caches }).get(
    manifest,
    ["layers.bin"],
    options,
  );
  assert.deepEqual([...found["layers.bin"]], content["layers-1.bin"]);
  assert.deepEqual(asked, ["layers-1.bin", "layers-1.bin"]);
  assert.deepEqual(seen, [0, 4, 0, 4]);
});

test("what was kept and is damaged since is downloaded again", async () => {
  const [{ asked, fetch }, caches] = [site(), storage()];
  const cache = await caches.open();
  await cache.put(new URL("layers-1.bin", FOLDER).href, new Response(new Uint8Array(4)));
  for (const _ of [1, 2]) {
    const files = new Parts(FOLDER, "model", { fetch, caches });
    const found = await files.get(manifest, ["layers.bin"], calm());
    assert.deepEqual([...found["layers.bin"]], content["layers-1.bin"]);
  }
  assert.deepEqual(asked, ["layers-1.bin"]);
});

test("a download of many parts that is stopped goes on with those that had not arrived", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 45 }, (_, i) => [
      `part ${i}`,
      { ...entry("words-1.bin"), name: `${i}.bin` },
    ]),
  );
  const stop = new AbortController();
  const asked = [];
  const fetch = async (url, { signal }) => {
    signal.throwIfAborted();
    asked.push(url);
    if (asked.length === 20) stop.abort();
    await new Promise((resume) => setTimeout(resume, 1));
    signal.throwIfAborted();
    return new Response(new Uint8Array(content["words-1.bin"]));
  };
  const parts = new Parts(FOLDER, "model", { fetch, caches: storage() });
  const list = Object.keys(files);
  const stopped = parts.get({ files }, list, { ...calm(), signal: stop.signal });
  await assert.rejects(stopped, { name: "AbortError" });
  assert.equal(asked.length, 20);
  const seen = [];
  const onProgress = ({ total }) => seen.push(total);
  const found = await parts.get({ files }, list, { ...calm(), onProgress });
  assert.equal(Object.keys(found).length, 45);
  assert.equal(new Set(asked).size, 45);
  assert.ok(asked.length <= 45 + 4, `${asked.length} requests`);
  assert.ok(seen[0] <= 2 * (45 - 16), `${seen[0]} bytes to go`);
});

test("a visit without the network takes the list of the last one", async () => {
  const [{ fetch, broken }, caches] = [site(), storage()];
  const files = new Parts(FOLDER, "model", { fetch, caches });
  const { signal } = new AbortController();
  assert.deepEqual(await files.manifest(signal), manifest);
  broken["manifest.json"] = failures["the site cannot be reached"];
  assert.deepEqual(await files.manifest(signal), manifest);
  const other = new Parts(FOLDER, "model", { fetch, caches: storage() });
  await assert.rejects(other.manifest(signal), DownloadError);
});

test("files of an earlier site are forgotten", async () => {
  const caches = storage();
  const cache = await caches.open();
  for (const name of ["layers-0.bin", "layers-1.bin", "manifest.json"])
    await cache.put(new URL(name, FOLDER).href, new Response(""));
  await new Parts(FOLDER, "model", { fetch: site().fetch, caches }).dropOld(manifest);
  assert.deepEqual(names(caches), ["layers-1.bin", "manifest.json"]);
});

/** A Python that needs what the real task needs, and forgets it when it is replaced. */
function python() {
  let held = new Set();
  const runs = [];
  return {
    runs,
    stopped: [],
    replace: () => (held = new Set()),
    warmUp() {},
    stop(job) {
      this.stopped.push(job);
    },
    async run(job) {
      const { texts, files } = job.input;
      runs.push(Object.keys(files));
      for (const part of Object.keys(files)) held.add(part);
      const missing = ["layers.bin", "words.txt"].filter((part) => !held.has(part));
      if (missing.length) return { state: "needs", files: missing };
      if (texts.length && !held.has("words-007.bin"))
        return { state: "needs", files: ["words-007.bin"] };
      return texts.length ? { state: "encoded", texts } : { state: "ready" };
    },
  };
}

test("the first sentence brings the model and its words, the next one nothing", async () => {
  const [{ asked, fetch }, own] = [site(), python()];
  const reader = new SentenceReader(own, new Parts(FOLDER, "model", { fetch }), () => {});
  assert.equal((await reader.read(["cat"])).state, "encoded");
  assert.deepEqual(own.runs, [["layers.bin", "words.txt"], ["words-007.bin"]]);
  asked.length = own.runs.length = 0;
  assert.equal((await reader.read(["dog"])).state, "encoded");
  assert.deepEqual([own.runs, asked], [[[]], []]);
  assert.equal(reader.busy, false);
});

test("a Python that was replaced gets the model again, from what is kept", async () => {
  const [{ asked, fetch }, caches, own] = [site(), storage(), python()];
  const reader = new SentenceReader(own, new Parts(FOLDER, "model", { fetch, caches }), () => {});
  await reader.read(["cat"]);
  own.replace();
  asked.length = 0;
  assert.equal((await reader.read(["cat"])).state, "encoded");
  assert.deepEqual(asked, []);
});

test("a reader can stop a download, and start it again", async () => {
  const waiting = (_, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
  const { fetch } = site();
  let blocked = true;
  const files = new Parts(FOLDER, "model", {
    fetch: (url, options) => (blocked && /layers/.test(url) ? waiting(url, options) : fetch(url)),
  });
  const reader = new SentenceReader(python(), files, () => {});
  const outcome = reader.read(["cat"]);
  await new Promise((resume) => setTimeout(resume, 5));
  assert.equal(reader.busy, true);
  reader.stop();
  assert.deepEqual(await outcome, { state: "stopped", stopped: "reader" });
  blocked = false;
  assert.equal((await reader.read(["cat"])).state, "encoded");
});

test("a task that asks for the same files for ever is an error", async () => {
  const own = { ...python(), run: async () => ({ state: "needs", files: ["words-007.bin"] }) };
  const reader = new SentenceReader(own, new Parts(FOLDER, "model", site()), () => {});
  await assert.rejects(reader.read(["cat"]), /same files/);
});

test("an address carries one sentence or two, and any text", () => {
  for (const texts of [["a cat"], ["50% & more? #1", "naïve “ducks” / 鴨"]])
    assert.deepEqual(textsOf(addressOf(texts)), texts);
  for (const other of ["", "#own-sentence", "#own-sentence?third=a", "#HeadBrowser?first=a"])
    assert.equal(textsOf(other), null);
});

test("the comparison begins with the longest word that both have, and never with a mark", () => {
  const noun = ["[CLS]", "the", "monitor", "flicker", "##s", "[SEP]"];
  const verb = ["[CLS]", "nurses", "monitor", "the", "patients", "[SEP]"];
  assert.deepEqual(firstPair([noun, verb]), [2, 6 + 2]);
  assert.deepEqual(firstPair([noun, verb], "the title names the"), [1, 6 + 3]);
  assert.deepEqual(firstPair([noun]), [1, 2]);
  assert.deepEqual(firstPair([["[CLS]", "cat", "[SEP]"]]), [1, 1]);
  assert.deepEqual(firstPair([noun, ["[CLS]", "cat", "[SEP]"]]), [1, 7]);
});

test("messages name bytes, limits and unknown words", () => {
  assert.equal(messages.loadLabel(12_502_554, false), "Load the model (12.5 MB, once)");
  assert.match(messages.loadLabel(12_502_554, true), /12\.5 MB, already in this browser/);
  const long = { state: "long", sentence: 1, tokens: 65, longest: 64 };
  assert.match(messages.longMessage(long, 2), /^The second sentence has 65 tokens.* 64 at most/);
  const read = (...tokens) => messages.encodedMessage({ sentences: [{ text: "", tokens }] });
  assert.equal(read("[CLS]", "cat", "[SEP]"), "The model has read 3 tokens.");
  assert.match(read("[CLS]", "[UNK]", "[SEP]"), /One of them is \[UNK\]/);
  assert.match(messages.failure({ state: "error", memory: true }), /not enough memory/);
});
