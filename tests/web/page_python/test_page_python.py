"""What the build puts below ``_static/python``, and what it says of an exercise."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from IPython.lib import pretty

import attn
from attn.exercises import Exercise, catalog
from web.builder.paths import SITE, TOP
from web.builder.third_party import assets
from web.chapters import contents
from web.exercises import exercise_cells
from web.page_python import archives, packages, runtime
from web.page_python.bytecode import Compiler

PYTHON = SITE / "_static" / "python"


@pytest.fixture
def package(tmp_path):
    """A package with a part that the page can use and one that it cannot."""
    for name, text in {
        "__init__.py": "",
        "core/one.py": "ONE = 1\n",
        "core/note.txt": "for authors\n",
        "exercises/progress.py": "import argparse\n",
        "nn/two.py": "import torch\n",
        "data/make_table.py": "",
        "data/table.json": "{}",
        "widgets/dial/__init__.py": "",
        "widgets/dial/drawing.js": "",
        "core/__pycache__/one.pyc": "",
        "widgets/__pycache__/dial.pyc": "",
    }.items():
        path = tmp_path / "attn" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "attn"


@pytest.fixture(scope="module")
def pyodide():
    (found,) = (asset for asset in assets.load_manifest() if asset.name == "pyodide")
    return found


@pytest.fixture(scope="module")
def served():
    """The files of each archive of the site, by the name of the archive."""
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    lock = json.loads((PYTHON / runtime["lock"]).read_text())
    names = {name: package["file_name"] for name, package in lock["packages"].items()}
    names["stdlib"] = runtime["stdlib"]
    return {name: archives.unpack((PYTHON / file).read_bytes()) for name, file in names.items()}


def test_the_wheel_has_what_the_page_can_import(package):
    files = archives.exercise_files(package)
    assert list(files) == ["attn/__init__.py", "attn/core/one.py"]
    content = archives.with_record(files | archives.metadata("attn", "1.2.3"))
    record = content["attn-1.2.3.dist-info/RECORD"].decode()
    assert {line.split(",")[0] for line in record.splitlines()} == set(content)
    assert archives.unpack(archives.pack(content)) == content
    assert archives.pack(content) == archives.pack(dict(content))


def test_the_page_prints_values_by_the_module_of_the_ipython_that_built_it(served):
    served = served["attn"]
    assert served["ipython_pretty.py"] == Path(pretty.__file__).read_bytes()
    assert b"IPython Development Team" in served["ipython_pretty.LICENSE"]
    assert "ipython_pretty.cpython-314.pyc" in " ".join(served)


def test_the_wheel_for_cells_has_the_rest_that_needs_no_torch(package):
    assert list(archives.book_files(package)) == [
        "attn/data/table.json",
        "attn/widgets/dial/__init__.py",
    ]


@pytest.mark.parametrize(("name", "pinned"), [("numpy", "0cad9c1b"), ("matplotlib", "2867b200")])
def test_a_package_that_pyodide_does_not_know_is_refused_before_anything_is_made_of_it(
    tmp_path, monkeypatch, pyodide, name, pinned
):
    monkeypatch.setattr(runtime, "archives", lambda *given: pytest.fail("made"))
    path, fetch = tmp_path / "other", assets.fetch
    path.write_bytes(b"something else")
    monkeypatch.setattr(assets, "fetch", lambda a, *at: path if a is other else fetch(a, *at))
    other = assets.Asset(name, "0", "", (), {})
    with pytest.raises(assets.AssetError, match=f"not the {name} (.|\\n)* sha256 {pinned}"):
        runtime.write_runtime(tmp_path, pyodide, {name: other})


def test_a_pyodide_with_another_hash_compiles_nothing(tmp_path, pyodide):
    other = replace(pyodide, sha256="0" * 64)
    with pytest.raises(assets.AssetError, match="expected sha256 000"):
        Compiler(other, tmp_path).compile({"/one.py": b"ONE = 1"})


def test_what_was_compiled_once_is_kept_and_is_never_compared_with_its_source(
    tmp_path, pyodide, monkeypatch
):
    sources = {"/one.py": b"ONE = 1", "/two.py": b"def f():\n    return g()\n"}
    compiled = Compiler(pyodide, tmp_path).compile(sources)
    flags = {code[4:8] for code in compiled.values()}
    assert flags == {b"\x01\0\0\0"}  # by hash, unchecked
    assert b"/two.py" in compiled["/two.py"]  # what a traceback shows
    monkeypatch.setattr(Compiler, "_job", lambda *given: pytest.fail("compiled again"))
    assert Compiler(pyodide, tmp_path).compile(sources) == compiled


def test_a_source_that_does_not_compile_stops_the_build_with_what_python_said(tmp_path, pyodide):
    with pytest.raises(assets.AssetError, match=r"/lib/odd.py(.|\n)*SyntaxError"):
        Compiler(pyodide, tmp_path).compile({"/lib/odd.py": b"def f(:\n"})


def test_the_page_compiles_nothing_that_a_first_run_imports(served):
    library = served["stdlib"]
    modules = ["json/__init__", "traceback", "ast", "pyodide/__init__", "_pyodide/_base"]
    modules += ["secrets"]  # of numpy.random, which some exercises draw from and the first does not
    for module in modules:
        assert f"{module}.pyc" in library
        assert f"{module}.py" not in library
    for name in packages.THIRD_PARTY:
        assert [path for path in served[name] if path.endswith(".py")] == []
    magic = {
        data[:8] for files in served.values() for name, data in files.items() if ".pyc" in name
    }
    assert len(magic) == 1
    assert magic.pop()[4:] == b"\x01\0\0\0"


def test_numpy_keeps_its_compiled_parts_and_licences_and_no_tests(served):
    official = zipfile.ZipFile(assets.ASSETS / "numpy-for-the-page-2.4.3").namelist()
    extensions = [name for name in official if name.endswith(".so")]
    licences = [name for name in official if ".dist-info/licenses/" in name]
    assert {*extensions, *licences} <= set(served["numpy"])
    assert [name for name in served["numpy"] if "/tests/" in name or "/f2py/" in name] == []


def test_every_package_keeps_its_licence(served):
    for name in packages.THIRD_PARTY:
        asset = assets.named(packages.ASSET.format(name))
        official = zipfile.ZipFile(assets.ASSETS / asset.cached).namelist()
        licences = [path for path in official if "licen" in path.lower() and ".dist-info/" in path]
        assert licences
        assert set(licences) <= set(served[name])


def test_the_project_keeps_its_sources_beside_their_bytecode(served):
    files = served["attn"]
    assert files["attn/core/softmax.py"] == (TOP / "attn/core/softmax.py").read_bytes()
    assert "attn/core/__pycache__/softmax.cpython-314.pyc" in files


def test_the_project_holds_what_a_check_can_import_and_nothing_else(served):
    files = [name.split("/") for name in served["attn"] if name.endswith(".py")]
    names = {".".join(parts).removesuffix(".py").removesuffix(".__init__") for parts in files}
    script = "import sys; from attn.exercises import catalog; list(catalog()); print(*sys.modules)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    wanted = {name for name in done.stdout.split() if name.split(".")[0] == "attn"}
    assert names == wanted | {"ipython_pretty"}
    others = [name for name in served["attn"] if not name.endswith((".py", ".pyc"))]
    info = f"attn-{attn.__version__}.dist-info"
    assert {name.split("/")[0] for name in others} == {info, "ipython_pretty.LICENSE"}


def test_the_lock_file_of_the_site_names_each_package_by_its_own_hash():
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    locked = json.loads((PYTHON / runtime["lock"]).read_text())["packages"]
    assert set(locked) == set(packages.PACKAGES)
    for package in locked.values():
        served = (PYTHON / package["file_name"]).read_bytes()
        assert package["sha256"] == hashlib.sha256(served).hexdigest()
        assert set(package["depends"]) <= set(locked)
    assert runtime["stdlib"] in {path.name for path in PYTHON.iterdir()}


@pytest.fixture(scope="module")
def first_files():
    """What a first run downloads, but for scripts and ``runtime.json``."""
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    assert runtime["packages"] == ["numpy", "attn"]
    wheels = [path for name in runtime["packages"] for path in PYTHON.glob(f"{name}-*.whl")]
    assert len(wheels) == 2
    files = [*wheels, PYTHON / runtime["lock"], PYTHON / runtime["stdlib"]]
    return [*files, *PYTHON.glob("pyodide-*/*.wasm")]


def test_the_download_is_announced_to_the_byte_and_by_hash(first_files):
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    assert runtime["bytes"] == sum(path.stat().st_size for path in first_files)
    digests = {
        path.relative_to(PYTHON).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in first_files
    }
    assert runtime["sha256"] == digests
    locked = json.loads((PYTHON / runtime["lock"]).read_text())["packages"]
    assert set(runtime["optional"]) == {"matplotlib", "attn-book"}
    for part in runtime["optional"].values():
        files = {PYTHON / locked[name]["file_name"] for name in part["packages"]}
        assert part["bytes"] == sum(path.stat().st_size for path in files)
        assert PYTHON / part["probe"] in files


def test_what_cells_add_is_at_most_six_megabytes():
    runtime = json.loads((PYTHON / "runtime.json").read_text())
    assert sum(part["bytes"] for part in runtime["optional"].values()) < 6e6


def test_exercises_download_nothing_that_only_cells_use(served):
    own = {name for name in served["attn"] if ".dist-info/" not in name}
    parts = {name.split("/")[1] for name in own if name.startswith("attn/")}
    assert parts == {"__init__.py", "__pycache__", "core", "exercises"}
    assert own.isdisjoint(served["attn-book"])


def test_cells_have_every_part_of_the_project_that_needs_no_torch(served):
    held = {name for part in packages.OWN for name in served[part]}
    listed = subprocess.run(
        ["git", "ls-files", "attn"], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.split()
    wanted = {name for name in listed if name.endswith((".py", ".json", ".npz", ".bin"))}
    missing = {n for n in wanted - held if not n.startswith("attn/nn/")}
    commands = {"attn/exercises/__main__.py", "attn/exercises/progress.py"}
    assert {name for name in missing if "/make_" not in name} == commands
    assert [name for name in held if name.endswith((".js", ".css"))] == []


def test_pages_say_what_the_download_weighs_as_a_host_sends_it(first_files):
    files = [*first_files, PYTHON / "runtime.json", *PYTHON.glob("pyodide-*/*.mjs")]
    sizes = [path.read_bytes() for path in files]
    megabytes = sum(min(len(data), len(gzip.compress(data))) for data in sizes) / 1e6
    pages = [path.read_text(encoding="utf-8") for path in contents.pages()]
    pages = [re.sub(r"<!--n .*?-->", "", page) for page in pages]
    said = [size for page in pages for size in re.findall(r"Python[\w ]*, ([\d.]+) MB", page)]
    assert len(said) >= 3
    assert set(said) == {f"{megabytes:.0f}"}


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
