"""``open_figure(SoftLookup(beta=2))``: one figure in a real browser, without the book."""

import itertools
from contextlib import contextmanager

import pytest
from browsers.site_server import serve, watch

from web.builder.server import figure_page

SERIAL = itertools.count(1)


@pytest.fixture(scope="session")
def figure_site(tmp_path_factory):
    """A folder that holds the figures' files as the site does, and its address."""
    folder = tmp_path_factory.mktemp("figures")
    figure_page.link_sources(folder)
    server, address = serve(folder)
    yield folder, address
    server.shutdown()
    server.server_close()


@contextmanager
def opener(browser, figure_site):
    """A way to open figures, and to close them all.

    At its end their pages must have asked for nothing but files that are there and written no
    warning or error.
    """
    folder, address = figure_site
    pages = []

    def open_it(widget, *, width=1280, height=800, theme="light", **options):
        name = f"{type(widget).__name__}-{next(SERIAL)}.html"
        (folder / name).write_text(figure_page.page(widget, theme), encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **options
        )
        page = watch(context.new_page(), address)
        pages.append(page)
        page.goto(address + name)
        root = page.locator(f'.attn-widget[data-widget="{type(widget).__name__}"]')
        page.locator(".attn-widget:not([aria-busy]) output").first.wait_for()
        return root

    yield open_it
    for page in pages:
        page.context.close()
    assert [(page.record.outside, page.record.console) for page in pages] == [([], [])] * len(pages)


@pytest.fixture
def open_figure(browser, figure_site):
    """``open_figure(widget, width=360, theme="dark")`` gives the figure's root, drawn.

    Other keywords go to the browser context.
    """
    with opener(browser, figure_site) as open_it:
        yield open_it


@pytest.fixture(scope="module")
def open_shared(browser, figure_site):
    """As ``open_figure``, for a figure that the tests of a module look at together."""
    with opener(browser, figure_site) as open_it:
        yield open_it
