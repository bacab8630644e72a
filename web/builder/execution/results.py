"""Execute the chapters, side by side, and keep their results until something they use changes.

jupyter-cache finds a chapter's results by its code cells alone. Beside them stands the key they
were made with (see ``result_keys``), and results whose key is not today's are dropped.
"""

import contextlib
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jupyter_cache import get_cache
from jupyter_cache.executors.basic import (
    ExecutionWorkerLocalMProc,
    JupyterExecutorLocalMproc,
    single_nb_execution,
)
from traitlets.config import Config

from web.builder.execution.result_keys import Package
from web.chapters.source import code_cells

READ = {"name": "myst_nb_md", "type": "plugin"}
PATIENCE = 300  # seconds for a kernel to start: a busy machine is slow, and slow is not wrong


class Results:
    """The results in the folder `cache`, of the notebooks of the project at `top`."""

    def __init__(self, top: Path, cache: Path, notebooks: list[Path]):
        cache.mkdir(parents=True, exist_ok=True)
        self.top, self.keys_file, self.cache = top, cache / "keys.json", get_cache(str(cache))
        package = Package(top)
        self.keys = {
            str(path): package.key(code_cells(path.read_text(encoding="utf-8")))
            for path in notebooks
        }
        for record in self.cache.list_project_records():
            self.cache.remove_nb_from_project(record.pk)
        for uri in self.keys:
            self.cache.add_nb_to_project(uri, read_data=READ)

    def drop_stale(self) -> None:
        """Forget results that were made with other Python than today's."""
        used_keys: dict[str, str] = {}
        with contextlib.suppress(FileNotFoundError, ValueError):
            used_keys = json.loads(self.keys_file.read_text())
        for uri, record in self._records():
            if used_keys.get(record.hashkey) != self.keys[uri]:
                self.cache.remove_cache(record.pk)

    def execute(self, timeout: int, say: Callable[[str], None]) -> bool:
        """Run the chapters that have no results. False if a cell failed."""
        waiting = [Path(record.uri).stem for record in self.cache.list_unexecuted()]
        if not waiting:
            say("no chapter needs executing")
            return True
        say(f"executing {len(waiting)} of {len(self.keys)} chapters: {', '.join(waiting)}")
        started = time.monotonic()
        done = _SideBySide(self.cache).run_and_cache(timeout=timeout)
        multiprocessing.get_logger().handlers.clear()  # it would tell the end of this process too
        for uri in done.excepted + done.errored:
            traceback = self.cache.get_project_record(uri).traceback
            file = Path(uri).relative_to(self.top)
            print(f"\nbook: {file} failed:\n{traceback}", file=sys.stderr)
        say(f"executed in {time.monotonic() - started:.0f} s")
        self._note_keys()
        return not (done.excepted or done.errored)

    def _records(self) -> Iterator[tuple[str, Any]]:
        """The notebooks that have results, each with the record of them."""
        for uri in self.keys:
            record = self.cache.get_cached_project_nb(uri)
            if record is not None:
                yield uri, record

    def _note_keys(self) -> None:
        used_keys = {record.hashkey: self.keys[uri] for uri, record in self._records()}
        self.keys_file.write_text(json.dumps(used_keys, indent=1))


@contextlib.contextmanager
def own_sockets() -> Iterator[Config]:
    """A kernel's settings: it talks through files in a folder of its own, while this lasts.

    By default a kernel looks for free ports first and takes them a moment later, and two that start
    together may have found the same ones. The folder's name is short: that of a socket has room for
    about 100 characters.
    """
    with tempfile.TemporaryDirectory(prefix="attn-", dir="/tmp") as folder:
        yield Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})


class _Worker(ExecutionWorkerLocalMProc):
    @staticmethod
    def execute(project_nb: Any, data: Any) -> Any:
        with own_sockets() as config:
            return single_nb_execution(
                project_nb.nb,
                cwd=str(Path(project_nb.uri).parent),
                timeout=data.timeout,
                allow_errors=data.allow_errors,
                startup_timeout=PATIENCE,
                coalesce_streams=True,  # a slow cell's text comes in pieces, cut anywhere
                config=config,
            )


class _SideBySide(JupyterExecutorLocalMproc):
    """One process for each core."""

    _EXECUTION_WORKER = _Worker
