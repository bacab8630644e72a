// What is looked at while the figure learns.

/** The largest number of steps that any one of so many frames took. */
export async function stepsPerFrame(root, frames) {
  const step = () => Number(root.querySelector(".attn-readings b").textContent);
  const seen = [step()];
  for (let k = 0; k < frames; k += 1) {
    await new Promise(requestAnimationFrame);
    seen.push(step());
  }
  return Math.max(...seen.slice(1).map((now, k) => now - seen[k]));
}

/** Each weight of a row of the map. */
export function weightsOf(row) {
  const cells = [...row.querySelectorAll(".attn-heat-cell")];
  return cells.map((cell) => Number(cell.style.getPropertyValue("--w")));
}

/** From now on the drawings are counted: each writes the state in words once. */
export function countDrawings(root) {
  root.drawings = 0;
  root.since = performance.now();
  const count = () => {
    root.drawings += 1;
  };
  new MutationObserver(count).observe(root.querySelector("output"), { childList: true });
}

/** How many drawings there were, and in how many seconds. */
export function drawingsAndSeconds(root) {
  return [root.drawings, (performance.now() - root.since) / 1000];
}
