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


ARMS = [
    {"arm": "a", "measured_steps": [0, 50], "accuracy": [[0.1, 0.9], [0.2, 0.3]]},
    {"arm": "b", "rate": 1, "check": [[0.9, 0.2]], "test": [[0.8, 0.1]]},
    {"arm": "b", "rate": 2, "check": [[0.1, 0.3]], "test": [[0.2, 0.4]]},
]


@pytest.mark.parametrize(("values", "count"), [({"arm": "c"}, 0), ({"arm": "b"}, 2)])
def test_a_question_that_no_record_or_several_answer_says_how_many_do(values, count):
    with pytest.raises(ValueError, match=rf"must hold .*: {count} of 3 do"):
        data.find_record(ARMS, **values)


def test_each_seed_s_run_is_had_after_a_measured_number_of_steps():
    record = data.find_record(ARMS, arm="a")
    assert data.runs_after(record, 50).tolist() == [0.9, 0.3]
    with pytest.raises(ValueError, match=r"one of \[0, 50\]: got 30"):
        data.runs_after(record, 30)


def test_a_run_that_was_never_above_a_level_took_no_steps_to_it():
    assert data.steps_until(data.find_record(ARMS, arm="a"), 0.5) == [50, None]


def test_a_step_size_is_chosen_by_the_end_on_the_check_set_alone():
    assert data.tuned_runs(ARMS, arm="b").tolist() == [0.4]
