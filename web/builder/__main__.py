"""Build the site: execute the chapters, then let Jupyter Book lay out the pages.

Each step does what is needed and no more. Results depend on Python only (``results``). A change in
what makes pages reads all of them again; a change in a style or a script writes them again; a
change in a text concerns its own page, and those that show something of it (``outdated_pages``). A
build that did not finish is followed by a full one.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from web.builder.execution.result_keys import Package
from web.builder.paths import BUILT, CACHE, SITE, TOP
from web.builder.third_party import assets, bundles
from web.chapters import contents
from web.links import repository

# It checks internationalised addresses for jsonschema, which does without it; nothing here asks
# that, and its grammars take a second to compile in every build.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

RESULTS = CACHE / "execution"
FINISHED = BUILT / "finished"  # the keys of the last build that ended well
# Files of the project, by how much of the site a change in them concerns.
PYTHON = "web/**/*.py"
READ_ALL: tuple[str, ...] = (PYTHON, "web/**/*.cjs", "web/page_python/in_pyodide/*")
READ_ALL += ("web/theme/templates/**/*", "*.yml", "requirements.txt")
WRITE_ALL: tuple[str, ...] = ("web/**/*.mjs", "web/**/*.css", "web/**/*.json", "web/**/*.toml")
WRITE_ALL += ("attn/widgets/**/*.js", "attn/widgets/**/*.css", "attn/widgets/**/*.bin")
PAGES = ("book/**/*", "attn/**/*.py", "attn/data/*")


def say(text: str) -> None:
    print(f"book: {text}", flush=True)


def matching(*patterns: str) -> list[Path]:
    """The files that match, without what Python compiles."""
    found = {path for pattern in patterns for path in TOP.glob(pattern) if path.is_file()}
    return sorted(path for path in found if "__pycache__" not in path.parts)


def fingerprint(*patterns: str) -> str:
    """One hash over the files that match, their names included."""
    digest = hashlib.sha256()
    for path in matching(*patterns):
        digest.update(str(path.relative_to(TOP)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def rebuild_keys() -> dict[str, str]:
    """Keys of what the site is made from: when one changes, that much of the site is made again."""
    names = "\n".join(str(path.relative_to(TOP)) for path in matching("web/**/*", "attn/**/*"))
    sources = [path.read_text(encoding="utf-8") for path in matching(PYTHON)]
    of_attn = Package(TOP).key(sources, verbatim=True)  # what of it the extensions use
    return {
        "read all": fingerprint(*READ_ALL) + f"{of_attn} {repository.address()} {names}",
        "write all": fingerprint(*WRITE_ALL),
        "pages": fingerprint(*PAGES),
    }


def fetch_third_party() -> bool:
    """Have every third-party file at hand, verified, before anything is executed."""
    try:
        for asset in assets.load_manifest():
            assets.fetch_or_do_without(asset)
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
    """Do what is needed and no more; a build that did not finish is followed by a full one."""
    keys, last_keys = rebuild_keys(), {}
    with contextlib.suppress(FileNotFoundError, ValueError):
        last_keys = json.loads(FINISHED.read_text())
    if not fetch_third_party():
        return 1
    if last_keys == keys and (SITE / "index.html").exists():
        say(f"nothing changed; the site is in {SITE.relative_to(TOP)}")
        return 0
    read_all = last_keys.get("read all") != keys["read all"]
    write_all = read_all or last_keys.get("write all") != keys["write all"]
    if not execute(timeout):
        say("the build failed; the messages above say why")
        return 1
    FINISHED.unlink(missing_ok=True)
    say(f"laying out {'every page' if write_all else 'what changed'}")
    if not write_pages(read_all=read_all, write_all=write_all):
        say("the build failed; the messages above say why")
        return 1
    FINISHED.write_text(json.dumps(keys))
    say(f"the site is in {SITE.relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
