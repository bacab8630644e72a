"""Shared by all tests: how hypothesis draws, what "equal" means, the one browser."""

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("attn", deadline=None, max_examples=30, derandomize=True)
settings.load_profile("attn")

TOLERANCE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}


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
def playwright():
    """One for all tests of a process: two of Playwright's loops cannot live in one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright):
    """One Chromium for all tests of a process."""
    import browser as chromium

    started = chromium.launch(playwright)
    yield started
    started.close()
