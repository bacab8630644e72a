"""Build the site: execute the chapters in parallel, then let Jupyter Book lay out the pages.

Jupyter Book alone would keep stale numbers when only `attn/` changed, and would call a failed page
up to date on the next run. So the execution cache is keyed by everything a cell's result depends
on, and a build that did not finish is followed by a full one.
"""

import argparse
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml
from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "web" / "ext"))

import assets  # noqa: E402
import bundles  # noqa: E402

CACHE = TOP / ".cache" / "execution"
SITE = TOP / "_build" / "html"
FINISHED = TOP / "_build" / "finished"  # what the last build that ended well was made from
READ = {"name": "myst_nb_md", "type": "plugin"}


def say(text: str) -> None:
    print(f"book: {text}", flush=True)


def fingerprint(*patterns: str) -> str:
    """One hash over the files that match, their names included."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted({path for pattern in patterns for path in TOP.glob(pattern)}):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(TOP)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def chapters() -> list[Path]:
    """The pages of the table of contents that hold code cells."""
    toc = yaml.safe_load((TOP / "_toc.yml").read_text(encoding="utf-8"))
    files = [toc["root"]] + [c["file"] for part in toc.get("parts", []) for c in part["chapters"]]
    paths = [TOP / f"{file}.md" for file in files]
    return [
        path
        for path in paths
        if path.exists() and "{code-cell}" in path.read_text(encoding="utf-8")
    ]


def fetch_third_party() -> bool:
    """Have every third-party file at hand, verified, before anything is executed."""
    try:
        for asset in assets.load_manifest():
            assets.fetch(asset)
        for folder in bundles.folders():
            bundles.bundle(folder)
    except assets.AssetError as error:
        print(f"book: {error}", file=sys.stderr)
        return False
    return True


def drop_stale_results() -> None:
    """Empty the cache when anything that a cell can import has changed."""
    key = fingerprint("attn/**/*", "requirements.txt")
    stamp = CACHE / "made-with"
    if CACHE.exists() and (not stamp.exists() or stamp.read_text() != key):
        say("attn or the requirements changed: every chapter is executed again")
        shutil.rmtree(CACHE)
    CACHE.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)


def execute(timeout: int) -> bool:
    """Run the chapters whose cells changed, side by side. False if a cell failed."""
    cache = get_cache(str(CACHE))
    for record in cache.list_project_records():
        cache.remove_nb_from_project(record.pk)
    for path in chapters():
        cache.add_nb_to_project(str(path), read_data=READ)
    waiting = cache.list_unexecuted()
    if not waiting:
        say("no chapter needs executing")
        return True
    say(
        f"executing {len(waiting)} of {len(chapters())} chapters: "
        + ", ".join(Path(r.uri).stem for r in waiting)
    )
    started = time.monotonic()
    result = load_executor("local-parallel", cache).run_and_cache(timeout=timeout)
    for uri in result.excepted + result.errored:
        record = cache.get_project_record(uri)
        print(f"\nbook: {Path(uri).relative_to(TOP)} failed:\n{record.traceback}", file=sys.stderr)
    say(f"executed in {time.monotonic() - started:.0f} s")
    return not (result.excepted or result.errored)


def lay_out(everything: bool) -> bool:
    """Call Jupyter Book; warnings are errors."""
    script = Path(sys.executable).with_name("jupyter-book")
    command = [str(script), "build", str(TOP), "-W", "-n", "--keep-going"]
    if everything:
        command.append("--all")
    say("laying out every page" if everything else "laying out what changed")
    return (
        subprocess.run(
            command, cwd=TOP, env=os.environ | {"PYTHONWARNINGS": "ignore"}, check=False
        ).returncode
        == 0
    )


@contextlib.contextmanager
def one_at_a_time():
    """Two builds in one folder would overwrite each other: the second waits."""
    (TOP / ".cache").mkdir(exist_ok=True)
    with open(TOP / ".cache" / "build.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another build in this folder")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=int, default=120, help="seconds a cell may take")
    arguments = parser.parse_args()
    with one_at_a_time():
        return build(arguments.timeout)


def build(timeout: int) -> int:
    """Do what is needed and no more; a build that did not finish is followed by a full one."""
    machinery = fingerprint(
        "attn/**/*",
        "web/**/*",
        "*.yml",
        "requirements.txt",
    ) + os.environ.get("ATTN_REPOSITORY", "")
    whole = fingerprint("book/*") + machinery
    last = [*(FINISHED.read_text() if FINISHED.exists() else "").split("\n"), ""]
    if not fetch_third_party():
        return 1
    if last[0] == whole and (SITE / "index.html").exists():
        say(f"nothing changed; the site is in {SITE.relative_to(TOP)}")
        return 0
    FINISHED.unlink(missing_ok=True)
    drop_stale_results()
    if not execute(timeout) or not lay_out(everything=last[1] != machinery):
        say("the build failed; the first message above says why")
        return 1
    FINISHED.write_text(f"{whole}\n{machinery}")
    say(f"the site is in {SITE.relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
