"""A short name for the model, where every test is about it."""

import pytest


@pytest.fixture(scope="session")
def model(minilm_weights):
    return minilm_weights
