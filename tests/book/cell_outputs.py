"""What the cells of a chapter printed in the last build."""

import functools
from pathlib import Path

from jupyter_cache import get_cache

TOP = Path(__file__).resolve().parents[2]


@functools.cache
def printed_by_cells(name: str) -> list[str]:
    """The text that each code cell of a chapter printed, in the order of the page."""
    cache = get_cache(str(TOP / ".cache/execution"))
    record = cache.get_cached_project_nb(str(TOP / f"book/{name}.md"))
    assert record is not None, f"{name} has no results: run `make book` first"
    notebook = cache.get_cache_bundle(record.pk).nb
    return ["\n".join(map(_text, c.outputs)) for c in notebook.cells if c.cell_type == "code"]


def _text(output) -> str:
    return output.get("text", "") or output.get("data", {}).get("text/plain", "")
