"""The cases that the figures' arithmetic is held to are what attn.core computes today."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
spec = importlib.util.spec_from_file_location("golden_make", GOLDEN / "make.py")
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)


@pytest.mark.parametrize("stem", sorted(make.FILES))
def test_the_committed_cases_equal_attn_core_today(stem):
    committed, current = make.read(stem), make.FILES[stem]()
    anew = f"to write the file anew: tests/golden/make.py {stem}"
    assert [c["name"] for c in committed] == [c["name"] for c in current], anew
    differing = [
        new["name"]
        for old, new in zip(committed, current, strict=True)
        if not make.is_same(old, new)
    ]
    assert differing == [], anew


def test_writing_a_file_again_changes_only_what_is_not_equal_to_1e_12(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "HERE", tmp_path)
    path = tmp_path / "weighting.json"
    make.write("weighting")
    first = path.read_text(encoding="utf-8")
    cases = make.share_cases()
    cases[0]["result"][0] += 1e-14
    cases[1]["result"][0] += 1e-9
    monkeypatch.setitem(make.FILES, "weighting", lambda: cases)
    make.write("weighting")
    lines = zip(first.splitlines(), path.read_text(encoding="utf-8").splitlines(), strict=True)
    assert [old == new for old, new in lines][1:3] == [True, False]


def test_no_golden_file_is_without_a_maker():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(make.FILES)


def test_infinities_survive_json():
    assert json.dumps(make.encode(np.array([np.inf, -np.inf, 1.5]))) == '["inf", "-inf", 1.5]'
