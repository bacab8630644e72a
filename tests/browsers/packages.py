"""The three engines: where each is on this machine, and how to get it.

Run as a script, this installs what is missing: Debian's packages where this user may, else
Playwright's own Chromium. Without any Chromium it says in one message what to do.
"""

import os
import shutil
import subprocess
import sys
from glob import glob

# Where there is a choice, Chromium without its windows is taken: the same engine, but a whole one
# starts two processes more for the interface that nobody sees, with every context.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MINIBROWSER = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib*/webkit2gtk-4.1/MiniBrowser")
# Debian's packages, by engine; where there are several ways, each is tried in turn.
DEBIAN = {
    "chromium": (("chromium-headless-shell",), ("chromium",)),
    "firefox": (("firefox-esr",),),
    "webkit": (("webkit2gtk-driver", "xvfb"),),
}
NAMES = tuple(DEBIAN)
HELP = (
    "browser: no Chromium was found and none could be installed.\n"
    "  Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or set ATTN_BROWSER to\n"
    "  its path,"
    " then run the command again. The browser tests are part of `make test`; they are not skipped."
)


def find(engine: str) -> str | None:
    """The path of an engine's browser, if all that it needs is there."""
    if engine == "chromium":
        return _find_chromium()
    if engine == "firefox":
        return shutil.which("firefox-esr") or shutil.which("firefox")
    programs = [path for pattern in MINIBROWSER for path in glob(pattern)]
    ready = shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
    return programs[0] if programs and ready else None


def _find_chromium() -> str | None:
    """ATTN_BROWSER, the machine's, or the one that Playwright installed."""
    if given := os.environ.get("ATTN_BROWSER"):
        return given if shutil.which(given) else None
    for name in CHROMIUM:
        if path := shutil.which(name):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def lacking(engine: str) -> str:
    """Why an engine cannot be tried, in words."""
    packages = " ".join(DEBIAN[engine][-1])
    return (
        f"{engine} is not tried: it is not on this machine "
        f"(Debian, Ubuntu: `sudo apt-get install {packages}`)"
    )


def may_skip() -> bool:
    """A machine that checks everybody's work leaves no engine out."""
    return os.environ.get("CI", "").lower() not in ("1", "true", "yes")


def install(engine: str) -> None:
    """Try apt where this user may, then for Chromium Playwright's installer."""
    if engine == "chromium" and os.environ.get("ATTN_BROWSER"):
        return
    for packages in DEBIAN[engine]:
        print(f"browser: installing {' and '.join(packages)} with apt-get", flush=True)
        if _apt_install(*packages) and find(engine):
            return
    if engine == "chromium":
        print("browser: trying Playwright's installer", flush=True)
        _runs([sys.executable, "-m", "playwright", "install", "chromium"])


def _apt_install(*packages: str) -> bool:
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
    for engine in NAMES:
        if not find(engine):
            install(engine)
        path = find(engine)
        if engine == "chromium" and not path:
            sys.exit(HELP)
        print(f"browser: {path or lacking(engine)}", flush=True)
