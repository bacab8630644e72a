"""What Binder builds, rendered without an engine, and the button that leads there."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from lab import jupyter_lab

from attn import minilm
from web.builder.third_party import assets
from web.builder.torch_source import CPU_BUILDS
from web.chapters import contents
from web.links.repository_buttons import BINDER

# One worker makes the image and the small sites for all of them.
pytestmark = pytest.mark.xdist_group("binder")
TOP = Path(__file__).resolve().parents[2]
ADDRESS = "https://github.com/someone/attention"
BRINGS_CHAPTERS_TO_A_CLASS = {"nbgitpuller"}


def lines_of(path):
    """The lines of a requirements file; those of a file it names stand where it names it."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            yield from lines_of(path.parent / line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            yield line


@pytest.fixture(scope="module")
def image():
    """The buildpack that repo2docker picks for this repository, and the Dockerfile it writes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # repo2docker's import of a logger
        from repo2docker.app import Repo2Docker

    picker = Repo2Docker()
    with contextlib.chdir(TOP):
        packs = (pack(picker.base_image) for pack in picker.buildpacks)
        found = next(pack for pack in packs if pack.detect())
        found.platform = "linux/amd64"
        return found, found.render()


def test_binder_installs_the_projects_own_pins_with_torch_for_the_cpu():
    ours = list(lines_of(TOP / "requirements.txt"))
    added = [line for line in lines_of(TOP / ".binder/requirements.txt") if line not in ours]
    index, *packages = added
    assert index == f"--extra-index-url {CPU_BUILDS}"
    assert {line.split("==")[0] for line in packages} == BRINGS_CHAPTERS_TO_A_CLASS
    assert len(list(lines_of(TOP / ".binder/requirements.txt"))) == len(ours) + len(added)
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in ours + packages)


def test_the_image_has_a_python_that_the_course_supports(image):
    pack, _ = image
    assert type(pack).__name__ == "PythonBuildPack"
    oldest = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["requires-python"]
    version, least = pack.python_version.split("."), oldest.removeprefix(">=").split(".")
    assert tuple(map(int, version)) >= tuple(map(int, least))
    workflow = (TOP / ".github/workflows/test.yml").read_text()
    assert f'python-version: "{pack.python_version}"' in workflow


def test_the_pins_are_installed_where_the_file_that_names_them_is(image):
    _, dockerfile = image
    copied = dockerfile.index("COPY --chown=1000:1000 src/ ${REPO_DIR}/")
    installed = dockerfile.index('pip install --no-cache-dir -r ".binder/requirements.txt"')
    assert copied < installed < dockerfile.index("RUN ./.binder/postBuild")


def put_model(folder):
    """What postBuild would download, where it would put it; it checks the hash of what is there."""
    assets.place_models(folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which the image's last step, postBuild, has run for real."""
    folder = tmp_path_factory.mktemp("binder")
    copy = folder / "repository"
    shutil.copytree(TOP / ".binder", copy / ".binder")
    for part in ("attn", "book", "web"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / part, copy / part, ignore=skipped)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / file, copy / file)
    prefix = folder / "prefix"
    put_model(prefix / "share" / "attn")
    settings = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "NB_PYTHON_PREFIX": str(prefix),
        "PIP_PREFIX": str(prefix),
        "PIP_IGNORE_INSTALLED": "1",  # the environment that runs this test stays as it is
    }
    command = ["./.binder/postBuild"]
    done = subprocess.run(
        command, cwd=copy, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return copy, prefix


@pytest.mark.matrix
def test_post_build_installs_the_whole_of_attn_apart_from_the_repository(built):
    copy, prefix = built
    (installed,) = prefix.glob("lib/python*/site-packages/attn")
    assert not installed.is_symlink()
    assert files(copy / "attn") == files(installed)


def files(package):
    """The names under a folder, without what Python compiles and what only node reads."""
    found = (path for path in package.rglob("*") if path.is_file())
    names = {str(path.relative_to(package)) for path in found if path.suffix != ".pyc"}
    return names - {"widgets/package.json"}


@pytest.mark.matrix
def test_the_server_opens_the_list_of_chapters_and_chapters_as_notebooks(built, tmp_path):
    copy, prefix = built
    by_post_build = {"JUPYTER_CONFIG_PATH": str(prefix / "etc/jupyter")}
    with jupyter_lab.run_lab(tmp_path, root=copy, settings=by_post_build) as lab:
        with lab.request("") as front:
            assert urlsplit(front.url).path == "/lab/tree/book/index.md"
        viewers = default(lab, "@jupyterlab/docmanager-extension:plugin", "defaultViewers")
        assert default(lab, "@jupyterlab/apputils-extension:notification", "fetchNews") == "false"
    assert viewers == viewers_set_by_jupytext(tmp_path)


def default(lab, plugin, setting):
    """What a new user of this server gets for a setting of JupyterLab."""
    with lab.request(f"lab/api/settings/{plugin}") as answer:
        return json.load(answer)["schema"]["properties"][setting]["default"]


def viewers_set_by_jupytext(folder):
    file = folder / "overrides.json"
    tool = Path(sys.executable).with_name("jupytext-config")
    command = [tool, "--settings-file", file, "set-default-viewer", "markdown", "myst"]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(file.read_text())["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]


def chapters():
    """The docnames of the pages that are notebooks."""
    return [f"book/{path.stem}" for path in contents.notebooks()]


@pytest.fixture(scope="module", params=[ADDRESS, None], ids=["address", "no address"])
def site(request, tmp_path_factory):
    """A site with the header of every chapter and a link, with and without an address."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "book").mkdir()
    for file in chapters():
        header = (TOP / f"{file}.md").read_text().split("---\n")[1]
        text = f"# A title\n\n[Open it]({BINDER}) there.\n"
        (folder / f"{file}.md").write_text(f"---\n{header}---\n{text}")
    (folder / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\nexecute: {execute_notebooks: 'off'}\n"
        "sphinx: {extra_extensions: [web.links.repository_buttons]}\n"
    )
    root, *others = chapters()
    toc = {"format": "jb-book", "root": root, "chapters": [{"file": f} for f in others]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    settings = {key: value for key, value in os.environ.items() if key != "ATTN_REPOSITORY"}
    settings |= {"PYTHONPATH": str(TOP)}
    settings |= {"ATTN_REPOSITORY": request.param} if request.param else {}
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(folder)]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return request.param, folder / "_build/html"


@pytest.mark.matrix
def test_button_and_link_open_this_very_chapter_on_binder_where_there_is_an_address(site):
    address, pages = site
    for file in chapters():
        page = (pages / f"{file}.html").read_text()
        buttons = re.findall(r'href="(https://mybinder[^"]+)"', page)
        wanted = f"https://mybinder.org/v2/gh/someone/attention/main?urlpath=lab/tree/{file}.md"
        assert buttons == ([wanted, wanted] if address else []), file
        assert ("Open it" in page) == bool(address), file


@pytest.mark.matrix
def test_the_installed_attn_finds_the_model_that_post_build_put_beside_it(built, monkeypatch):
    _, prefix = built
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.chdir(prefix)
    monkeypatch.delenv("ATTN_MINILM", raising=False)
    monkeypatch.setattr(minilm.weights, "__file__", str(prefix / "lib/x/attn/minilm/weights.py"))
    assert {path.parent for path in minilm.find()} == {prefix / "share/attn"}
