/** What the part about a reader's own sentence says of itself, in words. */

/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** @param {number} bytes @param {boolean} kept */
export const loadLabel = (bytes, kept) =>
  kept
    ? `Start the model (${megabytes(bytes)}, already in this browser)`
    : `Load the model (${megabytes(bytes)}, once)`;

/** @param {{pythonBytes: number, shardBytes: number}} data */
export const costMessage = ({ pythonBytes, shardBytes }) =>
  `Python (${megabytes(pythonBytes)}) comes with it, unless an exercise has brought it before; each ` +
  `sentence may add a few parts of the word table (${megabytes(shardBytes)} each). Your browser keeps ` +
  "them all for the next visit.";

/** What is going on. @param {import("./sentence-reader.mjs").Step} step */
export function stepMessage(step) {
  if (step.name === "model") return "Downloading the model…";
  if (step.name === "download") return "Downloading Python, once for this course…";
  if (step.name === "starting") return "Starting Python…";
  if (step.name === "waiting") return "Waiting for Python: something else on this page is running…";
  return "The model is reading…";
}

/** Bytes so far, for the eye. @param {{loaded: number, total: number}} step */
export const bytesMessage = ({ loaded, total }) => `${megabytes(loaded)} of ${megabytes(total)}`;

/** @param {import("./sentence-reader.mjs").Encoded} encoded */
export function encodedMessage({ sentences }) {
  const counts = sentences.map(({ tokens }) => `${tokens.length} tokens`).join(" and ");
  const tokens = sentences.flatMap((sentence) => sentence.tokens);
  const unknown = tokens.filter((token) => token === "[UNK]").length;
  const what = unknown === 1 ? "One of them is [UNK]" : `${unknown} of them are [UNK]`;
  const note = unknown
    ? ` ${what}: the model’s vocabulary, which is English, has no piece for it, so all such words look alike to the model.`
    : "";
  return `The model has read ${counts}.${note}`;
}

/** @param {import("./sentence-reader.mjs").TooLong} answer @param {number} count of sentences */
export function longMessage({ sentence, tokens, longest }, count) {
  const which =
    count > 1 ? ["The first sentence", "The second sentence"][sentence] : "Your sentence";
  return `${which} has ${tokens} tokens; the figure draws ${longest} at most. Shorten it.`;
}

export const emptyMessage = "There is nothing to read yet: type a sentence.";
export const firstMessage = "Load the model first; the button says what that costs.";
export const stoppedMessage = "Stopped. Files that had arrived whole are kept.";
export const linkedMessage = "The address of this page now carries your text; you can copy it.";
/** @param {import("../downloads/parts.mjs").Unkept} why */
export const unkeptMessage = (why) =>
  `Your browser did not keep the model, since its storage is ${why}: the next visit downloads it again.`;

/** Why the model could not be loaded or did not answer. @param {string} reason */
export const downloadFailure = (reason) =>
  `The download failed: ${reason}. Are you online? Files that arrived whole are kept; try again.`;

/** @param {import("../page_python/python.mjs").Outcome} outcome */
export function failure(outcome) {
  if (outcome.memory)
    return "There is not enough memory: the model needs about 200 MB. Close other tabs, then try again.";
  if (outcome.broken === "start")
    return `Python could not be started: ${outcome.summary}. Are you online? Try again.`;
  if (outcome.state === "stopped") return "The model took too long. Try again.";
  return `The model could not read this (${outcome.summary}). Try again.`;
}
