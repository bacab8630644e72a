/** Remember the computed style of every element; of those alike, one speaks for all. */
export function rememberStyles(root) {
  const attribute = ({ name, value }) => (name === "class" ? `.${value}` : `[${name}]`);
  const kind = (node) =>
    node === root
      ? ""
      : `${kind(node.parentElement)} > ${node.tagName}${[...node.attributes].map(attribute)}`;
  const style = (node) => {
    const computed = getComputedStyle(node);
    return Object.fromEntries([...computed].map((name) => [name, computed.getPropertyValue(name)]));
  };
  const nodes = new Map([...root.querySelectorAll("*"), root].map((node) => [kind(node), node]));
  root.alone = [...nodes].map(([name, node]) => [name, node, style(node)]);
}

/** Load style sheets of other figures. */
export function addSheets(_, sheets) {
  const load = (name) =>
    new Promise((resolve, reject) => {
      const href = new URL(`_static/attn/${name}`, location.href);
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      Object.assign(link, { onload: resolve, onerror: () => reject(new Error(href)) });
      document.head.append(link);
    });
  return Promise.all(sheets.map(load));
}

/** What differs from the styles that were remembered. */
export function changedStyles(root) {
  return root.alone.flatMap(([kind, node, alone]) => {
    const style = getComputedStyle(node);
    return Object.keys(alone)
      .filter((name) => style.getPropertyValue(name) !== alone[name])
      .map((name) => [kind, name, alone[name], style.getPropertyValue(name)].join(" | "));
  });
}
