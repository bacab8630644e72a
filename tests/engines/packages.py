"""The three engines: where each is on this machine, and how to get it."""

import os
import shutil
from glob import glob

import browser

NAMES = ("chromium", "firefox", "webkit")
DEBIAN = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb")}
MINIBROWSER = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib*/webkit2gtk-4.1/MiniBrowser")


def find(engine: str) -> str | None:
    """The path of an engine's browser, if all that it needs is there."""
    if engine == "chromium":
        return browser.find()
    if engine == "firefox":
        return shutil.which("firefox-esr") or shutil.which("firefox")
    programs = [path for pattern in MINIBROWSER for path in glob(pattern)]
    ready = shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
    return programs[0] if programs and ready else None


def lacking(engine: str) -> str:
    """Why an engine cannot be tried, in words."""
    packages = " ".join(DEBIAN.get(engine, ("chromium",)))
    return (
        f"{engine} is not tried: it is not on this machine "
        f"(Debian, Ubuntu: `sudo apt-get install {packages}`)"
    )


def may_skip() -> bool:
    """A machine that checks everybody's work leaves no engine out."""
    return os.environ.get("CI", "").lower() not in ("1", "true", "yes")


def install() -> None:
    """Get what is missing where this user may, and say in one line each what there is."""
    for engine, packages in DEBIAN.items():
        if not find(engine):
            print(f"browser: installing {' and '.join(packages)} with apt-get", flush=True)
            browser.apt_install(*packages)
        path = find(engine)
        print(f"browser: {path}" if path else f"browser: {lacking(engine)}", flush=True)
