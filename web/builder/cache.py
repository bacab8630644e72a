"""What is made once and kept: a folder or a file, named by the hash of what it is made from.

Each is written aside and renamed, whole or not at all, since two builds may share the cache.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def kept_folder(place: Path, make: Callable[[Path], None]) -> Path:
    """The folder; if it is not there, ``make`` fills an empty one that takes its place."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
            made = Path(scratch) / place.name
            made.mkdir()
            make(made)
            if not place.exists():  # another build may have been quicker
                os.rename(made, place)
    return place


def write_whole(place: Path, content: bytes) -> None:
    """Write a file in one step."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
        file.write(content)
    os.replace(file.name, place)
