"""Programs that end with the test that started them, whatever happens to it."""

import contextlib
import subprocess
import time
from pathlib import Path

import psutil

# The shell waits on a pipe that this process holds. When the pipe closes, by us or because this
# process died, it ends its whole group: the program and all that the program started.
RUN_UNTIL_PIPE_CLOSES = '"$@" & read _; kill -KILL 0'


class ProcessGroup:
    """A program in a process group of its own."""

    def __init__(self, *command: str, environment=None, pass_fds=()):
        self._shell = subprocess.Popen(
            ["sh", "-c", RUN_UNTIL_PIPE_CLOSES, "sh", *command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=pass_fds,
        )

    @property
    def id(self) -> int:
        return self._shell.pid

    def end(self) -> None:
        self._shell.stdin.close()
        self._shell.wait()


def running_threads() -> set[str]:
    """Threads of all that this process started which use the processor now, or wait for it."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        for stat in Path(f"/proc/{process.pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):
                name, state = stat.read_text().rpartition(")")[::2]
                found |= {f"{name})"} if state.split()[0] == "R" else set()
    return found


def wait_until_idle(looks=20, pause=0.1, timeout=120.0) -> None:
    """Wait until no thread runs without a rest: one that loops runs at every look.

    Looks are counted, not processor time: on a busy machine a thread that loops gets little of it.
    """
    end = time.monotonic() + timeout
    while True:
        busy = running_threads()
        for _ in range(looks):
            if not busy:
                return
            time.sleep(pause)
            busy &= running_threads()
        if time.monotonic() > end:
            raise AssertionError(f"after {timeout:.0f} s these still run: {busy}")
