"""The built site as a host serves it, with or without the headers that isolate a page."""

import io
from contextlib import contextmanager
from pathlib import Path

from browsers.page_functions import page_script
from browsers.site_server import serve

from web.builder.paths import SITE
from web.builder.server.http_server import SiteHandler

RECORDING_SCRIPT = f"<script>{page_script(__file__, 'recordComplaints')}</script>"


class RecordingHandler(SiteHandler):
    """Pages come with the record as their first script."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html" or not path.is_file():
            return super().send_head()
        body = path.read_bytes().replace(b"<head>", b"<head>" + RECORDING_SCRIPT.encode(), 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


@contextmanager
def host(*, isolated: bool, recorded: bool):
    """The site's address, while it is served."""
    server, address = serve(
        SITE, isolated=isolated, base=RecordingHandler if recorded else SiteHandler
    )
    yield address
    server.shutdown()
    server.server_close()
