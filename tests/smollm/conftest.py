"""A short name for the language model, and what other programs make of it."""

import json
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def model(smollm_model):
    return smollm_model


@pytest.fixture(scope="session")
def reference():
    """What other programs make of it: see make_reference.py."""
    return json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))
