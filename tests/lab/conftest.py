"""A real JupyterLab on a copy of the chapters, seen in a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import contents
import pytest
from jupyter_lab import Lab, ask

TOP = Path(__file__).resolve().parents[2]
NOTEBOOKS = [path.name for path in contents.notebooks()]


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """JupyterLab with the environment's own settings: a chapter opens as a notebook."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(TOP / "book", folder / "book")
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


@pytest.fixture(scope="session", params=NOTEBOOKS)
def notebook(request, lab, browser):
    """The chapter, opened and run from top to bottom: the page, and the kernel behind it."""
    before = lab.kernels()
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    workspace = Path(request.param).stem
    page.goto(f"{lab.address}lab/workspaces/{workspace}/tree/book/{request.param}?reset")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=90_000)
    kernel = _new_kernel(lab, before, page)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    client = lab.kernel_client(kernel)
    _wait_until_run(page, client)
    _wait_until_all_is_drawn(page, request.param)
    yield page, client
    client.stop_channels()
    context.close()
    lab.shut_down(kernel)


def _new_kernel(lab, before, page):
    for _ in range(120):
        new = lab.kernels() - before
        if new:
            return new.pop()
        page.wait_for_timeout(250)
    raise AssertionError("opening the chapter started no kernel")


def _wait_until_run(page, client):
    """No cell waits any more, and the kernel has answered a question asked after the last one."""
    page.wait_for_timeout(1000)
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.jp-InputPrompt')]"
        ".some((el) => el.textContent.includes('*'))",
        timeout=120_000,
    )
    ask(client, "1")
    page.wait_for_timeout(500)


def _wait_until_all_is_drawn(page, name):
    """Every cell is on the page: JupyterLab draws those out of sight a little later."""
    written = (TOP / "book" / name).read_text().count("```{code-cell}")
    page.wait_for_function(
        "(written) => document.querySelectorAll('.jp-Notebook .jp-CodeCell').length === written",
        arg=written,
        timeout=30_000,
    )
    page.wait_for_timeout(500)
