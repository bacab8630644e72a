/** Run a task in the page's Python: its outcome, its phases, and what it sent. */
export async function run([root, task, input]) {
  if (!window.workers) {
    window.workers = 0;
    window.Worker = class extends Worker {
      constructor(...options) {
        super(...options);
        window.workers += 1;
      }
    };
  }
  const { python } = await import(`${root}_static/page_python/page-python.mjs`);
  const [phases, sent] = [[], []];
  const outcome = await python.run({
    task,
    input,
    limit: 600,
    grace: 600,
    onPhase: (phase) => phases.push(phase),
    onOutput: (kind, content) => sent.push([kind, content]),
  });
  return { outcome, phases, sent };
}
