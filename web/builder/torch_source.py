"""Where torch comes from: the usual index, or PyTorch's own with builds for the CPU.

PyPI's build for Linux brings gigabytes of CUDA, which the course never uses. So on a Linux machine
without an NVIDIA GPU the set-up asks pip what it would install; only if CUDA would come is another
index used. Standard library only: this runs before anything is installed.
"""

import contextlib
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterable
from pathlib import Path

CPU_BUILDS = "https://download.pytorch.org/whl/cpu"
FOUND = re.compile(r"\s*(?:Collecting |Processing \S*/)([\w.]+(?:-[A-Za-z][\w.]*)*)")


def index_for(given: str, system: str, has_gpu: bool, would_install: Iterable[str]) -> str | None:
    """The index to take torch from; None is pip's own choice.

    ``given`` is what the user asked for, if anything. ``would_install`` names the packages that pip
    would bring along; it is looked at only where the answer depends on it, and no further than
    needed.

    >>> index_for("", "Linux", False, ["filelock", "nvidia-cublas-cu12"]) == CPU_BUILDS
    True
    >>> index_for("", "Linux", True, ["nvidia-cublas-cu12"]) is None
    True
    """
    if given:
        return given
    if system != "Linux" or has_gpu:
        return None
    brings_cuda = any(name.startswith(("nvidia-", "cuda-")) for name in would_install)
    return CPU_BUILDS if brings_cuda else None


def packages_with(requirement: str) -> Generator[str, None, None]:
    """What pip would install with a requirement, as it finds out.

    pip knows the names long before it has downloaded the files, and a dry run downloads them too.
    So it is stopped as soon as nobody listens any more.
    """
    command = [sys.executable, "-um", "pip", "install", "--dry-run", "--ignore-installed"]
    pip = subprocess.Popen(
        [*command, requirement],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert pip.stdout
    try:
        for line in pip.stdout:
            if found := FOUND.match(line):
                yield found[1].lower().replace("_", "-")
    finally:
        pip.kill()
        pip.wait()
        pip.stdout.close()


def has_nvidia_gpu() -> bool:
    return Path("/proc/driver/nvidia").exists() or shutil.which("nvidia-smi") is not None


def choose(requirement: str, given: str) -> str | None:
    """The index for this machine, with one line where it is not the usual one."""
    with contextlib.closing(packages_with(requirement)) as packages:
        index = index_for(given, platform.system(), has_nvidia_gpu(), packages)
    if index == CPU_BUILDS and not given:
        print(f"setup: no NVIDIA GPU here: {requirement} comes as PyTorch's CPU build", flush=True)
    return index
