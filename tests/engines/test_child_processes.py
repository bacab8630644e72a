"""The watch over threads sees one that loops, and ends with it."""

import psutil
import pytest
from engines.child_processes import Leashed, wait_until_idle
from polling import eventually


def children(leashed):
    """What the shell that holds the leash has started."""
    return psutil.Process(leashed.group).children()


def runs(states):
    return psutil.STATUS_RUNNING in states


def test_a_loop_is_seen_until_it_ends():
    loop = Leashed("sh", "-c", "while :; do :; done")
    eventually("the loop to run", lambda: [child.status() for child in children(loop)], until=runs)
    with pytest.raises(AssertionError, match="these still run"):
        wait_until_idle(timeout=0)
    loop.end()
    wait_until_idle()
