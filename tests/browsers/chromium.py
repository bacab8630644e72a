"""The machine's Chromium, quiet and patient."""

import os

from browsers import packages
from browsers.polling import PATIENCE

PATIENCE_MS = 1000 * PATIENCE  # for one step in a page, or one thing expected of it
# A quiet browser: Chromium otherwise calls home, and a test would count that as a request.
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def launch(playwright):
    """Start the browser headless, with pages that wait as long as a busy machine needs."""
    path = packages.find("chromium")
    if path is None:
        raise RuntimeError(packages.HELP)
    flags = FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    started = playwright.chromium.launch(executable_path=path, args=flags, timeout=PATIENCE_MS)
    new_context = started.new_context

    def patient_context(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        return context

    started.new_context = patient_context
    return started
