import assert from "node:assert/strict";
import { test } from "node:test";
import { DownloadError } from "../../web/downloads/download-error.mjs";
import { loadOptional } from "../../web/page_python/optional-packages.mjs";

const SETS = {
  plots: { title: "plots", packages: ["lines", "colours"], probe: "lines.whl", bytes: 300 },
  tables: { title: "tables", packages: ["tables"], probe: "tables.whl", bytes: 20 },
};

/** A Python that loads what `arrives`, and what it was asked for and said of it. */
function setting({ arrives = () => true, cached = [] } = {}) {
  const asked = [];
  const said = [];
  const python = {
    loadedPackages: { numpy: "default channel" },
    async loadPackage(names) {
      asked.push(names);
      for (const name of names) if (arrives(name)) python.loadedPackages[name] = "default channel";
    },
  };
  const report = {
    isAtHand: async (file) => cached.includes(file),
    onLoading: (what) => said.push(["loading", what]),
    onDownload: (what, bytes) => said.push(["download", what, bytes]),
  };
  return { asked, said, load: (...names) => loadOptional(python, SETS, names, report) };
}

test("a set is loaded once, and who asks again waits for nothing", async () => {
  const { asked, said, load } = setting();
  assert.equal(await load("plots"), true);
  assert.equal(await load("plots"), false);
  assert.deepEqual(asked, [["lines", "colours"]]);
  assert.deepEqual(said, [
    ["loading", "plots"],
    ["download", "plots", 300],
  ]);
});

test("a task that needs nothing loads nothing and says nothing", async () => {
  const { asked, said, load } = setting();
  assert.equal(await load(), false);
  assert.deepEqual([...asked, ...said], []);
});

test("two sets are one download, of which what is in the cache is no part", async () => {
  const both = setting();
  await both.load("plots", "tables");
  assert.deepEqual(both.said.at(-1), ["download", "plots and tables", 320]);
  const half = setting({ cached: ["tables.whl"] });
  await half.load("plots", "tables");
  assert.deepEqual(half.said.at(-1), ["download", "plots and tables", 300]);
  const none = setting({ cached: ["tables.whl", "lines.whl"] });
  await none.load("plots", "tables");
  assert.deepEqual(none.said, [["loading", "plots and tables"]]);
});

test("what does not arrive is named, and asked for again by the next call", async () => {
  let online = false;
  const { load } = setting({ arrives: (name) => online || name === "lines" });
  await assert.rejects(load("plots"), (error) => {
    assert.ok(error instanceof DownloadError);
    assert.equal(error.message, "colours did not arrive");
    return true;
  });
  online = true;
  assert.equal(await load("plots"), true);
  assert.equal(await load("plots"), false);
});
