"""ARCHITECTURE leads to files that are there, and stays a map."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
TEXT = (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8")
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", TEXT)))


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_to_a_file_or_a_folder(link):
    assert (TOP / link).exists()


def test_every_room_of_the_project_is_on_the_map():
    rooms = {path.parent for path in TOP.glob("attn/*/__init__.py")}
    rooms |= {path.parent for path in TOP.glob("web/*/__init__.py")}
    names = {room.relative_to(TOP).as_posix() for room in rooms}
    assert {name for name in names if name not in TEXT} == set()
    assert len(names) > 8


def test_it_is_read_in_one_sitting():
    assert TEXT.count("\n") < 250
