"""Serve the site while it is being written: what is saved is built, and the open page reloads.

sphinx-autobuild would call Sphinx alone. Our own build executes chapters side by side, knows by key
what a change concerns, and waits for another build in the folder; our own server sends the headers
without which Python in the page behaves otherwise. What is left to do is to watch.
"""

import argparse
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import watchfiles

from web.builder.paths import SITE, TOP
from web.builder.server.http_server import SiteServer, make_server, run
from web.builder.server.reload import Changes, ReloadingHandler, script_tag

WATCHED = ("book", "attn", "web", "_config.yml", "_toc.yml")


class SavedSiteHandler(ReloadingHandler):
    """The site's files. A page is sent with a script that reloads it; on disk it has none."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix == ".html" and path.is_file():
            page, tag = path.read_text(encoding="utf-8"), script_tag(self.changes.count)
            self.send_text(page.replace("</head>", f"{tag}</head>", 1), "text/html")
        else:
            super().do_GET()


def build() -> bool:
    """Build in a process of its own: it imports the sources as they are now."""
    return (
        subprocess.run([sys.executable, "-m", "web.builder"], cwd=TOP, check=False).returncode == 0
    )


def follow_saves(changes: Changes, build: Callable[[], bool] = build) -> None:
    """Build after every save, and announce what ended well; what is saved meanwhile comes next."""
    for saved in watchfiles.watch(*(TOP / name for name in WATCHED)):
        names = sorted({str(Path(path).relative_to(TOP)) for _, path in saved})
        print(f"serve: {', '.join(names)} saved, building", flush=True)
        if build():
            changes.announce()
        else:
            print("serve: the build failed, open pages stay as they are", flush=True)


def start(port: int) -> SiteServer:
    """A server of the site that follows what is saved."""
    changes = Changes()
    handler = type("Handler", (SavedSiteHandler,), {"changes": changes})
    server = make_server(SITE, port, base=handler)
    threading.Thread(target=follow_saves, args=(changes,), daemon=True).start()
    return server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    if not (SITE / "index.html").exists():
        print("serve: there is no site yet; `make book` builds it", file=sys.stderr)
        return 1
    return run("serve", start, arguments.port)


if __name__ == "__main__":
    sys.exit(main())
