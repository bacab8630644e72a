"""Where the browser is, and how to get one: Debian's Chromium, else Playwright's own.

Where there is a choice, Chromium without its windows is taken: the same engine, but a whole one
starts two processes more for the interface that nobody sees, with every context.

Run as a script, this makes sure that there is one, or says in one message what to do; then it
gets the other two engines, where it can.
"""

import os
import shutil
import subprocess
import sys

from polling import PATIENCE

PATIENCE_MS = 1000 * PATIENCE  # for one step in a page, or one thing expected of it
# A quiet browser: Chromium otherwise calls home, and a test would count that as a request.
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PACKAGES = ("chromium-headless-shell", "chromium")  # Debian's; older ones have the second only
NAMES = (*PACKAGES, "chromium-browser", "google-chrome")
HELP = (
    "browser: no Chromium was found and none could be installed.\n"
    "  Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or set ATTN_BROWSER to\n"
    "  its path,"
    " then run the command again. The browser tests are part of `make test`; they are not skipped."
)


def find() -> str | None:
    """The browser's path: ATTN_BROWSER, the machine's, or the one Playwright installed."""
    if given := os.environ.get("ATTN_BROWSER"):
        return given if shutil.which(given) else None
    for name in NAMES:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def launch(playwright):
    """Start the browser headless, with pages that wait as long as a busy machine needs."""
    path = find()
    if path is None:
        raise RuntimeError(HELP)
    flags = FLAGS + (["--no-sandbox"] if os.geteuid() == 0 else [])
    started = playwright.chromium.launch(executable_path=path, args=flags, timeout=PATIENCE_MS)
    new_context = started.new_context

    def patient_context(**options):
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        return context

    started.new_context = patient_context
    return started


def install() -> bool:
    """Try apt where this user may, then Playwright's installer."""
    if os.environ.get("ATTN_BROWSER"):
        return False
    for package in PACKAGES:
        print(f"browser: installing {package} with apt-get", flush=True)
        if apt_install(package) and find():
            return True
    print("browser: trying Playwright's installer", flush=True)
    return _runs([sys.executable, "-m", "playwright", "install", "chromium"]) and bool(find())


def apt_install(*packages) -> bool:
    """Whether Debian's packages are there now; needs apt-get and the right to use it."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (sudo and not shutil.which("sudo")):
        return False
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    install_them = [*apt, "install", "-y", "-qq", "--no-install-recommends", *packages]
    return _runs([*apt, "update", "-qq"]) and _runs(install_them)


def _runs(command) -> bool:
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return done.returncode == 0


if __name__ == "__main__":
    if not find() and not install():
        sys.exit(HELP)
    print(f"browser: {find()}")
    from engines import packages

    packages.install()
