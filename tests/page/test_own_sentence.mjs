/** The numbers of a map's cells, from "it to animal: 0.69". @param {Element[]} titles */
export function cells(titles) {
  return titles.map((title) => Number(title.textContent.split(": ").at(-1)));
}

/** Give the page another Python, as a stop does where memory cannot be shared. */
export async function replacePython() {
  const here = document.querySelector('script[src*="real-model.mjs"]').src;
  const { python } = await import(new URL("../page_python/page-python.mjs", here).href);
  const job = { task: "exercise", input: { code: "while True: pass", exercise: "01-softmax" } };
  const running = new Promise((resolve) => {
    const onPhase = ({ name }) => name === "running" && resolve();
    Object.assign(job, { limit: 60, grace: 0, onPhase, onOutput() {} });
  });
  const outcome = python.run(job);
  await running;
  await new Promise((resume) => setTimeout(resume, 100));
  python.stop(job);
  return (await outcome).state;
}

/** What reaches beyond the frame of the part. @param {HTMLElement} root */
export function tooWide(root) {
  const { right } = root.getBoundingClientRect();
  const parts = [...root.querySelectorAll("*")].filter((one) => one.getClientRects().length);
  return parts
    .filter((one) => one.getBoundingClientRect().right > right + 1)
    .map((one) => one.outerHTML.slice(0, 80));
}

/** What of the page lies over the right end of an element. Asking moves nothing, as a click would. */
export function coveredBy(element) {
  const { right, top, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(right - 8, top + height / 2);
  return found === element ? null : (found?.className ?? "nothing in view");
}
