"""From the click on a link to a page that can be read: its text, its formulas, its first figure.

Needs a built site (`make book`) and a browser. Given folders of sites take turns, each visit with
an empty cache, and their times are also told as shares of the last one's. Files come compressed,
as a host sends them. A formula stands when it is drawn in its own typeface, by MathML or by a
script; a figure when it says its state in words.
"""

import argparse
import gzip
import io
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from statistics import median

from browsers import chromium
from browsers.site_server import serve
from page.page_limits import COMPRESSED
from playwright.sync_api import sync_playwright

from web.builder.paths import SITE
from web.builder.server.http_server import SiteHandler

PAGES = ("09-vs-rnn", "05-multi-head", "07-position", "01-lookup")
KINDS = ("text", "formulas", "figure")
SLOW_NETWORK = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 7.5e5 / 8}
# What a reader has: nothing held back, a slow network, and with it a processor four times as slow.
READERS = {
    "as it is": (None, 1),
    "1.6 Mbit/s, 150 ms": (SLOW_NETWORK, 1),
    "and processor / 4": (SLOW_NETWORK, 4),
}
NOTE_TIMES = """(() => {
  const times = {};
  const drawn = () => {
    const faces = [...document.fonts].filter((face) => /MJX|Formulas/.test(face.family));
    return (
      document.readyState !== "loading" &&
      document.querySelector("math, mjx-container") !== null &&
      document.querySelector(".math:not(:has(mjx-container))") === null &&
      faces.some((face) => face.status === "loaded") &&
      faces.every((face) => face.status !== "loading")
    );
  };
  const shown = {
    text: () => performance.getEntriesByName("first-contentful-paint").length > 0,
    formulas: () => times.text !== undefined && drawn(),
    figure: () => Boolean(document.querySelector(".attn-widget output")?.textContent),
  };
  window.openingTimes = new Promise((done) => {
    const look = () => {
      for (const [name, isThere] of Object.entries(shown))
        if (times[name] === undefined && isThere()) times[name] = performance.now();
      if (Object.keys(times).length < 3) requestAnimationFrame(look);
      else done(times);
    };
    requestAnimationFrame(look);
  });
})()"""


class CompressingHandler(SiteHandler):
    """Files as a host sends them."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file() or path.suffix in COMPRESSED:
            return super().send_head()
        body = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


@cache
def compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


def open_once(started, address, network, processor) -> dict[str, float]:
    """Milliseconds to each of `KINDS` for a reader who comes for the first time."""
    context = started.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(NOTE_TIMES)
    session = context.new_cdp_session(page)
    if network:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, **network})
    session.send("Emulation.setCPUThrottlingRate", {"rate": processor})
    page.goto(address, wait_until="commit")
    times = page.evaluate("window.openingTimes")
    context.close()
    return times


def line(name, found) -> str:
    """Median and range of each site, in seconds; each but the last as a share of the last."""
    *others, last = [[one[name] / 1000 for one in times] for times in found]
    told = [
        f"{median(times):.2f} ({min(times):.2f} to {max(times):.2f})" for times in (*others, last)
    ]
    shares = [f"{median(times) / median(last):.2f}" for times in others]
    return f"  {name:9}" + "".join(f"{part:>22}" for part in told + shares)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, nargs="*", default=[SITE], help="built sites")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", default=",".join(PAGES))
    arguments = parser.parse_args()
    for site in arguments.sites:
        if not (site / "index.html").exists():
            print(f"page_opening: no site in {site}; `make book` builds one", file=sys.stderr)
            return 1
    with sync_playwright() as playwright, ExitStack() as stack:
        started = chromium.launch(playwright)
        addresses = []
        for site in arguments.sites:
            server, address = serve(site, base=CompressingHandler)
            stack.callback(server.shutdown)
            addresses.append(address)
        print("seconds, median (range), one site after the other; then shares of the last one")
        for reader, held_back in READERS.items():
            for page in arguments.pages.split(","):
                found = [[] for _ in addresses]
                for _ in range(arguments.rounds):
                    for times, address in zip(found, addresses, strict=True):
                        times.append(open_once(started, f"{address}book/{page}.html", *held_back))
                print(f"{page}, {reader}")
                for name in KINDS:
                    print(line(name, found), flush=True)
        started.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
