// Numbers that are too many for a figure's state: files in the folder `data` beside its drawing. In
// a notebook the model brings them along; on the site each is fetched when a state first needs it,
// and none before the figure is near.

const NEAR = "800px"; // how far below the window a figure may be when its data is fetched

/** @type {(text: string) => Uint8Array} */
const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Promises to be kept when the reader comes near.
/** @type {(node: Element) => Promise<void>} */
const nearness = (node) =>
  new Promise((resolve) => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((one) => one.isIntersecting)) return;
        watcher.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    watcher.observe(node);
  });

/**
 * The part of a figure's model that is used here.
 * @typedef {object} Source
 * @property {(name: string) => any} get
 * @property {(name: string) => Promise<Uint8Array>} [file]
 */

/**
 * get(name) gives the bytes of a file, or null while they are not here; then `arrived` is called
 * when they are, or when they cannot be had. While any is on its way the node is busy.
 * @param {Source} model
 * @param {Element} node
 * @param {() => void} arrived
 */
export function dataFiles(model, node, arrived) {
  /** @type {Map<string, Uint8Array | null>} */
  const held = new Map();
  /** @type {Set<string>} */
  const failed = new Set();
  /** @type {Promise<void> | undefined} */
  let near;
  const fetchFile = async (/** @type {string} */ name) => {
    near ??= nearness(node);
    await near;
    try {
      if (!model.file) throw new Error("this page brings no data files");
      held.set(name, await model.file(name));
      failed.delete(name);
    } catch (error) {
      console.error(error);
      held.delete(name); // so that the next time it is asked for anew
      failed.add(name);
    }
    const waiting = [...held.values()].includes(null);
    if (!waiting) node.removeAttribute("aria-busy");
    arrived();
  };
  return {
    get(/** @type {string} */ name) {
      const brought = model.get("_files")?.[name];
      if (brought && !held.has(name)) held.set(name, decode(brought));
      if (!held.has(name) && !failed.has(name)) {
        held.set(name, null);
        node.setAttribute("aria-busy", "true");
        fetchFile(name);
      }
      return held.get(name) ?? null;
    },
    failed: (/** @type {string} */ name) => failed.has(name),
    // The reader asked for something else: what failed may be tried again.
    retry: () => failed.clear(),
  };
}
