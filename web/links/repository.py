"""Where the project lives: one address, for the Binder and GitHub buttons.

``ATTN_REPOSITORY`` (an https address) wins over the git remote ``origin``. With neither, the
buttons are left out and the build says so.
"""

import os
import re
import subprocess

from web.builder.paths import TOP

BRANCH = "main"


def address() -> str | None:
    """The repository's https address, or None."""
    given = os.environ.get("ATTN_REPOSITORY") or _origin()
    return as_https(given) if given else None


def as_https(remote: str) -> str | None:
    """Turn a git remote into a web address; a local path has none.

    >>> as_https("git@github.com:someone/attention.git")
    'https://github.com/someone/attention'
    >>> as_https("/srv/git/attention") is None
    True
    """
    found = re.fullmatch(
        r"(?:https://|(?:ssh://)?git@)([\w.-]+)[:/](.+?)(?:\.git)?/?", remote.strip()
    )
    return f"https://{found[1]}/{found[2]}" if found else None


def binder_link(url: str, docname: str) -> str:
    """The address that opens a chapter as a notebook on Binder.

    >>> binder_link("https://github.com/someone/attention", "book/01-lookup")
    'https://mybinder.org/v2/gh/someone/attention/main?urlpath=lab/tree/book/01-lookup.md'
    """
    path = url.split("/", 3)[3]
    return f"https://mybinder.org/v2/gh/{path}/{BRANCH}?urlpath=lab/tree/{docname}.md"


def _origin() -> str | None:
    command = ["git", "-C", str(TOP), "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() or None
