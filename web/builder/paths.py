"""Where the project is, and what a build writes."""

from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
CACHE = TOP / ".cache"
BUILT = TOP / "_build"
SITE = BUILT / "html"
