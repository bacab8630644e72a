"""Figures of several chapters on one page, as when JupyterLab has two open."""

import pytest

from attn import widgets
from attn.widgets.kit.figure import WIDGETS

FIGURES = [getattr(widgets, name) for name in widgets.__all__]
# A notebook brings the kit with every figure: once more after all of their own sheets.
SHEETS = sorted(f"{path.parent.name}/style.css" for path in WIDGETS.glob("*/style.css"))
SHEETS.append("kit/style.css?again")
# The computed style of every element; of those alike, down from the root, one speaks for all.
REMEMBER = """root => {
  const kind = (node) => node === root ? "" : `${kind(node.parentElement)} > ${node.tagName}`
    + [...node.attributes].map(({ name, value }) => name === "class" ? `.${value}` : `[${name}]`);
  const style = (node) => {
    const computed = getComputedStyle(node);
    return Object.fromEntries([...computed].map((name) => [name, computed.getPropertyValue(name)]));
  };
  const nodes = new Map([...root.querySelectorAll("*"), root].map((node) => [kind(node), node]));
  root.alone = [...nodes].map(([name, node]) => [name, node, style(node)]);
}"""
WEAR = """(root, sheets) => Promise.all(sheets.map((name) => new Promise((resolve, reject) => {
  const link = document.createElement("link");
  const href = new URL(`_static/attn/${name}`, location.href);
  document.head.append(Object.assign(link, { rel: "stylesheet", href, onload: resolve }));
  link.onerror = () => reject(new Error(href));
})))"""
CHANGED = """root => root.alone.flatMap(([kind, node, alone]) => {
  const now = getComputedStyle(node);
  return Object.keys(alone).filter((name) => now.getPropertyValue(name) !== alone[name])
    .map((name) => [kind, name, alone[name], now.getPropertyValue(name)].join(" | "));
})"""


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("cls", FIGURES)
def test_beside_all_others_a_figure_looks_as_it_does_alone(open_figure, cls, width):
    root = open_figure(cls(), width=width)
    root.evaluate(REMEMBER)
    root.evaluate(WEAR, SHEETS)
    assert root.evaluate(CHANGED) == []
