"""Shared by all tests: their order, how hypothesis draws, what "equal" means, the one browser."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("attn", deadline=None, max_examples=30, derandomize=True)
settings.load_profile("attn")

# What takes long starts first: `make test` hands tests to workers in this order, and none should
# be left with a long one at the end.
LONGEST_FIRST = ("lab", "engines", "processors", "page", "web", "book", "nn", "exercises")
TESTS = Path(__file__).parent

TOLERANCE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}


def pytest_collection(session):
    """Import the figures as a package before one folder of them is collected by its path.

    pytest's importlib mode would import that folder twice, and its class would not be the one in
    `attn.widgets`.
    """
    if any("attn/widgets" in Path(argument).as_posix() for argument in session.config.args):
        import attn.widgets  # noqa: F401


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """Long ones first; all of JupyterLab on one worker, since there is one JupyterLab."""
    items.sort(key=_start)
    for item in items:
        if item.path.is_relative_to(TESTS / "lab"):
            item.add_marker(pytest.mark.xdist_group("lab"))


def _start(item):
    places = [n for n, name in enumerate(LONGEST_FIRST) if item.path.is_relative_to(TESTS / name)]
    return places[0] if places else len(LONGEST_FIRST)


@pytest.fixture(scope="session")
def assert_close():
    """Compare shape, type and values: float64 to 1e-12, float32 to 1e-5."""

    def check(ours, theirs):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        tolerance = TOLERANCE[ours.dtype]
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)

    return check


@pytest.fixture(scope="session")
def minilm_weights():
    """The real model of chapter 12, fetched as the build does it; skipped if no source has it."""
    return load_model("minilm")


def load_model(name):
    """A real model of `attn`, fetched as the build does it."""
    from importlib import import_module

    from web.builder.third_party import assets

    module = import_module(f"attn.{name}")
    assets.place_models()
    try:
        return module.load(assets.MODELS / name)
    except module.MissingWeights as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def smollm_model():
    """The language model of attn.smollm, fetched as the build does it; skipped without it."""
    return load_model("smollm")


@pytest.fixture(scope="session")
def playwright():
    """One for all tests of a process: two of Playwright's loops cannot live in one."""
    from browsers.chromium import PATIENCE_MS
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright):
    """One Chromium for all tests of a process."""
    from browsers import chromium

    started = chromium.launch(playwright)
    yield started
    started.close()
