"""A running JupyterLab: its server, the notebooks open in a browser, and their kernels."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from browsers.page_functions import page_function
from browsers.polling import PATIENCE, eventually

from web.chapters.source import code_cells

# The server picks a free port and writes it to its runtime folder; its page can be talked to.
COMMAND = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1", "--port=0"]
COMMAND += ["--allow-root", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
COMMAND += ["--LabApp.expose_app_in_browser=True"]

OPEN = page_function(__file__, "openNotebook")
OPENED = "() => window.opened"
RUN_ALL = page_function(__file__, "runAllCells")
LONGEST = 900.0  # seconds for all cells of a notebook: some train a model
CLOSE = "() => window.jupyterapp.shell.currentWidget.dispose()"
PROGRESS = page_function(__file__, "progressOf")


@contextlib.contextmanager
def run_lab(folder: Path, *, root: Path | None = None, settings=()):
    """JupyterLab as a fresh user has it, with the environment's own settings and those given.

    It shows what is in ``root``, or in ``folder``, where it keeps what it writes.
    """
    root, runtime = root or folder, folder / "runtime"
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTERLAB_SETTINGS_DIR": "settings"}
    places |= {"JUPYTERLAB_WORKSPACES_DIR": "workspaces", "JUPYTER_RUNTIME_DIR": "runtime"}
    environment = os.environ | {name: str(folder / place) for name, place in places.items()}
    environment |= dict(settings)
    with open(folder / "log", "w+") as log:
        command = [*COMMAND, f"--ServerApp.root_dir={root}"]
        server = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
        try:
            address = eventually("JupyterLab", lambda: _address(server, runtime, folder / "log"))
            yield Lab(address, folder, server.pid)
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


def _address(server, runtime, log):
    """Where the server answers; None while it does not yet."""
    assert server.poll() is None, f"JupyterLab did not start:\n{log.read_text()}"
    for file in runtime.glob(f"jpserver-{server.pid}.json"):
        try:
            address = json.loads(file.read_text())["url"]
            urllib.request.urlopen(address + "api/status").close()
        except (OSError, ValueError):
            return None
        return address
    return None


class Lab:
    """The running server: its address, its files, its kernels, its process."""

    def __init__(self, address: str, folder: Path, process: int):
        self.address, self.folder, self.process = address, folder, process

    def request(self, path: str, body=None, method="GET"):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, method=method)
        return urllib.request.urlopen(asked, timeout=PATIENCE)

    def write(self, path: str, text: str) -> None:
        """Put a file where the server finds it."""
        body = {"type": "file", "format": "text", "content": text}
        self.request(f"api/contents/{path}", body, "PUT").close()

    def has(self, path: str) -> bool:
        try:
            self.request(f"api/contents/{path}?content=0").close()
        except urllib.error.HTTPError:
            return False
        return True

    def shut_down(self, kernel: str) -> None:
        self.request(f"api/kernels/{kernel}", method="DELETE").close()


class Notebook:
    """A notebook in the page of a running JupyterLab, and the kernel behind it."""

    def __init__(self, lab: Lab, page, path: str):
        self.lab, self.page, self.path = lab, page, path
        self.source = (lab.folder / path).read_text(encoding="utf-8")
        self.cells = len(code_cells(self.source))
        page.evaluate(OPEN, path)
        self.kernel = eventually(
            f"{path} to open", lambda: page.evaluate(OPENED), until=lambda seen: seen["kernel"]
        )["kernel"]
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self.client = None
        self._until(f"the text of {path} to be drawn", {"cells": self.cells, "unread": 0}, PATIENCE)

    def run_all(self) -> None:
        """Run every cell, and wait until all of them are drawn."""
        self.page.evaluate(RUN_ALL)
        wanted = {"ran": True, "cells": self.cells, "waiting": 0}
        self._until(f"{self.cells} cells of {self.path} to have run", wanted, LONGEST)

    def _until(self, what: str, wanted: dict, seconds: float) -> None:
        eventually(
            what,
            lambda: self.panel.evaluate(PROGRESS),
            until=lambda seen: wanted.items() <= seen.items(),
            seconds=seconds,
        )

    def ask(self, expression: str):
        """The value of an expression in the kernel: what Python knows, not what the page shows.

        The reply itself is awaited; a slow kernel has no heartbeat to fail.
        """
        self.client = self.client or _client(self.lab.folder / f"runtime/kernel-{self.kernel}.json")
        code = f"__import__('json').dumps({expression})"
        asked = self.client.execute(
            "", silent=True, store_history=False, user_expressions={"it": code}
        )
        reply = self._reply(asked, expression)
        found = reply["content"]["user_expressions"]["it"]
        assert found["status"] == "ok", f"{expression}: {found.get('evalue')}"
        return json.loads(eval(found["data"]["text/plain"]))

    def _reply(self, asked: str, expression: str):
        while True:
            try:
                reply = self.client.get_shell_msg(timeout=PATIENCE)
            except queue.Empty:
                problem = f"the kernel of {self.path} did not say {expression}"
                raise AssertionError(f"{problem} within {PATIENCE:g} s") from None
            if reply["parent_header"].get("msg_id") == asked:
                return reply

    def close(self) -> None:
        if self.client:
            self.client.stop_channels()
        self.page.evaluate(CLOSE)
        self.lab.shut_down(self.kernel)


def _client(connection_file: Path):
    from jupyter_client import BlockingKernelClient

    client = BlockingKernelClient(connection_file=str(connection_file))
    client.load_connection_file()
    client.start_channels(iopub=False, stdin=False, hb=False, control=False)
    return client
