"""A real browser against the built site, served at a sub-path with its security policy on."""

from pathlib import Path

import pytest
from browsers.site_server import serve, watch

from web.builder.paths import SITE
from web.builder.third_party import assets


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The text of axe-core, which finds accessibility violations."""
    (asset,) = assets.load_manifest(Path(__file__).with_name("assets.toml"))
    (path,) = assets.copy_files(asset, tmp_path_factory.mktemp("axe"))
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def site():
    """The address of the built site, at a sub-path."""
    assert (SITE / "index.html").exists(), "there is no site; `make book` builds it"
    server, address = serve(SITE)
    yield address
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(browser, site):
    """``open_page("book/01-lookup.html", width=360, theme="dark")`` gives a watched page.

    `scripts` run in it before its own, and `routes` answer for what they match. Other keywords go
    to the browser context. At the end of the test the page must have asked for
    nothing outside the site and written no warning or error.
    """
    opened = []

    def open_it(
        path,
        *,
        width=1280,
        height=900,
        theme="light",
        origin=None,
        scripts=(),
        routes=(),
        **options,
    ):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **options
        )
        page = watch(context.new_page(), origin or site)
        for script in scripts:
            context.add_init_script(script)
        for pattern, answer in dict(routes).items():
            context.route(pattern, answer)
        page.goto((origin or site) + path, wait_until="load")
        opened.append((context, page))
        return page

    yield open_it
    for context, _ in opened:
        context.close()
    for _, page in opened:
        assert page.record.outside == []
        assert page.record.console == []
