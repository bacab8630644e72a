"""What the set-up downloads, and what it says meanwhile."""

import functools
import http.server
import re
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from web.builder import environment, torch_source
from web.builder.torch_source import CPU_BUILDS, index_for

TOP = Path(__file__).resolve().parents[3]
CUDA = ["torch", "filelock", "nvidia-cublas-cu12"]
CPU = ["torch", "filelock"]


def never():
    """What pip would install, where nobody may ask."""
    raise AssertionError("pip was asked")
    yield


@pytest.mark.parametrize(
    ("given", "system", "has_gpu", "would_install", "index"),
    [
        ("", "Linux", False, CUDA, CPU_BUILDS),
        ("", "Linux", False, ["torch", "cuda-bindings"], CPU_BUILDS),
        ("", "Linux", False, CPU, None),
        ("", "Linux", True, never(), None),
        ("", "Darwin", False, never(), None),
        ("https://example.org/simple", "Linux", False, never(), "https://example.org/simple"),
        ("https://example.org/simple", "Linux", True, never(), "https://example.org/simple"),
    ],
)
def test_another_index_is_used_only_where_cuda_would_come_for_nothing(
    given, system, has_gpu, would_install, index
):
    assert index_for(given, system, has_gpu, would_install) == index


def wheel(folder, name, needs=(), version="1.0"):
    """An empty package that needs others."""
    info = f"{name}-{version}.dist-info"
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as file:
        file.writestr(f"{info}/METADATA", "\n".join(["Metadata-Version: 2.1", *lines, ""]))
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of wheels that is all pip knows."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setattr(torch_source, "has_nvidia_gpu", lambda: False)
    monkeypatch.setattr(torch_source.platform, "system", lambda: "Linux")
    return tmp_path


def test_pip_itself_says_whether_cuda_would_come(shelf, capsys):
    wheel(shelf, "torch", ["filelock", "nvidia-cublas-cu12"])
    wheel(shelf, "filelock")
    wheel(shelf, "nvidia_cublas_cu12")
    assert list(torch_source.packages_with("torch==1.0")) == CUDA
    assert torch_source.choose("torch==1.0", "") == CPU_BUILDS
    assert capsys.readouterr().out.count("\n") == 1


def test_where_pip_brings_a_cpu_build_nothing_is_said_and_no_other_index_asked(shelf, capsys):
    wheel(shelf, "torch", ["filelock"])
    wheel(shelf, "filelock")
    assert torch_source.choose("torch==1.0", "") is None
    assert capsys.readouterr().out == ""


def test_an_exact_pin_takes_the_cpu_build_where_both_are_offered(shelf):
    wheel(shelf, "torch")
    wheel(shelf, "torch", version="1.0+cpu")
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    done = subprocess.run([*command, "torch==1.0"], capture_output=True, text=True, check=True)
    assert "Would install torch-1.0+cpu" in done.stdout


def test_when_pip_fails_the_set_up_ends_with_what_pip_said(shelf):
    with pytest.raises(SystemExit, match=r"(?s)no-such-thing failed:.*No matching distribution"):
        environment.pip("no-such-thing")


class Dripping(http.server.SimpleHTTPRequestHandler):
    """A host that takes its time over a file."""

    def copyfile(self, source, outputfile):
        while part := source.read(1_000_000):
            time.sleep(0.2)
            outputfile.write(part)

    def log_message(self, *args):
        pass


def test_while_a_large_file_arrives_it_says_how_much_is_there(shelf, monkeypatch, capsys):
    wheel(shelf, "torch")
    with zipfile.ZipFile(shelf / "torch-1.0-py3-none-any.whl", "a") as file:
        file.writestr("torch/weights.bin", bytes(4_000_000))
    (shelf / "index.html").write_text('<a href="torch-1.0-py3-none-any.whl">torch</a>')
    handler = functools.partial(Dripping, directory=shelf)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_FIND_LINKS", f"http://127.0.0.1:{server.server_port}/index.html")
        monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
        monkeypatch.setattr(environment, "SILENCE", 0.1)
        environment.pip("--dry-run", "--ignore-installed", "torch==1.0")
        server.shutdown()
    said = re.findall(r"(\d+) MB so far", capsys.readouterr().out)
    assert len(said) >= 2
    assert said == sorted(said)
    assert int(said[-1]) <= 4


def test_it_runs_before_anything_is_installed():
    code = "from web.builder import environment; print(environment.pin('torch'))"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("torch==")
