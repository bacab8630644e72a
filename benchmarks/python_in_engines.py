"""Python in the page in three engines: from the click on *Run* to the verdict.

Needs the built site (`make book`) and the engines (`make browser`). A cold start is the first run
in a browser that was just started, a warm one the first run after the page was opened again in it,
and the third clicks after three seconds in the editor. Chromium with a profile kept on disk, as at
home, is measured by `python_in_page.py`. With `--against FOLDER`, another build of the site takes
turns with this one.
"""

import argparse
import statistics
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from browsers import packages
from browsers.site_server import serve
from engines.conftest import START
from playwright.sync_api import sync_playwright

from web.builder.paths import SITE

KINDS = ("cold start", "warm start", "3 s in editor")
CHAPTER = "book/01-lookup.html"
CELL = '.attn-exercise[data-exercise="01-softmax"]'
EDITOR = f"{CELL} .cm-content"
SHOW = "(cell) => document.querySelector(cell)?.scrollIntoView() ?? true"
CLICK = """(cell) => {
  const [root, start] = [document.querySelector(cell), performance.now()];
  window.took = null;
  new MutationObserver((_, observer) => {
    if (root.dataset.state === "running") return;
    observer.disconnect();
    window.took = (performance.now() - start) / 1000;
  }).observe(root, { attributeFilter: ["data-state"] });
  root.querySelector(".attn-button-main").click();
}"""


def visit(tab, address) -> None:
    """Open the page and bring the editor into view."""
    tab.go(address + CHAPTER)
    tab.wait("(cell) => document.querySelector(cell)", CELL)
    tab.evaluate(SHOW, CELL)
    tab.wait("(editor) => document.querySelector(editor)", EDITOR)


def click(tab) -> float:
    """Seconds from the click to the verdict."""
    tab.evaluate(CLICK, CELL)
    return tab.wait("() => window.took")


def measure(browser, address) -> list[float]:
    """One reader's three visits."""
    tab = browser.open()
    try:
        visit(tab, address)
        times = [click(tab)]
        visit(tab, address)
        times.append(click(tab))
        visit(tab, address)
        tab.focus(EDITOR)
        time.sleep(3)
        return [*times, click(tab)]
    finally:
        tab.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, help="the folder of another built site")
    arguments = parser.parse_args()
    if not (SITE / "_static" / "python" / "runtime.json").exists():
        print("python_in_engines: there is no site yet; `make book` builds it", file=sys.stderr)
        return 1
    sites = [SITE] + ([arguments.against] if arguments.against else [])
    names = "".join(f"{kind:>22}" for kind in KINDS)
    print(f"{'median, s':10}{names}")
    for engine in packages.NAMES:
        if packages.find(engine) is None:
            print(packages.lacking(engine))
            continue
        line = f"{engine:10}"
        for shown in _medians(engine, sites, arguments.rounds):
            ratio = f" {shown[0] / shown[1]:4.2f} of {shown[1]:5.2f}" if shown[1:] else ""
            line += f"{f'{shown[0]:6.2f}{ratio}':>22}"
        print(line, flush=True)
    return 0


def _medians(engine, sites, rounds) -> list[list[float]]:
    """For each kind of visit, the median of each site; sites take turns, each in a new browser."""
    found = [[] for _ in sites]
    with sync_playwright() as playwright, ExitStack() as stack:
        addresses = []
        for site in sites:
            server, address = serve(site, isolated=True)
            stack.callback(server.shutdown)
            addresses.append(address)
        for _ in range(rounds):
            for times, address in zip(found, addresses, strict=True):
                browser = START[engine](playwright, packages.find(engine))
                times.append(measure(browser, address))
                browser.close()
    middles = [[statistics.median(one) for one in zip(*times, strict=True)] for times in found]
    return [list(kind) for kind in zip(*middles, strict=True)]


if __name__ == "__main__":
    sys.exit(main())
