"""Build the site: execute the chapters, then let Jupyter Book lay out the pages.

Each step does what is needed and no more. Results depend on Python only (``results``). A change in
what makes pages reads all of them again; a change in a style or a script writes them again
(``rebuild_keys``); a change in a text concerns its own page, and those that show something of it
(``outdated_pages``). A build that did not finish is followed by a full one; after one that warned,
the pages concerned are read again (``build_warnings``).
"""

import argparse
import contextlib
import fcntl
import json
import shutil
import sys
import warnings
from collections.abc import Iterator

from web.builder.paths import BUILT, CACHE, SITE, TOP, WARNED
from web.builder.rebuild_keys import READ_ALL, WRITE_ALL, rebuild_keys
from web.builder.third_party import assets, bundles
from web.chapters import contents

# It checks internationalised addresses for jsonschema, which does without it; nothing here asks
# that, and its grammars take a second to compile in every build.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

RESULTS = CACHE / "execution"
FINISHED = BUILT / "finished"  # the keys of the last build that came to its end


def say(text: str) -> None:
    print(f"book: {text}", flush=True)


def fetch_third_party() -> bool:
    """Have every third-party file at hand, verified, before anything is executed."""
    try:
        for asset in assets.load_manifest():
            assets.fetch_or_do_without(asset)
        assets.place_models()
        for folder in bundles.folders():
            bundles.bundle(folder)
    except assets.AssetError as error:
        print(f"book: {error}", file=sys.stderr)
        return False
    return True


def execute(timeout: int) -> bool:
    """Run the chapters whose results may have changed. False if a cell failed."""
    from web.builder.execution.results import Results  # takes a second to import

    results = Results(TOP, RESULTS, contents.notebooks(TOP))
    results.drop_stale()
    return results.execute(timeout, say)


def write_pages(*, read_all: bool, write_all: bool) -> bool:
    """Call Jupyter Book; warnings are errors."""
    from jupyter_book.sphinx import build_sphinx
    from sphinx.util.console import nocolor

    from web.builder import build_warnings

    if read_all:
        shutil.rmtree(BUILT, ignore_errors=True)  # a page that left the contents leaves the site
    if not sys.stdout.isatty():
        nocolor()
    warnings.simplefilter("ignore")
    settings = {"external_toc_path": str(TOP / "_toc.yml"), "nitpicky": True}
    status = build_sphinx(
        TOP,
        SITE,
        noconfig=True,
        path_config=TOP / "_config.yml",
        confoverrides=settings | {"latex_individualpages": False},
        warningiserror=True,
        keep_going=True,
        freshenv=read_all,
        force_all=write_all,
    )
    for warning in build_warnings.said:
        print(f"book: {warning}", file=sys.stderr)
    return status == 0


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two builds in one folder would overwrite each other: the second waits."""
    CACHE.mkdir(exist_ok=True)
    with open(CACHE / "build.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another build in this folder")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=int, default=600, help="seconds a cell may take")
    arguments = parser.parse_args()
    with one_at_a_time():
        return build(arguments.timeout)


def build(timeout: int) -> int:
    """Do what is needed and no more."""
    keys, last_keys = rebuild_keys(), {}
    with contextlib.suppress(FileNotFoundError, ValueError):
        last_keys = json.loads(FINISHED.read_text())
    if not fetch_third_party():
        return 1
    if last_keys == keys and not WARNED.exists() and (SITE / "index.html").exists():
        say(f"nothing changed; the site is in {SITE.relative_to(TOP)}")
        return 0
    read_all = last_keys.get(READ_ALL) != keys[READ_ALL]
    write_all = read_all or last_keys.get(WRITE_ALL) != keys[WRITE_ALL]
    if not execute(timeout):
        say("the build failed; the messages above say why")
        return 1
    FINISHED.unlink(missing_ok=True)
    say(f"laying out {'every page' if write_all else 'what changed'}")
    is_good = write_pages(read_all=read_all, write_all=write_all)
    if is_good or WARNED.exists():
        FINISHED.write_text(json.dumps(keys))
    if not is_good:
        say("the build failed; the messages above say why")
        return 1
    say(f"the site is in {SITE.relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
