"""The tables that the course carries: as their commands write them, and by commands that exist."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from attn import data

TABLES = sorted(data.HERE.glob("*.json"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_that_is_loaded_and_saved_is_the_same_to_the_byte(path, tmp_path, monkeypatch):
    table = data.load(path.stem)
    monkeypatch.setattr(data, "HERE", tmp_path)
    data.save(path.stem, table)
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert data.load(path.stem) == table


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_names_the_command_that_writes_it(path):
    python, option, module, *_ = data.load(path.stem)["command"].split()
    assert (python, option) == ("python", "-m")
    source = Path(find_spec(module).origin).read_text(encoding="utf-8")
    assert f'save("{path.stem}", ' in source


def test_what_a_new_run_changes_is_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "HERE", tmp_path)
    data.save("one", {"steps": [1, 2], "none": [], "arms": [{"seed": 0}, {"seed": 1}]})
    lines = (tmp_path / "one.json").read_text().splitlines()
    assert lines == [
        '{"steps": [1, 2], "none": [], "arms": [',
        '  {"seed": 0},',
        '  {"seed": 1}',
        "]}",
    ]
