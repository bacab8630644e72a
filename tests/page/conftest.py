"""A real browser against the built site, served at a sub-path with its security policy on."""

import threading
from dataclasses import dataclass, field

import browser as chromium
import pytest
from playwright.sync_api import sync_playwright
from serve import SITE, make_server

PREFIX = "/course/site/"
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} blocked ${event.blockedURI}`));
"""


@dataclass
class Record:
    """What a page asked for and said."""

    origin: str
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """Requests to anything but the site's own sub-path."""
        inside = (self.origin, "data:", "blob:" + self.origin)
        return [url for url in self.requests if not url.startswith(inside)]


def serve(directory, **options):
    server = make_server(directory, port=0, prefix=PREFIX, **options)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}{PREFIX}"


@pytest.fixture(scope="session")
def site():
    """The address of the built site, at a sub-path."""
    assert (SITE / "index.html").exists(), "there is no site; `make book` builds it"
    server, address = serve(SITE)
    yield address
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


@pytest.fixture
def open_page(browser, site):
    """``open_page("book/01-lookup.html", width=360, theme="dark")`` gives a page with ``page.record``.

    Other keywords go to the browser context. At the end of the test the page must have asked for nothing
    outside the site and written no warning or error.
    """
    opened = []

    def open_it(path, *, width=1280, height=900, theme="light", origin=None, **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **options
        )
        page = context.new_page()
        page.record = Record(origin or site)
        page.on("request", lambda request: page.record.requests.append(request.url))
        page.on("console", lambda message: _note(page.record, message))
        page.on("pageerror", lambda error: page.record.console.append(f"error: {error}"))
        page.add_init_script(REPORT_VIOLATIONS)
        page.goto((origin or site) + path, wait_until="load")
        opened.append((context, page))
        return page

    yield open_it
    for context, _ in opened:
        context.close()
    for _, page in opened:
        assert page.record.outside == []
        assert page.record.console == []


def _note(record, message):
    if message.type in ("warning", "error"):
        record.console.append(f"{message.type}: {message.text}")
