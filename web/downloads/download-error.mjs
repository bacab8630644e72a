/** A download that did not arrive, with a reason that a reader understands. */
export class DownloadError extends Error {}
