"""Where the project is, and what a build writes."""

from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
CACHE = TOP / ".cache"
BUILT = TOP / "_build"
SITE = BUILT / "html"
WARNED = BUILT / "warned.json"  # the pages that the last build warned of, if it came to its end
