"""What Binder builds, rendered without an engine, and the button that leads there."""

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import warnings
from pathlib import Path

import contents
import pytest
import yaml

TOP = Path(__file__).resolve().parents[2]
ADDRESS = "https://github.com/someone/attention"
BUILDS_ATTN = {"setuptools", "wheel"}
BRINGS_CHAPTERS_TO_A_CLASS = {"nbgitpuller"}


def pins(lines):
    """Name and version of each exact requirement."""
    return dict(line.split("==") for line in lines if re.match(r"[\w.-]+==", line))


def asked_for(section):
    """The pins of one section of requirements.txt."""
    text = (TOP / "requirements.txt").read_text()
    return pins(re.search(rf"^# {section}\n(.*?)\n\n", text, re.M | re.S)[1].splitlines())


@pytest.fixture(scope="module")
def environment():
    written = yaml.safe_load((TOP / ".binder/environment.yml").read_text())["dependencies"]
    return {"conda": [d for d in written if isinstance(d, str)], "pip": pins(written[-1]["pip"])}


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


def test_binder_installs_the_pinned_environment(environment):
    torch = asked_for("Run the chapters").pop("torch")
    assert f"pytorch-cpu={torch}" in environment["conda"]
    wanted = asked_for("Run the chapters") | asked_for("JupyterLab")
    wanted.pop("torch")
    everything = pins((TOP / "requirements.txt").read_text().splitlines())
    wanted |= {name: everything[name] for name in BUILDS_ATTN}
    assert environment["pip"].keys() - wanted.keys() == BRINGS_CHAPTERS_TO_A_CLASS
    assert environment["pip"].items() >= wanted.items()


def test_the_image_is_a_conda_image_with_a_python_that_the_course_supports(image):
    pack, dockerfile = image
    assert type(pack).__name__ == "CondaBuildPack"
    assert pack.python_version == "3.12"
    oldest = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["requires-python"]
    assert tuple(map(int, pack.python_version.split("."))) >= tuple(
        map(int, oldest.removeprefix(">=").split("."))
    )
    assert 'env update -p ${NB_PYTHON_PREFIX} --file ".binder/environment.yml"' in dockerfile


def test_torch_in_the_image_is_the_cpu_build(image):
    pack, _ = image
    torch = [d for d in pack.environment_yaml["dependencies"] if "torch" in str(d)]
    assert len(torch) == 1
    assert torch[0].startswith("pytorch-cpu=")
    assert not re.search(r"cuda|pytorch-gpu", str(pack.environment_yaml))


def test_the_environment_is_cached_apart_from_the_chapters(image):
    _, dockerfile = image
    copied = dockerfile.index("COPY --chown=1000:1000 src/ ${REPO_DIR}/")
    assert dockerfile.index("env update") < copied < dockerfile.index("RUN ./.binder/postBuild")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder in which the image's last step, postBuild, has run for real."""
    folder = tmp_path_factory.mktemp("binder")
    copy = folder / "repository"
    shutil.copytree(TOP / ".binder", copy / ".binder")
    for part in ("attn", "book"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / part, copy / part, ignore=skipped)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / file, copy / file)
    prefix = folder / "prefix"
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


def test_post_build_installs_the_whole_of_attn_apart_from_the_repository(built):
    copy, prefix = built
    (installed,) = prefix.glob("lib/python*/site-packages/attn")
    assert not installed.is_symlink()
    assert files(copy / "attn") == files(installed)


def files(package):
    """The names under a folder, without what Python compiles and what only node reads."""
    found = (path for path in package.rglob("*") if path.is_file())
    names = {str(path.relative_to(package)) for path in found if path.suffix != ".pyc"}
    return names - {"widgets/js/package.json"}


def test_the_server_opens_the_list_of_chapters_and_chapters_as_notebooks(built, tmp_path):
    copy, prefix = built
    with running_lab(copy, prefix, tmp_path) as port:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as front:
            front.request("GET", "/")
            leads_to = front.getresponse().getheader("Location")
        assert leads_to.split("?")[0] == "/lab/tree/book/index.md"
        assert (
            "](01-" in (copy / "book/index.md").read_text()
            or "ch-lookup" in (copy / "book/index.md").read_text()
        )
        viewers = default(port, "@jupyterlab/docmanager-extension:plugin", "defaultViewers")
        assert default(port, "@jupyterlab/apputils-extension:notification", "fetchNews") == "false"
    assert viewers == viewers_set_by_jupytext(tmp_path)


@contextlib.contextmanager
def running_lab(copy, prefix, folder):
    """JupyterLab in the copy, configured by what postBuild left under the prefix."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = os.environ | {
        "JUPYTER_CONFIG_PATH": str(prefix / "etc/jupyter"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"]
    command += [f"--port={port}", "--IdentityProvider.token=", "--allow-root"]
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(command, cwd=copy, env=settings, stdout=log, stderr=log)
        try:
            wait_for(port, server, folder / "log")
            yield port
        finally:
            server.terminate()
            server.wait(timeout=30)


def wait_for(port, server, log):
    for _ in range(240):
        assert server.poll() is None, log.read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.25)
    raise AssertionError(f"JupyterLab did not answer:\n{log.read_text()}")


def default(port, plugin, setting):
    """What a new user of this server gets for a setting of JupyterLab."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/lab/api/settings/{plugin}") as answer:
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
    """A site with the header of every chapter and one line, with and without an address."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "web/ext").mkdir(parents=True)
    (folder / "book").mkdir()
    shutil.copy(TOP / "web/ext/repository.py", folder / "web/ext")
    for file in chapters():
        header = (TOP / f"{file}.md").read_text().split("---\n")[1]
        (folder / f"{file}.md").write_text(f"---\n{header}---\n# A title\n")
    (folder / "_config.yml").write_text(
        "title: Small\nonly_build_toc_files: true\nexecute: {execute_notebooks: 'off'}\n"
        "sphinx: {local_extensions: {repository: web/ext}}\n"
    )
    root, *others = chapters()
    toc = {"format": "jb-book", "root": root, "chapters": [{"file": f} for f in others]}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    settings = {key: value for key, value in os.environ.items() if key != "ATTN_REPOSITORY"}
    settings |= {"ATTN_REPOSITORY": request.param} if request.param else {}
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(folder)]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return request.param, folder / "_build/html"


def test_the_button_opens_this_very_chapter_on_binder_where_there_is_an_address(site):
    address, pages = site
    for file in chapters():
        page = (pages / f"{file}.html").read_text()
        buttons = re.findall(r'href="(https://mybinder[^"]+)"', page)
        wanted = f"https://mybinder.org/v2/gh/someone/attention/main?urlpath=lab/tree/{file}.md"
        assert buttons == ([wanted] if address else []), file
