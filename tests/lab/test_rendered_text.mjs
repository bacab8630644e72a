// What JupyterLab shows of a notebook's Markdown cells.

/** The words of each cell, in lines as displayed, without what is shown as code. */
export function cellTexts() {
  return [...document.querySelectorAll(".jp-MarkdownCell .myst")].map((cell) => {
    const copy = cell.cloneNode(true);
    for (const node of copy.querySelectorAll("pre, code, .katex")) node.remove();
    for (const fold of copy.querySelectorAll("details")) fold.open = true;
    document.body.append(copy);
    const text = copy.innerText;
    copy.remove();
    return text;
  });
}

/** What jupyterlab-myst draws where it cannot resolve a name or does not know a directive. */
export function unresolvedMarks() {
  const missing = [...document.querySelectorAll('.myst [title$="Not Found"]')];
  const unknown = [...document.querySelectorAll(".myst *")].filter(
    (node) => node.children.length < 2 && /Unknown (Directive|Role)/.test(node.textContent),
  );
  return [...missing, ...unknown].map((node) => node.textContent.trim());
}

export function links() {
  const found = [...document.querySelectorAll(".myst a[href]")];
  return found.map((link) => [link.textContent, link.getAttribute("href")]);
}

/** Of each link that sets a figure on the site, whether it looks like text here. */
export function stateLinks() {
  const found = [...document.querySelectorAll('.myst a[href^="#"][href*="?"]')];
  return found.map((link) => {
    const [own, around] = [getComputedStyle(link), getComputedStyle(link.parentElement)];
    const isPlain = own.color === around.color && own.textDecorationLine === "none";
    return isPlain && own.pointerEvents === "none";
  });
}
