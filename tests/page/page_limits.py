"""What a page may weigh, ask for and break: the measures behind the tests over every page."""

import gzip
import json
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from browsers.page_functions import page_function
from browsers.site_server import SUB_PATH

MOST_BYTES = 250 * 1024  # as a page opens
MOST_BYTES_READ = 410 * 1024  # after it was read to its end: editors came
MOST_PIXELS = 700  # of a figure's height on a desk: a control and what it changes fit one screen
COMPRESSED = {".woff", ".woff2", ".png", ".whl"}  # gzip gains nothing on these
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# axe-core calls this one experimental and leaves it off: who speaks to a page names what they see.
AXE_MORE = ["label-content-name-mismatch"]
CONTRAST = "color-contrast"  # dearer than all other rules together
RUN_AXE = page_function(__file__, "runAxe")
REPEATED_IDS = page_function(__file__, "repeatedIds")
WIDE_FORMULAS = page_function(__file__, "wideFormulas")


def transfer_sizes(record, site: Path) -> dict[str, int]:
    """Bytes of each file of the site that the page asked for, as a server sends them (gzip)."""
    sizes = {}
    for url in record.requests:
        path = site / unquote(urlsplit(url).path).removeprefix(SUB_PATH)
        path = path / "index.html" if path.is_dir() else path
        if path.is_file():
            sizes[str(path.relative_to(site))] = sent_size(path, path.stat().st_mtime_ns)
    return sizes


@cache
def sent_size(path: Path, _changed: int) -> int:
    """Bytes of a file on the wire; most pages ask for the same files, so each is weighed once."""
    whole = path.read_bytes()
    return len(whole if path.suffix in COMPRESSED else gzip.compress(whole, 6))


def python_megabytes(site: Path) -> float:
    """What a first run of code fetches, as a server sends it."""
    folder = site / "_static/python"
    runtime = json.loads((folder / "runtime.json").read_text())
    lock = json.loads((folder / runtime["lock"]).read_text())["packages"]
    packages = [folder / lock[name]["file_name"] for name in runtime["packages"]]
    files = [*(folder / runtime["pyodide"]).iterdir(), folder / runtime["stdlib"], *packages]
    return sum(sent_size(file, file.stat().st_mtime_ns) for file in files) / 1e6


def violations(page, axe, within="html", *, only=(), without=()) -> list[str]:
    """What axe-core finds, in words; of some of its rules, or of all but some."""
    page.evaluate(axe)
    rules = dict.fromkeys(AXE_MORE, True) | dict.fromkeys(without, False)
    found = page.evaluate(RUN_AXE, [within, AXE_TAGS, rules, list(only)])
    return [
        f"{problem['id']}: {node['html'][:200]} | {node['failureSummary'][:300]}"
        for problem in found["violations"]
        for node in problem["nodes"][:3]
    ]
