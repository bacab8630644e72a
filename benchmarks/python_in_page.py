"""Python in the page: how long a reader waits for the first run, on the next visit, for a check.

Needs the built site (`make book`). Times run from the click on *Run* to the verdict, in a real
browser on this machine. Each round is a reader with a profile of their own, kept on disk as at
home: a cold start has an empty cache, a warm one comes back after the browser was closed, and the
third clicks after three seconds in the editor. With `--against FOLDER`, another build of the site
takes turns with this one, and a ratio compares the medians.
"""

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

from browsers import chromium, packages
from playwright.sync_api import sync_playwright

from web.builder.paths import SITE
from web.builder.server.http_server import make_server

GOALS = {"cold start": 3.0, "warm start": 2.0, "3 s in editor": 0.3, "check": 0.2}
CELL = '.attn-exercise[data-exercise="01-softmax"]'
CLICK_AND_WAIT = """(root) => new Promise((done) => {
  const start = performance.now();
  new MutationObserver((_, observer) => {
    if (root.dataset.state === "running") return;
    observer.disconnect();
    done((performance.now() - start) / 1000);
  }).observe(root, { attributeFilter: ["data-state"] });
  root.querySelector(".attn-button-main").click();
})"""


def run_once(page) -> float:
    """Seconds from the click to the verdict."""
    return page.locator(CELL).evaluate(CLICK_AND_WAIT)


@contextmanager
def open_profile(playwright, profile):
    """A page in a browser that is started for it, with this profile, and closed after it."""
    context = playwright.chromium.launch_persistent_context(
        profile,
        executable_path=shutil.which("chromium")
        or packages.find("chromium"),  # a whole one, as at home
        args=chromium.FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else []),
    )
    context.set_default_timeout(chromium.PATIENCE_MS)
    yield context.new_page()
    context.close()


@contextmanager
def visit(playwright, profile, address):
    """A page with the editor in view."""
    with open_profile(playwright, profile) as page:
        page.goto(address)
        page.locator(CELL).scroll_into_view_if_needed()
        page.locator(CELL).get_by_role("textbox").wait_for()
        yield page


def measure(playwright, address) -> dict[str, list[float]]:
    """One reader: three visits, then ten checks of the solution."""
    times = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for kind in ("cold start", "warm start"):
            with visit(playwright, profile, address) as page:
                times[kind] = [run_once(page)]
        with visit(playwright, profile, address) as page:
            page.locator(CELL).get_by_role("textbox").focus()
            page.wait_for_timeout(3000)
            times["3 s in editor"] = [run_once(page)]
            solution = page.locator("#sol-01-softmax .cell_input pre").text_content()
            page.keyboard.press("Control+A")
            page.keyboard.insert_text(solution)
            times["check"] = [run_once(page) for _ in range(10)]
            assert page.locator(CELL).get_attribute("data-state") == "passed"
    return times


def rounds(addresses, count) -> list[dict[str, list[float]]]:
    """The times of each site; sites take turns, so that a busy machine slows all alike."""
    found = [{name: [] for name in GOALS} for _ in addresses]
    with sync_playwright() as playwright:
        for _ in range(count):
            for times, address in zip(found, addresses, strict=True):
                for name, more in measure(playwright, address).items():
                    times[name] += more
    return found


def serve(site) -> str:
    server = make_server(site, port=0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/book/01-lookup.html"


def weigh(site) -> None:
    """Print what a first run downloads: as files, and compressed as a host sends them."""
    folder = site / "_static" / "python"
    total = [0, 0]
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        sizes = len(data), min(len(data), len(gzip.compress(data)))
        total = [a + b for a, b in zip(total, sizes, strict=True)]
        if sizes[0] > 1e5:
            print(f"{path.name[:40]:40} {sizes[0] / 1e6:6.2f} MB {sizes[1] / 1e6:6.2f} compressed")
    print(f"{'in all':40} {total[0] / 1e6:6.2f} MB {total[1] / 1e6:6.2f} compressed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", type=Path, help="the folder of another built site")
    arguments = parser.parse_args()
    if not (SITE / "_static" / "python" / "runtime.json").exists():
        print("python_in_page: there is no site yet; `make book` builds it", file=sys.stderr)
        return 1
    sites = [SITE] + ([arguments.against] if arguments.against else [])
    for site in sites:
        weigh(site)
    ours, *other = rounds([serve(site) for site in sites], arguments.rounds)
    print(f"{'':14} {'median':>8} {'best':>8} {'goal':>8}" + "    other  ratio" * len(other))
    for name, goal in GOALS.items():
        middle = statistics.median(ours[name])
        met = "met" if middle <= goal else "missed"
        line = f"{name:14} {middle:7.2f}s {min(ours[name]):7.2f}s {goal:7.1f}s  {met}"
        for times in other:
            theirs = statistics.median(times[name])
            line += f"  {theirs:6.2f}s   {middle / theirs:.2f}"
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
