"""Cells in the page: how long a reader waits from the click on *Run* to what it shows.

Needs the built site (`make book`). Each round is a reader with a profile of their own, kept on
disk as at home: a cold start has an empty cache, a warm one comes back after the browser was
closed. The cell of text runs after four others; the plot is the first one of its page, so that
matplotlib comes with it. Then all cells of the chapter run in one go.
"""

import argparse
import statistics
import sys
import tempfile

from playwright.sync_api import sync_playwright

from benchmarks.python_in_page import open_profile, serve
from web.builder.paths import SITE

TEXT, PLOT = '.attn-cell[data-cell="5"]', '.attn-cell[data-cell="10"]'
ALL = ".attn-cells"
CLICK_AND_WAIT = """(root) => new Promise((done) => {
  const start = performance.now();
  const isBusy = () => root.getAttribute("aria-busy") === "true";
  root.querySelector("button").click();
  new MutationObserver((_, observer) => {
    if (isBusy()) return;
    observer.disconnect();
    done((performance.now() - start) / 1000);
  }).observe(root, { attributeFilter: ["aria-busy"] });
})"""


def measure(playwright, address) -> dict[str, float]:
    """One reader: the first text, again, the first plot and all cells, cold and warm."""
    times = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for kind in ("cold", "warm"):
            with open_profile(playwright, profile) as page:
                page.goto(address)
                page.locator(f"{TEXT} button").first.wait_for(state="attached")

                def run(root, page=page):
                    return page.locator(root).evaluate(CLICK_AND_WAIT)

                times[f"text, {kind}"] = run(TEXT)
                times[f"text again, {kind}"] = run(TEXT)
                times[f"first plot, {kind}"] = run(PLOT)
                times[f"all cells, {kind}"] = run(ALL)
                assert page.locator(PLOT).get_attribute("data-state") == "ran"
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if not (SITE / "_static" / "python" / "runtime.json").exists():
        print("cells_in_page: there is no site yet; `make book` builds it", file=sys.stderr)
        return 1
    address = serve(SITE)
    with sync_playwright() as playwright:
        rounds = [measure(playwright, address) for _ in range(arguments.rounds)]
    print(f"{'':18} {'median':>8} {'best':>8}")
    for name in rounds[0]:
        found = [one[name] for one in rounds]
        print(f"{name:18} {statistics.median(found):7.2f}s {min(found):7.2f}s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
