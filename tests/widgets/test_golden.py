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


def numbers(x):
    return np.array(x).astype(float)


@pytest.mark.parametrize("stem", sorted(make.FILES))
def test_the_committed_cases_equal_attn_core_today(stem):
    committed = json.loads((GOLDEN / f"{stem}.json").read_text(encoding="utf-8"))
    current = make.FILES[stem]()
    assert [c["name"] for c in committed] == [c["name"] for c in current]
    for old, new in zip(committed, current, strict=True):
        assert old["arguments"] == new["arguments"], old["name"]
        if isinstance(new["result"], str):
            assert old["result"] == new["result"], old["name"]
            continue
        np.testing.assert_allclose(
            numbers(old["result"]),
            numbers(new["result"]),
            rtol=1e-12,
            atol=1e-12,
            err_msg=old["name"],
        )


def test_no_golden_file_is_without_a_maker():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(make.FILES)


def test_infinities_survive_json():
    assert json.dumps(make.encode(np.array([np.inf, -np.inf, 1.5]))) == '["inf", "-inf", 1.5]'
