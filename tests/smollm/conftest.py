"""The real language model, from the build's cache."""

import json
from pathlib import Path

import pytest

from attn import smollm


@pytest.fixture(scope="session")
def model():
    """The model; skipped where no source has it."""
    try:
        return smollm.load()
    except smollm.MissingWeights as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def reference():
    """What other programs make of it: see make_reference.py."""
    return json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))
