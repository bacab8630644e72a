"""A page with one figure and nothing else: the widget's state, the loader and the figure's files.

The files come straight from the sources, laid out as on the site; no book has to be built.
"""

import json
from pathlib import Path

from ipywidgets.embed import dependency_state

from attn.palette import css
from web.ext.live_figures import STATE, VIEW, WIDGETS, strip_modules
from web.ext.security import with_policy

FIGURES = Path(__file__).resolve().parents[2] / "web/static/figures"
# The body stands in for the theme: as wide a column, at 1280 and at 360 pixels, and its type.
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="{theme}"><head><meta charset="utf-8" />
<title>{name}</title><link rel="icon" href="data:," />
<style>
{palette}body {{ max-width: 688px; margin: 0 auto; padding: 0 16px; background: var(--attn-paper);
  color: var(--attn-ink); font: 17px/1.65 system-ui, sans-serif; }}
</style>
<script type="{state_type}">{state}</script>
<script type="module" src="_static/figures/loader.mjs"></script></head>
<body><main><h1>A page with one figure</h1>
{view}{{"model_id": "{model}"}}</script></main></body></html>
"""

# Words of pictures that are cut: at the picture's edge, or where it may be left, at the figure's.
CUT = """root => [...root.querySelectorAll("svg")].flatMap((picture) => {
  const open = getComputedStyle(picture).overflow === "visible";
  const { left, right } = (open ? root : picture).getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < left - 1 || box.right > right + 1);
  }).map((text) => text.textContent);
})"""


def lay_out(folder: Path) -> None:
    """Make the sources appear below ``folder`` where the site has them."""
    static = folder / "_static"
    static.mkdir(parents=True)
    (static / "figures").symlink_to(FIGURES)
    (static / "attn").symlink_to(WIDGETS)


def page(widget, theme: str) -> str:
    """The page's HTML, under the site's security policy."""
    state = strip_modules({"state": dependency_state([widget], drop_defaults=False)})
    html = PAGE.format(
        theme=theme,
        palette=css(),
        name=type(widget).__name__,
        state_type=STATE,
        state=json.dumps(state).replace("</", "<\\/"),
        view=VIEW,
        model=widget.model_id,
    )
    return with_policy(html)
