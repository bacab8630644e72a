"""Chromium, Firefox and WebKit against the built site, each started once."""

import pytest
from browsers import packages
from browsers.host import host
from browsers.playwright_tab import Chromium, Firefox
from browsers.webkit_tab import WebKit

START = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}
GROUPS = {name: pytest.mark.xdist_group(name) for name in packages.NAMES}  # each on one worker
PARAMETERS = [pytest.param(name, marks=group) for name, group in GROUPS.items()]
# What `make test` asks in Chromium alone, and the matrix in the others.
in_full = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=[group] if name == "chromium" else [group, pytest.mark.matrix])
        for name, group in GROUPS.items()
    ],
    indirect=True,
)
# With the headers that isolate a page; a host without them is asked with the matrix.
HOSTS = ["isolated", pytest.param("plain", marks=pytest.mark.matrix)]


class Engine:
    """A browser, and the site on two hosts: with the headers that isolate a page and without."""

    def __init__(self, name, browser, isolated, plain):
        self.name, self.browser, self.isolated, self.plain = name, browser, isolated, plain

    def open(self, **options):
        return self.browser.open(**options)


@pytest.fixture(scope="session", params=PARAMETERS)
def engine(request, playwright):
    name = request.param
    path = packages.find(name)
    if path is None:
        (pytest.skip if packages.may_skip() else pytest.fail)(packages.lacking(name))
    recorded = name == "webkit"
    with (
        host(isolated=True, recorded=recorded) as isolated,
        host(isolated=False, recorded=recorded) as plain,
    ):
        browser = START[name](playwright, path)
        yield Engine(name, browser, isolated, plain)
        browser.close()


@pytest.fixture(scope="session")
def reader(engine):
    """A tab to read one chapter after the other in."""
    tab = engine.open()
    yield tab
    tab.close()


@pytest.fixture
def open_tab(engine):
    """``open_tab(theme="dark")`` gives a tab with nothing stored; it closes after the test."""
    tabs = []

    def open_it(**options):
        tabs.append(engine.open(**options))
        return tabs[-1]

    yield open_it
    for tab in tabs:
        tab.close()
