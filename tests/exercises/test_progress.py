"""A class table from progress files, and clear words for files that are none."""

import json

import pytest

from attn.exercises.__main__ import main
from attn.exercises.progress import UNVERIFIED, ProgressError, read_progress


def _file(tmp_path, file="ada.json", **changes):
    entry = {"passed": True, "tries": 3, "at": "2026-01-01T10:00:00Z", "starter": "abc"}
    data = {"format": "attn-progress", "version": 1, "name": "Ada", "exercises": {}}
    data["exercises"]["01-softmax"] = entry
    path = tmp_path / file
    path.write_text(json.dumps(data | changes), encoding="utf-8")
    return str(path)


def test_the_report_is_a_table_of_exercises_by_name_with_totals(tmp_path, capsys):
    failed = {
        "01-softmax": {"passed": False, "tries": 5},
        "01-sharpness": {"passed": True, "tries": 1},
    }
    files = [_file(tmp_path), _file(tmp_path, "bob.json", name="Bob", exercises=failed)]
    assert main(["report", *files]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["exercise", "Ada", "Bob", "passed"]
    assert ["01-softmax", "✓3", "✗5", "1/2"] in rows
    assert ["01-sharpness", "-", "✓1", "1/2"] in rows
    assert ["passed", "1", "1", "2"] in rows
    assert ["tries", "3", "6", "9"] in rows


def test_the_report_says_that_browser_progress_is_unverified(tmp_path, capsys):
    main(["report", _file(tmp_path)])
    assert capsys.readouterr().out.rstrip().endswith(UNVERIFIED)
    assert "unverified" in UNVERIFIED


def test_an_exercise_that_the_course_does_not_know_is_marked(tmp_path, capsys):
    main(["report", _file(tmp_path, exercises={"99-x": {"passed": True, "tries": 1}})])
    assert "99-x (not in the catalogue)" in capsys.readouterr().out


def test_a_reader_without_a_name_gets_the_name_of_the_file(tmp_path):
    assert read_progress(_file(tmp_path, "group-3.json", name="")).name == "group-3"


def test_control_characters_in_a_name_do_not_reach_the_terminal(tmp_path):
    assert read_progress(_file(tmp_path, name="A\x1b[2Jda\n")).name == "A [2Jda"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"format": "other"}, 'a progress file has "format": "attn-progress"'),
        ({"version": 2}, "version 1 can be read, not 2"),
        ({"version": True}, "version 1 can be read, not True"),
        ({"name": 3}, "name is text and exercises an object"),
        ({"exercises": []}, "name is text and exercises an object"),
        ({"exercises": {"01-softmax": None}}, "exercise '01-softmax' has .* None found"),
        ({"exercises": {"01-softmax": {"passed": 1, "tries": 1}}}, "true or false"),
        ({"exercises": {"01-softmax": {"passed": True, "tries": -1}}}, "tries -1 found"),
        ({"exercises": {"01-softmax": {"passed": True, "tries": "3"}}}, "tries '3' found"),
    ],
)
def test_a_file_that_breaks_the_format_is_refused_by_name(tmp_path, changes, rule):
    with pytest.raises(ProgressError, match=rule) as caught:
        read_progress(_file(tmp_path, **changes))
    assert "ada.json: " in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000, b"nonsense", b"3"]
)
def test_a_file_that_is_no_progress_file_is_refused(tmp_path, content):
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(ProgressError, match=r"odd\.json: (not a JSON file|a progress file has)"):
        read_progress(path)


def test_good_files_are_reported_when_another_cannot_be_read(tmp_path, capsys):
    assert main(["report", _file(tmp_path), str(tmp_path / "nobody.json")]) == 1
    out, err = capsys.readouterr()
    assert "Ada" in out
    assert "nobody.json: cannot be read: No such file" in err


def test_list_prints_the_catalogue(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "01-softmax" in out
    assert "How far does the answer move?" in out


def test_a_file_with_the_cells_that_a_reader_changed_is_read_as_one_without(tmp_path):
    cells = {"01-lookup/5": {"text": "print(1)", "version": "ab12", "at": "2026-01-01T10:00:00Z"}}
    assert read_progress(_file(tmp_path, cells=cells)) == read_progress(_file(tmp_path))
