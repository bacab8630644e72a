/** The real model on a page. Loaded only by pages that have the directive; the model comes on a click. */
import { Parts } from "../downloads/parts.mjs";
import { python } from "../page_python/page-python.mjs";
import { OwnSentence } from "./own-sentence.mjs";

const folder = new URL("../minilm/", import.meta.url);
const { caches } = globalThis; // only where the address is https or this machine
const files = new Parts(folder, "attn-real-model", { fetch: fetch.bind(globalThis), caches });

/** @type {HTMLElement|null} */
const root = document.querySelector(".attn-model");
const data = root?.querySelector("script.attn-model-data");
if (root && data) {
  const part = new OwnSentence(root, JSON.parse(data.textContent), { python, files });
  addEventListener("hashchange", () => part.follow(location.hash));
  part.follow(location.hash);
}
