"""The site on a port of this machine, and a record of what a page asks for and says."""

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field

from browsers.page_functions import page_script

from web.builder.server.http_server import make_server

SUB_PATH = "/course/site/"  # a site must not rely on being at the top
REPORT_VIOLATIONS = page_script(__file__, "reportViolations")


@dataclass
class Record:
    """What a page asked for and said."""

    origin: str
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """Requests to anything but the site's own sub-path."""
        # What a page wrote itself has the host in its address, and no path.
        inside = (self.origin, "data:", "blob:" + self.origin.removesuffix(SUB_PATH) + "/")
        return [url for url in self.requests if not url.startswith(inside)]


def serve(directory, **options):
    server = make_server(directory, port=0, prefix=SUB_PATH, **options)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}{SUB_PATH}"


def watch(page, origin):
    """The page with a record of what it asks for and says."""
    page.record = Record(origin)
    page.on("request", lambda request: page.record.requests.append(request.url))
    page.on("console", lambda message: _note(page.record, message))
    page.on("pageerror", lambda error: page.record.console.append(f"error: {error}"))
    page.add_init_script(REPORT_VIOLATIONS)
    return page


@contextmanager
def shared_page(browser, site, path, *scripts):
    """A page for several tests, at whose end it has complained of nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = watch(context.new_page(), site)
    for script in scripts:
        page.add_init_script(script)
    page.goto(site + path)
    yield page
    context.close()
    assert page.record.outside == []
    assert page.record.console == []


def _note(record, message):
    if message.type in ("warning", "error"):
        record.console.append(f"{message.type}: {message.text}")
