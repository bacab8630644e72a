import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hasHash, integrity, judgedFetch, verdicts } from "../../web/downloads/judged-fetch.mjs";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** What is refused of a file that should hold "right", and how each request for it was made. */
function judged(answer, name = "stdlib.zip") {
  const url = `https://course/${name}`;
  const refused = [];
  const requests = [];
  const suspects = new Set();
  const fetch = judgedFetch(
    async (_, options) => {
      requests.push(options);
      return answer();
    },
    {
      hashes: new Map([[url, sha256("right")]]),
      suspects,
      refuse: (message) => refused.push(message),
    },
  );
  return { ask: (options) => fetch(url, options), refused, requests, suspects };
}

test("a hash is compared digit by digit", async () => {
  const content = new TextEncoder().encode("right");
  assert.equal(await hasHash(content, sha256("right")), true);
  assert.equal(await hasHash(content, sha256("wrong")), false);
  assert.deepEqual(integrity(sha256("right")), {}); // for a browser that can compute no hash
});

test("a file that is what it should be is handed on", async () => {
  const { ask, refused } = judged(() => new Response("right"));
  assert.equal(await (await ask()).text(), "right");
  assert.deepEqual(refused, []);
});

test("a file that is missing, breaks off or is another one is refused in words, before it is used", async () => {
  const broken = () => {
    const pull = (controller) => controller.error(new Error("gone"));
    return new Response(new ReadableStream({ pull }));
  };
  for (const [answer, fault] of [
    [() => new Response("no", { status: 404 }), "is missing: the site answers 404"],
    [broken, "did not arrive whole"],
    [() => new Response("wrong"), "arrived damaged"],
  ]) {
    const { ask, refused } = judged(answer);
    await ask();
    assert.deepEqual(refused, [`stdlib.zip ${fault}`]);
  }
  const { ask, refused } = judged(() => Promise.reject(new TypeError("Failed to fetch")));
  await assert.rejects(ask());
  assert.deepEqual(refused, ["stdlib.zip did not arrive whole"]);
});

test("WebAssembly is handed on while it is judged", async () => {
  const { ask, refused } = judged(() => new Response("wrong"), "python.wasm");
  const response = await ask();
  assert.deepEqual(refused, []);
  await verdicts.get(response);
  assert.deepEqual(refused, ["python.wasm arrived damaged"]);
});

test("what arrived damaged is asked for past the browser's cache, what was stopped is not", async () => {
  const { ask, requests } = judged(() => new Response("wrong"));
  await ask();
  await ask();
  assert.deepEqual(
    requests.map(({ cache }) => cache),
    [undefined, "reload"],
  );
  const stopped = judged(() => Promise.reject(new DOMException("stopped", "AbortError")));
  await assert.rejects(stopped.ask());
  assert.deepEqual([stopped.refused, stopped.suspects.size], [[], 0]);
});
