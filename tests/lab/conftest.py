"""A real JupyterLab on a copy of the chapters, seen in a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import browser as chromium
import pytest
from jupyter_lab import Lab
from playwright.sync_api import sync_playwright

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """JupyterLab with the environment's own settings: a chapter opens as a notebook."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(
        TOP / "book", folder / "book", ignore=shutil.ignore_patterns("_*", "node_modules")
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    runtime = folder / "runtime"
    environment = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
    }
    command = [
        sys.executable,
        "-m",
        "jupyter",
        "lab",
        "--no-browser",
        "--ip=127.0.0.1",
        f"--port={port}",
    ]
    command += [
        "--IdentityProvider.token=",
        "--ServerApp.disable_check_xsrf=True",
        f"--ServerApp.root_dir={folder}",
        "--allow-root",
    ]
    log = open(folder / "log", "w")
    server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    started = Lab(f"http://127.0.0.1:{port}/", runtime)
    try:
        _wait_until_up(started, server, folder / "log")
        yield started
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.close()


def _wait_until_up(lab, server, log):
    for _ in range(240):
        assert server.poll() is None, f"JupyterLab did not start:\n{log.read_text()}"
        try:
            lab.kernels()
            return
        except OSError:
            time.sleep(0.25)
    raise AssertionError(f"JupyterLab did not answer:\n{log.read_text()}")


@pytest.fixture(scope="session")
def lab_browser():
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()
