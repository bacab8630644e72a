"""Pages that reload by themselves: a server that watches folders and says when one changed.

A page that holds ``script_tag`` listens at ``/changes``, where each change is one event.
"""

import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import watchfiles

from web.builder.server.http_server import SiteHandler

SCRIPT = Path(__file__).with_name("reload.mjs")
KEEP_ALIVE = 15  # seconds after which a stream without news finds out whether it is still read


class Changes:
    """How often something changed so far; whoever waits hears of the next time."""

    def __init__(self) -> None:
        self.count = 0
        self.changed = threading.Condition()

    def announce(self) -> None:
        with self.changed:
            self.count += 1
            self.changed.notify_all()

    def wait(self, seen: int, timeout: float) -> bool:
        """Whether there were more than `seen` changes before the time was up."""
        with self.changed:
            return self.changed.wait_for(lambda: self.count > seen, timeout)

    def watch(self, *folders: Path) -> None:
        """Announce what is saved in these folders, from a thread that ends with the program."""
        threading.Thread(target=self._watch, args=folders, daemon=True).start()

    def _watch(self, *folders: Path) -> None:
        for _ in watchfiles.watch(*folders, debounce=200):
            self.announce()


def script_tag(seen: int) -> str:
    """What a page holds that was made after `seen` changes, to be reloaded after the next."""
    return f'<script type="module" src="/reload.mjs?seen={seen}"></script>'


class ReloadingHandler(SiteHandler):
    """Serves what `SiteHandler` does, the script of a page that reloads, and the changes."""

    changes: Changes

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/changes":
            self.stream_changes(int(parse_qs(address.query)["seen"][0]))
        elif address.path == "/reload.mjs":
            self.send_text(SCRIPT.read_text(encoding="utf-8"), "text/javascript")
        else:
            super().do_GET()

    def send_text(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream_changes(self, seen: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while True:
            changed = self.changes.wait(seen, KEEP_ALIVE)
            seen = self.changes.count
            self.wfile.write(b"data: changed\n\n" if changed else b": nothing new\n\n")
            self.wfile.flush()
