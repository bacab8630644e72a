"""A server of the built site, on this machine only.

The headers are the ones a good host would send: the site's security policy for files that are not
pages (a page carries its own), and cross-origin isolation, with which a stopped exercise keeps its
Python running.
"""

import errno
import functools
import http.server
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from web.builder.paths import SITE
from web.theme.security import policy


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Files of the site below a prefix; everything else is 404."""

    prefix = "/"
    isolated = True
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def translate_path(self, path: str) -> str:
        if not path.startswith(self.prefix):
            return str(Path(self.directory) / "no-such-file")
        return super().translate_path("/" + path[len(self.prefix) :])

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        if self.isolated:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        if not self.path.split("?")[0].endswith((".html", "/")):
            self.send_header("Content-Security-Policy", policy())
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class SiteServer(http.server.ThreadingHTTPServer):
    """A reader who leaves while a page still arrives is no error to report."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(
    directory: Path = SITE,
    port: int = 8000,
    prefix: str = "/",
    isolated: bool = True,
    base: type[SiteHandler] = SiteHandler,
) -> SiteServer:
    """A server on 127.0.0.1; port 0 picks a free one."""
    handler = type("Handler", (base,), {"prefix": prefix, "isolated": isolated})
    bound = functools.partial(handler, directory=str(directory))
    return SiteServer(("127.0.0.1", port), bound)


def run(command: str, start: Callable[[int], SiteServer], port: int) -> int:
    """Serve until the reader stops it; `command` is what was called, as in `make serve`."""
    name = command.split()[0]
    try:
        server = start(port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        hint = f"try `make {command} PORT={port + 1}`"
        print(f"{name}: port {port} is in use; {hint}", file=sys.stderr)
        return 1
    print(f"{name}: http://localhost:{server.server_port}  (Ctrl+C stops)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print(f"\n{name}: stopped")
    return 0
