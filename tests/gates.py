"""What a page may weigh, ask for and break: the measures behind the tests over every page."""

import gzip
from pathlib import Path
from urllib.parse import unquote, urlsplit

SUB_PATH = "/course/site/"
MOST_BYTES = 600 * 1024
PACKED = {".woff", ".woff2", ".png", ".whl"}  # gzip gains nothing on these
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

IDS_SEEN_TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((el) => el.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""


def transferred(record, site: Path) -> dict[str, int]:
    """Bytes of each file of the site that the page asked for, as a server sends them (gzip)."""
    sizes = {}
    for url in record.requests:
        path = site / unquote(urlsplit(url).path).removeprefix(SUB_PATH)
        path = path / "index.html" if path.is_dir() else path
        if path.is_file():
            whole = path.read_bytes()
            packed = path.suffix in {".woff", ".woff2", ".png", ".whl"}
            sizes[str(path.relative_to(site))] = (
                len(whole) if packed else len(gzip.compress(whole, 6))
            )
    return sizes


def violations(page, axe) -> list[str]:
    """What axe-core finds, in words."""
    page.evaluate(axe)
    found = page.evaluate(
        "rules => axe.run({preload: false, runOnly: {type: 'tag', values: rules}})", AXE_RULES
    )
    return [
        f"{problem['id']}: {node['html'][:200]} | {node['failureSummary'][:300]}"
        for problem in found["violations"]
        for node in problem["nodes"][:3]
    ]
