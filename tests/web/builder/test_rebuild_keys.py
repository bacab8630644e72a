"""A change in a file makes again what depends on it; nobody has to remember to list the file."""

import shutil

import pytest

from web.builder.paths import TOP
from web.builder.rebuild_keys import needed, rebuild_keys, watched_files

READ_BY_BUILDS = [
    "_config.yml",
    "attn/widgets/kit/figure.js",
    "book/01-lookup.md",
    "web/builder/minify.cjs",
    "web/builder/minify.py",
    "web/builder/python_imports.py",
    "web/builder/third_party/assets.toml",
    "web/cells/cells.css",
    "web/cells/page_tasks/cell.py",
    "web/editing/editor/editor.mjs",
    "web/formulas/convert.cjs",
    "web/formulas/convert.py",
    "web/page_python/in_pyodide/compile.py",
    "web/theme/templates/layout.html",
]


@pytest.fixture
def project(tmp_path):
    """These files alone, as they are."""
    for name in READ_BY_BUILDS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", READ_BY_BUILDS)
def test_a_change_in_a_file_changes_a_key(project, name):
    before = rebuild_keys(project)
    with open(project / name, "a") as file:
        file.write("\n")
    changed = {need for need, key in rebuild_keys(project).items() if key != before[need]}
    assert needed(name) in changed


def test_a_file_of_a_kind_that_nobody_thought_of_changes_a_key(project):
    (project / "web/cells/words.txt").write_text("one")
    before = rebuild_keys(project)
    (project / "web/cells/words.txt").write_text("two")
    assert rebuild_keys(project)["read all"] != before["read all"]


def test_a_file_that_leaves_changes_a_key(project):
    before = rebuild_keys(project)
    (project / "web/cells/cells.css").unlink()
    assert rebuild_keys(project)["read all"] != before["read all"]


def test_only_what_no_build_reads_needs_nothing():
    served = {name for name in watched_files(TOP) if needed(name) == "nothing" and "/" in name}
    own = {"web/builder/environment.py", "web/builder/torch_source.py"}
    assert {name for name in served if "/server/" not in name} == own
