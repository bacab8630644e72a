"""A running JupyterLab: its server, the notebooks open in a browser, and their kernels."""

import contextlib
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from waiting import PATIENCE, eventually

# The server picks a free port and writes it to its runtime folder; its page can be talked to.
COMMAND = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1", "--port=0"]
COMMAND += ["--allow-root", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
COMMAND += ["--LabApp.expose_app_in_browser=True"]

OPEN = """async (path) => {
  const panel = await window.jupyterapp.commands.execute("docmanager:open", { path });
  await panel.context.ready;
  await panel.revealed;
  await panel.sessionContext.ready;
  return panel.sessionContext.session.kernel.id;
}"""
RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
CLOSE = "() => window.jupyterapp.shell.currentWidget.dispose()"
# JupyterLab draws cells that are out of sight, and outputs, a little later.
PROGRESS = """panel => {
  const prompts = [...panel.querySelectorAll(".jp-CodeCell .jp-InputPrompt")];
  return {
    cells: prompts.length,
    waiting: prompts.filter((it) => it.textContent.includes("*")).length,
    unread: panel.querySelectorAll(".jp-MarkdownCell:not(:has(.myst *))").length,
  };
}"""


@contextlib.contextmanager
def running(folder: Path):
    """JupyterLab on ``folder`` with the environment's own settings, as a fresh user has it."""
    runtime = folder / "runtime"
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTERLAB_SETTINGS_DIR": "settings"}
    places |= {"JUPYTERLAB_WORKSPACES_DIR": "workspaces", "JUPYTER_RUNTIME_DIR": "runtime"}
    environment = os.environ | {name: str(folder / place) for name, place in places.items()}
    with open(folder / "log", "w+") as log:
        command = [*COMMAND, f"--ServerApp.root_dir={folder}"]
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            address = eventually("JupyterLab", lambda: _address(server, runtime, folder / "log"))
            yield Lab(address, folder)
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
    """The running server: its address, its files, its kernels."""

    def __init__(self, address: str, folder: Path):
        self.address, self.folder = address, folder

    def request(self, path: str, body=None, method="GET"):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, method=method)
        return urllib.request.urlopen(asked)

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
        self.cells = self.source.count("```{code-cell}")
        self.kernel = page.evaluate(OPEN, path)
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self.client = None

    def run_all(self) -> None:
        """Run every cell, and wait until all of them and all text are drawn."""
        self.page.evaluate(RUN_ALL)
        eventually(
            f"{self.cells} cells of {self.path} to have run",
            lambda: self.panel.evaluate(PROGRESS),
            until=lambda seen: seen == {"cells": self.cells, "waiting": 0, "unread": 0},
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
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == asked:
                break
        found = reply["content"]["user_expressions"]["it"]
        assert found["status"] == "ok", f"{expression}: {found.get('evalue')}"
        return json.loads(eval(found["data"]["text/plain"]))

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
