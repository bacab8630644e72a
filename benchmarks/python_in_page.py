"""Python in the page: how long a reader waits for the first run, for the next visit, for a check.

Needs the built site (`make book`). Times run from the click on *Run* to the verdict, in a real
browser on this machine; a cold start has an empty cache, a warm one a new page of the same browser.
"""

import argparse
import gzip
import json
import statistics
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP / "web"), str(TOP / "tests")]

import browser as chromium  # noqa: E402
from serve import SITE, make_server  # noqa: E402

GOALS = {"cold start": 8.0, "warm start": 4.0, "check": 0.2}
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


def visit(context, address) -> tuple[float, list[float]]:
    """One visit: its first run, then ten checks of the solution."""
    page = context.new_page()
    page.goto(address)
    first = run_once(page)
    solution = page.locator("#sol-01-softmax .cell_input pre").text_content()
    page.locator(CELL).scroll_into_view_if_needed()
    page.locator(CELL).get_by_role("textbox").focus()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(solution)
    checks = [run_once(page) for _ in range(10)]
    assert page.locator(CELL).get_attribute("data-state") == "passed"
    page.close()
    return first, checks


def measure(browser, address, rounds) -> dict[str, list[float]]:
    times = {name: [] for name in GOALS}
    for _ in range(rounds):
        context = browser.new_context()
        for kind in ("cold start", "warm start"):
            first, checks = visit(context, address)
            times[kind].append(first)
            times["check"] += checks
        context.close()
    return times


def download() -> tuple[float, float]:
    """Megabytes of the first run: as files, and compressed as a host sends them."""
    folder = SITE / "_static" / "python"
    index = folder / json.loads((folder / "runtime.json").read_text())["pyodide"]
    files = [path for path in [*folder.glob("*"), *index.glob("*")] if path.is_file()]
    sizes = [(len(data), len(gzip.compress(data))) for data in map(Path.read_bytes, files)]
    return sum(raw for raw, _ in sizes) / 1e6, sum(min(both) for both in sizes) / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if not (SITE / "_static" / "python" / "runtime.json").exists():
        print("python_in_page: there is no site yet; `make book` builds it", file=sys.stderr)
        return 1
    server = make_server(SITE, port=0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/book/01-lookup.html"
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        times = measure(browser, address, arguments.rounds)
        browser.close()
    server.shutdown()
    raw, sent = download()
    print(f"download of the first run: {raw:.1f} MB, {sent:.1f} MB compressed")
    print(f"{'':12} {'median':>8} {'best':>8} {'goal':>8}")
    for name, goal in GOALS.items():
        middle = statistics.median(times[name])
        met = "met" if middle <= goal else "missed"
        print(f"{name:12} {middle:7.2f}s {min(times[name]):7.2f}s {goal:7.1f}s  {met}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
