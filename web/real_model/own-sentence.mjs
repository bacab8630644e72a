/** A reader's own sentence, read by the real model: from the click that loads it to the figure. */
import { DownloadError } from "../downloads/download-error.mjs";
import { showBusy } from "../editing/busy.mjs";
import { clearMargin } from "../figures/margin.mjs";
import { addressOf, textsOf } from "./address.mjs";
import { comparison } from "./comparison.mjs";
import { addElements } from "./elements.mjs";
import * as messages from "./messages.mjs";
import { OwnFigure } from "./own-figure.mjs";
import { SentenceReader } from "./sentence-reader.mjs";

/** @typedef {import("./elements.mjs").ModelData} ModelData */

/**
 * What it shares with the page.
 * @typedef {object} Services
 * @property {import("../page_python/python.mjs").Python} python
 * @property {import("../downloads/parts.mjs").Parts} files
 */

export class OwnSentence {
  #root;
  #data;
  #files;
  #reader;
  #elements;
  #figure;

  /**
   * @param {HTMLElement} root
   * @param {ModelData} data
   * @param {Services} services
   */
  constructor(root, data, { python, files }) {
    this.#root = root;
    this.#data = data;
    this.#files = files;
    this.#reader = new SentenceReader(python, files, (step) => this.#showStep(step));
    this.#elements = addElements(root, data);
    this.#figure = new OwnFigure(this.#elements.figure, data.figure);
    this.#listen();
    this.#fill(data.tries[0].texts.slice(0, 1));
    this.#labelLoad();
    root.querySelector(".attn-waiting")?.remove();
  }

