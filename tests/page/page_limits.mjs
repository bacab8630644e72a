// What is measured in a page, for the limits of page_limits.py.

/** Run axe-core, which the page must have, and give what it finds. */
export function runAxe([within, tags, rules, only]) {
  return axe.run(within, {
    preload: false,
    resultTypes: ["violations"], // what passes is counted, not described: a third of the time
    runOnly: only.length ? { type: "rule", values: only } : { type: "tag", values: tags },
    rules: Object.fromEntries(Object.entries(rules).map(([name, enabled]) => [name, { enabled }])),
  });
}

export function repeatedIds() {
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

/** Formulas that are wider than the column they stand in: a reader would have to scroll them. */
export function wideFormulas() {
  return [...document.querySelectorAll(".bd-article .equation")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.querySelector("annotation")?.textContent);
}
