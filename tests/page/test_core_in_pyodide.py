"""The package's own tests, run by the Python that the site serves to its readers."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import _pytest
import hypothesis
import iniconfig
import packaging
import pluggy
import py
import pygments
import pytest
import sortedcontainers

from web.builder.paths import SITE
from web.builder.third_party import assets

TOP = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("pytest_in_pyodide.mjs")
PURE = (pytest, _pytest, py, iniconfig, packaging, pluggy, pygments, sortedcontainers)
EXERCISES = ("test_catalog.py", "shown_solutions.py")
VERSION = hypothesis.__version__  # the one that is pinned
# No files are kept there, and no thread can watch over a test.
WITHOUT = ("-p", "no:cacheprovider", "-o", "faulthandler_timeout=0")
PLATFORM = "pyemscripten_2026_0_wasm32"
SHA256 = "1138c03edf4c4401afb28e50255644b4ab4e1ad52864456cd4e84458ba8c671a"


def hypothesis_wheel() -> Path:
    """Hypothesis has a compiled part; its authors publish it for Pyodide too."""
    path = assets.ASSETS / f"hypothesis-{VERSION}-cp314-cp314-{PLATFORM}.whl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--platform", PLATFORM, "--python-version", "3.14"]
        command += ["--dest", str(path.parent), f"hypothesis=={VERSION}"]
        subprocess.run(command, check=True)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256, f"{path.name} is another file"
    return path


def run_in_pyodide(*arguments):
    given = {
        "python": str(SITE / "_static" / "python"),
        "repository": str(TOP),
        "pure": [module.__file__.removesuffix("/__init__.py") for module in PURE],
        "wheels": [str(hypothesis_wheel())],
        "arguments": [*WITHOUT, "--rootdir=/repository", *arguments],
    }
    node = Path(assets.npm()).with_name("node")
    command = [str(node), str(SCRIPT), json.dumps(given)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.matrix
def test_the_core_and_every_check_hold_in_the_python_of_the_page():
    """Solutions pass and mistakes keep their names where integers are narrow and nothing warns."""
    done = run_in_pyodide("-q", "tests/core", *(f"tests/exercises/{name}" for name in EXERCISES))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout[-2000:]
    assert int(passed[1]) > 100
