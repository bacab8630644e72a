"""One figure alone in a page, straight from the sources; no book has to be built.

``python -m web.builder.server.figure_page HeadSplitter`` serves it and reloads it on every save.
The page is made by a new Python each time, so a change of the figure's class shows as one of its
drawing does.
"""

import argparse
import functools
import html
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from web.builder.paths import TOP
from web.builder.server.http_server import SiteServer, make_server, run
from web.builder.server.reload import Changes, ReloadingHandler, script_tag
from web.course import course
from web.figures.live_figures import STATE, VIEW, strip_modules
from web.theme.security import with_policy

LOADER = TOP / "web/figures"
# The body stands in for the theme: as wide a column, at 1280 and at 360 pixels, and its type.
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="{theme}"><head><meta charset="utf-8" />
<title>{title}</title><link rel="icon" href="data:," />
<style>
{palette}body {{ max-width: 688px; margin: 0 auto; padding: 0 16px; background: var(--attn-paper);
  color: var(--attn-ink); font: 17px/1.65 system-ui, sans-serif; }}
@media (min-width: 80rem) {{ .attn-widget[data-wide] {{ width: calc(100% + 13rem);
  max-width: none; }} }}
</style>
{head}</head>
<body><main><h1>A page with one figure</h1>
{body}</main></body></html>
"""
# Who opens the page without a theme gets their browser's; a link changes it.
LINKS = '<p><a href="?theme=light">light</a> · <a href="?theme=dark">dark</a></p>'
SWITCH = """<script>
const asked = new URLSearchParams(location.search).get("theme");
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = asked ?? (dark ? "dark" : "light");
</script>
"""
# Reads modules without running them: at the first that it cannot read, Node names file and line.
CHECK_SYNTAX = """
const { SourceTextModule } = require("node:vm");
for (const file of process.argv.slice(1))
  new SourceTextModule(require("node:fs").readFileSync(file, "utf8"), { identifier: file });
"""
FIGURE = """<script type="{kind}">{state}</script>
<script type="module" src="_static/figures/loader.mjs"></script>"""


def link_sources(folder: Path) -> None:
    """Make the sources appear below ``folder`` where the site has them."""
    static = folder / "_static"
    static.mkdir(parents=True)
    (static / "figures").symlink_to(LOADER)
    (static / "attn").symlink_to(course().figures.folder)


def page(widget: Any, theme: str = "light", *, head: str = "", links: str = "") -> str:
    """The HTML of a page with one figure, under the site's security policy."""
    from ipywidgets.embed import dependency_state  # with what it imports, a second

    state = strip_modules({"state": dependency_state([widget], drop_defaults=False)})
    figure = FIGURE.format(kind=STATE, state=json.dumps(state).replace("</", "<\\/"))
    view = f'{VIEW}{{"model_id": "{widget.model_id}"}}</script>'
    return _page(type(widget).__name__, theme, head=figure + head, body=links + view)


def _page(title: str, theme: str, *, head: str, body: str) -> str:
    whole = PAGE.format(theme=theme, title=title, palette=course().palette(), head=head, body=body)
    return with_policy(whole)


def syntax_error(name: str) -> str:
    """What Node says of a module of the figure in this folder that it cannot read, if any."""
    figures = course().figures
    folder = figures.folder.relative_to(TOP)
    files = [str(folder / module) for module in figures.modules(f"{name}/drawing.js")]
    command = ["node", "--experimental-vm-modules", "--no-warnings", "-e", CHECK_SYNTAX, *files]
    checked = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    return checked.stderr.partition("\n    at ")[0]


def checked_page(widget: Any, head: str) -> str:
    """The page of a figure whose JavaScript can be read; else the program ends and says why."""
    if error := syntax_error(type(widget)._folder):
        sys.exit(error)
    return page(widget, head=head, links=LINKS)


def current_page(name: str, head: str) -> str:
    """The page as the sources are now; where they fail, what Python or Node says of it."""
    code = (
        "from web.course import course; from web.builder.server.figure_page import checked_page; "
        f"print(checked_page(course().figures.create({name!r}), {head!r}))"
    )
    rendered = subprocess.run(
        [sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=False
    )
    if rendered.returncode == 0:
        return rendered.stdout
    print(rendered.stderr, file=sys.stderr, flush=True)
    return _page(name, "light", head=head, body=f"<pre>{html.escape(rendered.stderr)}</pre>")


class FigureHandler(ReloadingHandler):
    """The page of the figure `name` at the top, the files that it asks for below it."""

    name: str

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path != "/":
            super().do_GET()
            return
        head = SWITCH + script_tag(self.changes.count)
        self.send_text(current_page(self.name, head), "text/html")


def start(name: str, folder: Path, port: int) -> SiteServer:
    """A server of one figure's page, which watches the sources."""
    link_sources(folder)
    changes = Changes()
    changes.watch(course().package, LOADER)
    handler = type("Handler", (FigureHandler,), {"name": name, "changes": changes})
    return make_server(folder, port, base=handler)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    if arguments.name not in (names := course().figures.names()):
        known = ", ".join(names)
        print(f"figure: NAME={arguments.name} is none of {known}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        starting = functools.partial(start, arguments.name, Path(folder))
        return run(f"figure NAME={arguments.name}", starting, arguments.port)


if __name__ == "__main__":
    sys.exit(main())
