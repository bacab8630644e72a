"""The version is said in several files; all of them say the package's own."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import attn

TOP = Path(__file__).resolve().parents[1]
RELEASED = re.search(r"^## (\S+) \((\S+)\)$", (TOP / "CHANGELOG.md").read_text(), re.M)
CITATION = yaml.safe_load((TOP / "CITATION.cff").read_text())


def test_the_newest_release_of_the_changelog_is_the_one_to_cite():
    cited = str(CITATION["version"]), str(CITATION["date-released"])
    assert RELEASED.groups() == cited
    assert cited[0] == attn.__version__


@pytest.mark.parametrize(
    ("badge", "words"),
    [("version", attn.__version__), ("python", "3.11+"), ("code", "MIT"), ("text", "CC BY 4.0")],
)
def test_a_badge_says_what_holds(badge, words):
    assert f"<title>{badge}: {words}</title>" in (TOP / f"docs/badge-{badge}.svg").read_text()


def test_a_release_looks_for_the_wheel_of_this_name():
    name = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["name"]
    workflow = (TOP / ".github/workflows/release.yml").read_text()
    assert f"dist/{name.replace('-', '_')}-" in workflow


def test_a_wheel_says_that_attn_has_types(tmp_path):
    (tmp_path / "attn").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "attn/__init__.py", "attn/py.typed"):
        shutil.copy(TOP / name, tmp_path / name)
    setup = [sys.executable, "-c", "import setuptools; setuptools.setup()"]
    subprocess.run([*setup, "-q", "build_py", "--build-lib", "wheel"], cwd=tmp_path, check=True)
    assert (tmp_path / "wheel/attn/py.typed").is_file()