  get #texts() {
    const { first, second, secondRow } = this.#elements;
    return [first, ...(secondRow.hidden ? [] : [second])].map(({ value }) => value.trim());
  }

  get #isLoaded() {
    return this.#root.dataset.state === "ready";
  }

  #listen() {
    const { load, stop, form, more, link, tries, first, second } = this.#elements;
    load.onclick = () => this.#load();
    stop.onclick = () => this.#reader.stop();
    form.onsubmit = (event) => {
      event.preventDefault();
      this.#encode();
    };
    more.onclick = () => {
      const isShown = Boolean(this.#elements.secondRow.hidden);
      this.#showSecond(isShown);
      if (isShown) second.focus();
    };
    for (const input of [first, second]) input.oninput = () => this.#updateLink();
    link.onclick = () => this.#say(messages.linkedMessage);
    tries.forEach((button, i) => {
      button.onclick = () => this.#try(this.#data.tries[i].texts);
    });
  }

  /** Take the sentences of the page's address, if it carries any. @param {string} hash */
  follow(hash) {
    const texts = textsOf(hash);
    if (texts && texts.join("\n") !== this.#texts.join("\n")) this.#try(texts);
    if (texts) this.#root.scrollIntoView({ block: "start" });
  }

  /** @param {string[]} texts */
  #try(texts) {
    this.#fill(texts);
    if (this.#isLoaded) this.#encode();
    else this.#say(messages.firstMessage);
  }

  /** @param {string[]} texts */
  #fill([first, second]) {
    this.#elements.first.value = first;
    this.#elements.second.value = second ?? "";
    this.#showSecond(second !== undefined);
  }

  /** @param {boolean} isShown */
  #showSecond(isShown) {
    const { secondRow, more } = this.#elements;
    secondRow.hidden = !isShown;
    more.setAttribute("aria-expanded", String(isShown));
    more.textContent = isShown ? "Remove the second sentence" : "Compare with a second sentence";
    this.#updateLink();
  }

  #updateLink() {
    this.#elements.link.href = addressOf(this.#texts);
  }

  async #labelLoad() {
    const { load } = this.#elements;
    load.textContent = messages.loadLabel(this.#data.bytes, false);
    if (await this.#files.isKept(this.#data.layers))
      load.textContent = messages.loadLabel(this.#data.bytes, true);
  }

  #load() {
    if (this.#reader.busy) return;
    return this.#run(this.#texts.every(Boolean) ? this.#texts : [], "loading");
  }

  #encode() {
    if (this.#reader.busy) return;
    const { first, second } = this.#elements;
    if (!this.#isLoaded) return this.#say(messages.firstMessage);
    const empty = this.#texts.indexOf("");
    if (empty >= 0) {
      this.#say(messages.emptyMessage);
      [first, second][empty].focus();
      return;
    }
    return this.#run(this.#texts, "ready");
  }

  /** @param {string[]} texts @param {"loading"|"ready"} state  meanwhile */
  async #run(texts, state) {
    const before = this.#root.dataset.state === "ready" ? "ready" : "idle";
    this.#root.dataset.state = state;
    this.#showBusy(true);
    try {
      const answer = await this.#reader.read(texts);
      await this.#show(answer, texts.length, before);
    } catch (error) {
      const reason = error instanceof DownloadError ? error.message : String(error);
      this.#fail(messages.downloadFailure(reason));
    }
    this.#showBusy(false);
  }

  /**
   * @param {import("./sentence-reader.mjs").Answer} answer
   * @param {number} count  of the sentences
   * @param {string} before  the state before
   */
  async #show(answer, count, before) {
    if (answer.state === "stopped" && answer.stopped === "reader") {
      this.#root.dataset.state = before;
      return this.#say(messages.stoppedMessage);
    }
    if (answer.state === "error" || answer.state === "stopped")
      return this.#fail(messages.failure(answer));
    if (answer.state === "encoded") await this.#showEncoded(answer);
    this.#root.dataset.state = "ready";
    clearMargin(); // it is wider now
    this.#elements.cost.hidden = true;
    const said =
      answer.state === "encoded" ? messages.encodedMessage(answer) : this.#refusal(answer, count);
    const { unkept } = this.#files;
    this.#say(unkept ? `${said} ${messages.unkeptMessage(unkept)}` : said);
  }

  /** @param {import("./sentence-reader.mjs").Answer} answer @param {number} count */
  #refusal(answer, count) {
    return answer.state === "long"
      ? messages.longMessage(/** @type {any} */ (answer), count)
      : messages.emptyMessage;
  }

  /** @param {import("./sentence-reader.mjs").Encoded} encoded */
  async #showEncoded(encoded) {
    await this.#figure.show(encoded.figure);
    this.#elements.comparison.replaceChildren(comparison(encoded, this.#titleOf(encoded)));
    const [first, second] = encoded.sentences.map(({ tokens }) => tokens.join(" "));
    this.#root.dataset.tokens = first;
    if (second === undefined) delete this.#root.dataset.secondTokens;
    else this.#root.dataset.secondTokens = second;
  }

  /** What the page calls these sentences, if it suggests them. @param {import("./sentence-reader.mjs").Encoded} encoded */
  #titleOf({ sentences }) {
    const said = sentences.map(({ text }) => text).join("\n");
    return this.#data.tries.find(({ texts }) => texts.join("\n") === said)?.name;
  }

  /** @param {string} text */
  #fail(text) {
    this.#root.dataset.state = "error";
    this.#elements.load.textContent = "Try again";
    this.#say(text);
  }

  /** @param {boolean} isBusy */
  #showBusy(isBusy) {
    const { load, stop, encode, progress, bytes, loading } = this.#elements;
    load.hidden = this.#isLoaded;
    loading.hidden = this.#isLoaded && !isBusy;
    showBusy({ root: this.#root, runs: [load, encode], stop }, isBusy);
    if (isBusy) return;
    progress.hidden = true;
    bytes.textContent = "";
  }

  /** @param {import("./sentence-reader.mjs").Step} step */
  #showStep(step) {
    const { progress, bytes } = this.#elements;
    const isDownload = "loaded" in step;
    progress.hidden = !isDownload;
    bytes.textContent = isDownload ? messages.bytesMessage(step) : "";
    if (isDownload) progress.value = Math.min(1, step.loaded / step.total);
    this.#say(messages.stepMessage(step));
  }

  /** @param {string} text */
  #say(text) {
    if (this.#elements.status.textContent !== text) this.#elements.status.textContent = text;
  }
}
