"""What the build puts below ``_static/python``, and what it says of an exercise."""

import json
import zipfile

import assets
import exercise_cells
import pytest
import python_runtime
from serve import SITE

from attn.exercises import Exercise, catalog

PYTHON = SITE / "_static" / "python"


@pytest.fixture
def package(tmp_path):
    """A package with a part that the page can use and one that it cannot."""
    for name, text in {
        "__init__.py": "",
        "core/one.py": "ONE = 1\n",
        "nn/two.py": "import torch\n",
        "core/__pycache__/one.pyc": "",
    }.items():
        path = tmp_path / "attn" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "attn"


def test_the_wheel_has_what_the_page_can_import(package, tmp_path):
    wheel = python_runtime.build_wheel(package, "1.2.3", tmp_path)
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if "dist-info" not in name] == [
        "attn/__init__.py",
        "attn/core/one.py",
    ]
    record = zipfile.ZipFile(wheel).read("attn-1.2.3.dist-info/RECORD").decode()
    assert {line.split(",")[0] for line in record.splitlines()} == set(names)


def test_the_name_of_the_wheel_changes_with_its_content_only(package, tmp_path):
    first = python_runtime.build_wheel(package, "1.2.3", tmp_path)
    content = first.read_bytes()
    assert python_runtime.build_wheel(package, "1.2.3", tmp_path) == first
    assert first.read_bytes() == content
    (package / "core" / "one.py").write_text("ONE = 2\n")
    assert python_runtime.build_wheel(package, "1.2.3", tmp_path) != first


def test_a_numpy_that_pyodide_does_not_know_is_refused(tmp_path):
    wheel = tmp_path / "numpy-2.4.3-any.whl"
    wheel.write_bytes(b"something else")
    lock = {"info": {}, "packages": {"numpy": {"sha256": "0" * 64}}}
    with pytest.raises(assets.AssetError, match="its lock file says sha256 000"):
        python_runtime.trimmed_lock(lock, wheel, wheel)


def test_the_lock_file_of_the_site_names_two_packages_that_are_there():
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    packages = json.loads((PYTHON / runtime["lock"]).read_text())["packages"]
    assert sorted(packages) == sorted(runtime["packages"]) == ["attn", "numpy"]
    assert all((PYTHON / package["file_name"]).exists() for package in packages.values())


def test_the_download_is_announced_to_the_byte():
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    files = [*PYTHON.glob("*.whl"), PYTHON / runtime["lock"]]
    files += [*PYTHON.glob("pyodide-*/*.wasm"), *PYTHON.glob("pyodide-*/*.zip")]
    assert runtime["bytes"] == sum(path.stat().st_size for path in files)


def exercise(**changed) -> Exercise:
    first = next(catalog())
    return Exercise(**{**vars(first), **changed})


@pytest.mark.parametrize(("minutes", "words"), [(1, "about 1 minute."), (8, "about 8 minutes.")])
def test_the_facts_of_an_exercise_are_a_sentence(minutes, words):
    said = exercise_cells.facts(exercise(difficulty=2, minutes=minutes))
    assert said == f"Difficulty 2 of 3, {words}"


def test_what_needs_torch_links_to_binder_where_there_is_one():
    assert '<a href="https://x/?a=1&amp;b=2">' in exercise_cells._needs(
        ["torch"], "https://x/?a=1&b=2"
    )
    without = exercise_cells._needs(["torch"], None)
    assert "PyTorch" in without
    assert "make lab" in without
    assert "<a " not in without
