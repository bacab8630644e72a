"""Programs that end with the test that started them, whatever happens to it."""

import subprocess
import time

import psutil

# The shell waits on a pipe that this process holds. When the pipe closes, by us or because this
# process died, it ends its whole group: the program and all that the program started.
LEASH = '"$@" & read _; kill -KILL 0'


class Leashed:
    """A program in a process group of its own."""

    def __init__(self, *command: str, environment=None, keep=()):
        self._shell = subprocess.Popen(
            ["sh", "-c", LEASH, "sh", *command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=keep,
        )

    @property
    def group(self) -> int:
        return self._shell.pid

    def end(self) -> None:
        self._shell.stdin.close()
        self._shell.wait()


def cpu_seconds() -> float:
    """Processor time that everything started by this process has used."""
    used = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used += times.user + times.system
    return used


def wait_until_idle(share=0.1, window=2.0, timeout=60.0) -> None:
    """Wait until what this process started leaves the processor alone."""
    end = time.monotonic() + timeout
    while True:
        before, began = cpu_seconds(), time.monotonic()
        time.sleep(window)
        busy = (cpu_seconds() - before) / (time.monotonic() - began)
        if busy < share:
            return
        if time.monotonic() > end:
            raise AssertionError(f"after {timeout:.0f} s {busy:.0%} of a core is still in use")
